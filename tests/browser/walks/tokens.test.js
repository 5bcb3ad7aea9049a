// Settings, API tokens: create one, copy it, never see it again, revoke it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, sees, signIn } from "../support/browser.js";
import { Api, api, dev, firstToken, redis } from "../support/gleaner.js";
import { kubernetes } from "../support/kubernetes.js";
import { until } from "../support/process.js";

test("a token is made, copied, used and revoked, and shown just once", async (t) => {
  const gleaner = await dev(t);
  const page = await signIn(await open(t, { permissions: ["clipboard-read", "clipboard-write"] }), gleaner, "/app/settings/tokens");
  await page.getByLabel("Name").fill("meeting bot");
  await page.getByLabel("ingest:write").check();
  await page.getByLabel("tasks:read").check();
  await page.getByLabel("Expires").selectOption("30");
  await page.getByRole("button", { name: "Create token" }).click();
  const shown = (await page.locator("#token").innerText()).trim();
  assert.match(shown, /^gln_[0-9A-Za-z]{50}$/);
  await page.getByRole("button", { name: "Copy" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), shown);

  const bot = new Api(gleaner.url, shown);
  const { scopes, expires_at: expires } = await bot.get("/tokens/me");
  assert.deepEqual(scopes.toSorted(), ["ingest:write", "tasks:read"]);
  assert.ok(new Date(expires) > Date.now());

  await page.goto(`${gleaner.url}/app/settings/tokens`);
  const row = page.locator("tr", { hasText: "meeting bot" });
  await row.getByText("ingest:write").waitFor();
  assert.ok(!(await page.content()).includes(shown.slice(16)), "it is never shown again");
  await row.getByText("Revoke", { exact: true }).click();
  await row.getByRole("button", { name: "Revoke for good" }).click();
  await sees(page, "Revoked.");
  await row.waitFor({ state: "detached" });
  await until("the token to be refused", () => bot.get("/tokens/me").then(() => false, () => true));
});

test("a token without a scope is refused in words", async (t) => {
  const gleaner = await dev(t);
  const page = await signIn(await open(t, { expected: [/status of 422/] }), gleaner, "/app/settings/tokens");
  await page.getByLabel("Name").fill("nothing");
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByRole("alert").waitFor();
  assert.equal(await page.locator("#token").count(), 0);
});

test("in Kubernetes the page says which ApiToken it made, and revoking deletes it", async (t) => {
  const { settings, kubectl } = await kubernetes(t);
  const store = await redis(t);
  const gleaner = new Api(await api(t, store, ["--token-issuer", "kubernetes"], settings), firstToken(store));
  const page = await signIn(await open(t), gleaner, "/app/settings/tokens");
  await page.getByLabel("Name").fill("meeting bot");
  await page.getByLabel("tasks:read").check();
  await page.getByRole("button", { name: "Create token" }).click();
  const named = page.getByText(/Kubernetes knows it as the ApiToken/).locator("code");
  const name = await named.innerText();
  const { spec } = JSON.parse(await kubectl("get", "apitoken", name, "--namespace", "default", "--output", "json"));
  assert.match(spec.tokenHash, /^sha256:/);
  assert.deepEqual(spec.scopes, ["tasks:read"]);

  await page.goto(`${gleaner.url}/app/settings/tokens`);
  const row = page.locator("tr", { hasText: "meeting bot" });
  await row.getByText(name).waitFor();
  await row.getByText("Revoke", { exact: true }).click();
  await row.getByRole("button", { name: "Revoke for good" }).click();
  await row.waitFor({ state: "detached" });
  assert.ok(!(await kubectl("get", "apitokens", "--namespace", "default")).includes(name));
});
