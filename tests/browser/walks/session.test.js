// What a thief or another site may try: none of it gets anywhere.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { browser, open, sees, signIn, task } from "../support/browser.js";
import { dev } from "../support/gleaner.js";
import { weekly } from "../support/meeting.js";
import { afterwards } from "../support/process.js";

const SESSION = "gleaner_session";

/** The session's cookie after signing in over plain HTTP. */
async function cookieOf({ url, token }) {
  const answer = await fetch(`${url}/app/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ token, back: "/" }),
  });
  const whole = answer.headers.getSetCookie().find((cookie) => cookie.startsWith(`${SESSION}=`));
  return { whole, value: whole.slice(SESSION.length + 1).split(";")[0] };
}

/** Whether a cookie opens the list of tasks. */
async function opens(url, value) {
  const answer = await fetch(url, { redirect: "manual", headers: { cookie: `${SESSION}=${value}` } });
  return answer.status === 200;
}

test("the session's cookie is kept from scripts, from plain connections and from other sites", async (t) => {
  const { whole } = await cookieOf(await dev(t));
  for (const flag of [/; HttpOnly/, /; Secure/, /; SameSite=Lax/, /; Path=\//, /; Max-Age=\d+/]) assert.match(whole, flag);
});

test("a cookie that was tampered with, or sealed with another key, opens nothing", async (t) => {
  const gleaner = await dev(t);
  const { value } = await cookieOf(gleaner);
  assert.equal(await opens(gleaner.url, value), true);
  for (const at of [0, Math.floor(value.length / 2), value.length - 6]) {
    const other = value[at] === "A" ? "B" : "A";
    assert.equal(await opens(gleaner.url, value.slice(0, at) + other + value.slice(at + 1)), false, `changed at ${at}`);
  }
  assert.equal(await opens(gleaner.url, value.slice(0, -8)), false);
  assert.equal(await opens(gleaner.url, encodeURIComponent(`9999999999 ${gleaner.token}`)), false);
  const other = await dev(t);
  assert.equal(await opens(other.url, value), false);
});

test("a form that another site sends is refused, whatever it asks", async (t) => {
  const gleaner = await dev(t);
  await gleaner.ingest(weekly);
  const on = await browser(t);
  const page = await signIn(await open(t, { on }), gleaner);
  const id = (await task(page, /workshop room/i).getAttribute("id")).slice(1);

  // A host of another name: to a browser, another site with the same server behind it.
  const evil = createServer((_, answer) => {
    answer.setHeader("content-type", "text/html");
    answer.end(`<form method="post" action="${gleaner.url}/app/tasks/${id}/status"><input name="status" value="completed"><input name="back" value="/"><button>Win</button></form><iframe src="${gleaner.url}/"></iframe>`);
  }).listen(0, "127.0.0.1");
  await once(evil, "listening");
  afterwards(t, () => evil.close());
  const trap = await page.context().newPage();
  await trap.goto(`http://localhost:${evil.address().port}/`);
  await trap.getByRole("button", { name: "Win" }).click();
  await sees(trap, "sent from another site");
  const { items } = await gleaner.get("/tasks?q=workshop");
  assert.equal(items[0].status, "open");

  for (const headers of [{}, { "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }, { origin: "null" }]) {
    const answer = await fetch(`${gleaner.url}/app/sign-out`, { method: "POST", headers, redirect: "manual" });
    assert.equal(answer.status, 403, JSON.stringify(headers));
  }
});

test("no page lets itself be framed", async (t) => {
  const gleaner = await dev(t);
  for (const path of ["/", "/app/sign-in", "/docs", "/app/nothing"]) {
    const { headers } = await fetch(gleaner.url + path, { redirect: "manual" });
    const policy = headers.get("content-security-policy") ?? "";
    assert.ok(policy.includes("frame-ancestors 'none'") || headers.get("content-type")?.includes("json"), `${path}: ${policy}`);
    assert.ok(!policy.includes("unsafe"), path);
  }
});

test("the way back after signing in never leads to another site", async (t) => {
  const gleaner = await dev(t);
  for (const away of ["//evil.example", "https://evil.example/", "/\\evil.example", "/%0d%0aLocation:x"]) {
    const answer = await fetch(`${gleaner.url}/app/sign-in`, {
      method: "POST",
      redirect: "manual",
      headers: { "sec-fetch-site": "same-origin" },
      body: new URLSearchParams({ token: gleaner.token, back: away }),
    });
    const to = new URL(answer.headers.get("location"), gleaner.url);
    assert.equal(to.origin, gleaner.url, away);
  }
});

test("what was done is told once, and the page is kept by no cache", async (t) => {
  const gleaner = await dev(t);
  const page = await signIn(await open(t), gleaner);
  const answer = await page.goto(gleaner.url);
  assert.equal(answer.headers()["cache-control"], "no-store");
});
