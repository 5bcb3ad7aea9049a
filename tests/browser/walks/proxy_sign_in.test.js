// Sign-in by a proxy that is trusted: who comes through it is signed in, and nobody else can claim to be.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, sees, signIn, task } from "../support/browser.js";
import { Api, api, firstToken, part, redis } from "../support/gleaner.js";
import { weekly } from "../support/meeting.js";
import { proxy } from "../support/proxy.js";

const SECRET = "a secret of the proxy, 32 characters";

async function begun(t) {
  const store = await redis(t);
  const token = firstToken(store, "Team");
  part(t, "worker", store);
  const settings = { GLEANER_PROXY_USER_HEADER: "X-Forwarded-Email", GLEANER_PROXY_SECRET: SECRET, GLEANER_PROXY_TOKEN: token };
  const gleaner = new Api(await api(t, store, [], settings), token);
  await gleaner.ingest(weekly);
  return gleaner;
}

test("who comes through the trusted proxy is signed in, under their own name", async (t) => {
  const gleaner = await begun(t);
  const person = { "x-forwarded-email": "priya@example.com", "x-gleaner-proxy-secret": SECRET };
  const { url } = await proxy(t, [gleaner.url], { headers: person });
  const page = await open(t);
  await page.goto(url);
  await sees(page, "priya@example.com");
  const row = task(page, /workshop room/i);
  await row.getByRole("button", { name: /^Complete/ }).click();
  await row.waitFor({ state: "detached" });
  const { items } = await gleaner.get("/tasks?status=completed");
  assert.equal(items.length, 1);
});

test("without the proxy's secret a name in the header opens nothing", async (t) => {
  const gleaner = await begun(t);
  for (const headers of [{ "x-forwarded-email": "eve@example.com" }, { "x-forwarded-email": "eve@example.com", "x-gleaner-proxy-secret": "guessed" }]) {
    const answer = await fetch(gleaner.url, { headers, redirect: "manual" });
    assert.equal(answer.status, 303, JSON.stringify(headers));
  }
  const page = await signIn(await open(t), gleaner);
  await sees(page, /Team/);
});
