// Settings, Webhooks: add one, see its secret once, send a test, see what was sent, send it again, all of it too, delete it.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { test } from "node:test";
import { faults } from "../support/axe.js";
import { open, sees, signIn } from "../support/browser.js";
import { dev } from "../support/gleaner.js";
import { WAYS } from "../support/hands.js";
import { weekly } from "../support/meeting.js";
import { until } from "../support/process.js";

/** A receiver on this machine; the ids of what came to it, tests apart. */
async function receiver(t) {
  const [tests, events] = [[], []];
  const server = createServer(async (request, response) => {
    const parts = await request.toArray();
    const { type } = JSON.parse(Buffer.concat(parts).toString());
    (type === "webhook.test" ? tests : events).push(request.headers["webhook-id"]);
    response.end("thank you");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return { tests, events, url: `http://127.0.0.1:${server.address().port}/hook` };
}

for (const [way, settings, hand] of WAYS) {
  test(`${way} a webhook is added, tried, sent everything again and deleted, and its secret is shown just once`, async (t) => {
    const { tests, events, url } = await receiver(t);
    const gleaner = await dev(t, { args: ["--webhook-allow-cidrs", "127.0.0.0/8", "--webhook-allow-http"] });
    const page = await signIn(await open(t, settings), gleaner, "/app/settings/webhooks");
    const use = hand(page);
    const looksGood = async () => settings.script === false || assert.deepEqual(await faults(page), []);
    await use.fill(/^URL$/, url);
    await use.check(/^task\.created$/);
    await use.press(/^Add webhook$/);
    const secret = (await page.locator("#secret").innerText()).trim();
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    await looksGood();
    await use.press(/^Webhooks$/);
    await page.locator("#secret").waitFor({ state: "detached" });
    assert.ok(!(await page.content()).includes(secret), "it is never shown again");

    await gleaner.ingest(weekly);
    const { items } = await gleaner.get("/tasks");
    await until("each task to be told", () => new Set(events).size === items.length);
    await use.press(/^More/);
    await looksGood();
    await use.press(/^Send a test$/);
    await sees(page, "A test is on its way.");
    await until("the test to come", () => tests.length === 1);
    await until("all to be listed", async () => {
      await page.reload();
      return (await page.getByRole("cell", { name: /^delivered$/ }).count()) === items.length + 1;
    });
    await use.press(/^1 attempt$/);
    await sees(page, "thank you");
    await looksGood();
    await use.press(new RegExp(`^Send again ${tests[0]}$`));
    await sees(page, "It is on its way again.");
    await until("the test to come again", () => tests.length === 2 && tests[1] === tests[0]);

    const before = events.length;
    await use.choose(/^Send again what happened in$/, "the last day");
    await use.press(/^Send all again$/);
    await sees(page, "Everything since then is on its way again.");
    await until("each to come again", () => new Set(events.slice(before)).size === items.length);
    assert.deepEqual(new Set(events.slice(before)), new Set(events.slice(0, before)), "under the ids that they had");

    await use.press(/^All webhooks$/);
    await page.getByRole("heading", { name: "Add a webhook" }).waitFor();
    await use.press(/^More/);
    await use.press(/^Delete for good$/);
    await sees(page, "Deleted.");
    assert.deepEqual((await gleaner.get("/webhooks")).items, []);
  });
}

test("a webhook that may not be is refused in words", async (t) => {
  const gleaner = await dev(t);
  const page = await signIn(await open(t, { expected: [/status of 422/] }), gleaner, "/app/settings/webhooks");
  await page.getByLabel("URL").fill("https://169.254.169.254/latest");
  await page.getByRole("button", { name: "Add webhook" }).click();
  await page.getByRole("alert").waitFor();
  assert.equal(await page.locator("#secret").count(), 0);
});
