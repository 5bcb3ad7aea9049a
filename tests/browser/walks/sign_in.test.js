// Sign in with a token; its scopes decide what is shown; the token stays out of reach for scripts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, sees, signIn } from "../support/browser.js";
import { dev } from "../support/gleaner.js";

test("who comes without a session signs in and lands where they wanted to go", async (t) => {
  const gleaner = await dev(t);
  const page = await open(t, { expected: [/status of 401/] });
  await page.goto(`${gleaner.url}/app/items?status=failed`);
  await page.getByLabel("Token").fill(`gln_${"0".repeat(50)}`);
  await page.keyboard.press("Enter");
  await sees(page, /not valid/);
  await page.getByLabel("Token").fill(gleaner.token);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${gleaner.url}/app/items?status=failed`);

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.goto(gleaner.url);
  await page.getByLabel("Token").waitFor();
});

test("the token reaches neither script nor storage nor the address", async (t) => {
  const gleaner = await dev(t);
  const page = await signIn(await open(t), gleaner);
  const secret = gleaner.token.slice(16);
  const reachable = await page.evaluate(() => [document.cookie, document.documentElement.outerHTML, location.href, JSON.stringify(localStorage), JSON.stringify(sessionStorage)].join("\n"));
  assert.ok(!reachable.includes(secret), "the token is out of reach");
  const session = (await page.context().cookies()).find((cookie) => cookie.name === "gleaner_session");
  assert.ok(!session.value.includes(secret), "it is sealed in the cookie");
  assert.deepEqual([session.httpOnly, session.secure, session.sameSite, session.path], [true, true, "Lax", "/"]);
});

test("what a token may not do is not offered", async (t) => {
  const gleaner = await dev(t);
  await gleaner.ingest({ external_id: "m", transcript: "Dana: I'll book the workshop room tomorrow." });
  const reader = await gleaner.mint("reader", ["tasks:read"]);
  const page = await signIn(await open(t, { expected: [/status of 403/] }), { url: gleaner.url, token: reader });
  await sees(page, /workshop room/i);
  const links = await page.getByRole("navigation", { name: "Main" }).getByRole("link").allInnerTexts();
  // What feedback has taught is there for whoever reads tasks.
  assert.deepEqual(links, ["Tasks", "People", "Week", "Settings"]);
  assert.equal(await page.locator(".task button, .task form").count(), 0);
  await page.goto(`${gleaner.url}/app/settings/tokens`);
  await sees(page, "Your token does not allow this.");
});

test("a revoked token ends its sessions", async (t) => {
  const gleaner = await dev(t);
  const token = await gleaner.mint("short-lived", ["tasks:read"]);
  const page = await signIn(await open(t), { url: gleaner.url, token });
  const { items } = await gleaner.get("/tokens");
  await gleaner.send("DELETE", `/tokens/${items.find((known) => known.name === "short-lived").token_id}`);
  await page.reload();
  await page.getByLabel("Token").waitFor();
});
