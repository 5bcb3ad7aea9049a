// No state in a process: two API processes behind a proxy that takes turns; and a proxy that publishes under a prefix.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, sees, signIn, task } from "../support/browser.js";
import { Api, api, firstToken, part, redis } from "../support/gleaner.js";
import { MEETING } from "../support/meeting.js";
import { proxy } from "../support/proxy.js";

const KEY = { GLEANER_SESSION_KEY: "one key for all processes, 32 characters" };

/** Sign in, add a meeting, complete a task, take it back, make a token. */
async function walk(page, gleaner, prefix = "") {
  await signIn(page, gleaner, `${prefix}/app/add`);
  await page.getByLabel("Text").fill(MEETING);
  await page.getByRole("button", { name: "Find the tasks" }).click();
  await page.getByRole("link", { name: /workshop room/i }).waitFor();
  await page.getByRole("link", { name: "Tasks", exact: true }).click();
  const row = task(page, /workshop room/i);
  await row.getByRole("button", { name: /^Complete/ }).click();
  await row.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).click();
  await row.waitFor();
  await page.getByRole("searchbox").fill("load test");
  await row.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByLabel("Name").fill("bot");
  await page.getByLabel("tasks:read").check();
  await page.getByRole("button", { name: "Create token" }).click();
  await page.locator("#token").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Token").waitFor();
}

test("two API processes behind a proxy that takes turns serve one walk", async (t) => {
  const store = await redis(t);
  const token = firstToken(store);
  part(t, "worker", store);
  const processes = [await api(t, store, [], KEY), await api(t, store, [], KEY)];
  const { url, served } = await proxy(t, processes);
  const page = await open(t);
  await walk(page, new Api(url, token));
  assert.ok(Math.min(...served) > 10, `both served: ${served}`);
});

test("what happens at one process is told live by the other", async (t) => {
  const store = await redis(t);
  const token = firstToken(store);
  part(t, "worker", store);
  const [one, other] = [await api(t, store, [], KEY), await api(t, store, [], KEY)];
  const page = await signIn(await open(t), { url: one, token });
  await page.locator("[data-listening]").waitFor();
  await new Api(other, token).ingest({ external_id: "m", transcript: MEETING });
  await sees(page, /workshop room/i);
});

for (const strip of ["", "/tools/gleaner"]) {
  test(`the app works under a path prefix that the proxy ${strip ? "takes off" : "leaves on"}`, async (t) => {
    const store = await redis(t);
    const token = firstToken(store);
    part(t, "worker", store);
    const { url } = await proxy(t, [await api(t, store, ["--path-prefix", "/tools/gleaner"], KEY)], { strip });
    await walk(await open(t), new Api(url, token), "/tools/gleaner");
  });
}
