// Settings, Webhooks: add one, see its secret once, send a test, see what was sent, send it again, delete it.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { test } from "node:test";
import { open, sees, signIn } from "../support/browser.js";
import { dev } from "../support/gleaner.js";
import { until } from "../support/process.js";

/** A receiver on this machine; what came to it. */
async function receiver(t) {
  const got = [];
  const server = createServer((request, response) => {
    got.push(request.headers["webhook-id"]);
    request.resume();
    response.end("thank you");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return { got, url: `http://127.0.0.1:${server.address().port}/hook` };
}

test("a webhook is added, tried, looked at and deleted, and its secret is shown just once", async (t) => {
  const { got, url } = await receiver(t);
  const gleaner = await dev(t, { args: ["--webhook-allow-cidrs", "127.0.0.0/8", "--webhook-allow-http"] });
  const page = await signIn(await open(t), gleaner, "/app/settings/webhooks");
  await page.getByLabel("URL").fill(url);
  await page.getByLabel("task.created").check();
  await page.getByRole("button", { name: "Add webhook" }).click();
  const secret = (await page.locator("#secret").innerText()).trim();
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  await page.goto(`${gleaner.url}/app/settings/webhooks`);
  assert.ok(!(await page.content()).includes(secret), "it is never shown again");

  const row = page.locator("tr", { hasText: url });
  await row.getByText("More").click();
  await row.getByRole("button", { name: "Send a test" }).click();
  await sees(page, "A test is on its way.");
  await until("the test to come", () => got.length === 1);
  await until("it to be listed", async () => {
    await page.reload();
    return (await page.getByText("delivered").count()) > 0;
  });
  await page.getByRole("button", { name: `Send again ${got[0]}` }).click();
  await until("it to come again", () => got.length === 2 && got[1] === got[0]);

  await page.goto(`${gleaner.url}/app/settings/webhooks`);
  await row.getByText("More").click();
  await row.getByRole("button", { name: "Delete for good" }).click();
  await sees(page, "Deleted.");
  await row.waitFor({ state: "detached" });
});

test("a webhook that may not be is refused in words", async (t) => {
  const gleaner = await dev(t);
  const page = await signIn(await open(t, { expected: [/status of 422/] }), gleaner, "/app/settings/webhooks");
  await page.getByLabel("URL").fill("https://169.254.169.254/latest");
  await page.getByRole("button", { name: "Add webhook" }).click();
  await page.getByRole("alert").waitFor();
  assert.equal(await page.locator("#secret").count(), 0);
});
