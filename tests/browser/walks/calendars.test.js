// Settings, Calendars: make an address, read tasks at it, never see it again, revoke it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { faults } from "../support/axe.js";
import { open, sees, signIn } from "../support/browser.js";
import { dev } from "../support/gleaner.js";
import { WAYS } from "../support/hands.js";
import { weekly } from "../support/meeting.js";
import { until } from "../support/process.js";

for (const [way, settings, hand] of WAYS) {
  test(`${way} a calendar's address is made, read, shown just once and revoked`, async (t) => {
    const gleaner = await dev(t);
    await gleaner.ingest(weekly);
    const { items } = await gleaner.get("/tasks");
    const page = await signIn(await open(t, settings), gleaner, "/app/settings/calendars");
    const use = hand(page);
    const looksGood = async () => settings.script === false || assert.deepEqual(await faults(page), []);
    await use.fill(/^Name$/, "my phone");
    await use.press(/^Make an address$/);
    const address = (await page.locator("#feed").innerText()).trim();
    await looksGood();
    const calendar = async (more = "") => (await fetch(new URL(address + more, gleaner.url))).text();
    const events = new URL(await page.getByRole("link", { name: /^All-day events/ }).getAttribute("href"), gleaner.url);
    assert.equal((await calendar()).match(/BEGIN:VTODO/g).length, items.length);
    assert.equal(events.href, new URL(`${address}&as=events`, gleaner.url).href);
    assert.equal((await calendar("&as=events")).match(/BEGIN:VEVENT/g).length, items.filter((task) => task.due).length);

    await use.press(/^Calendars$/);
    await page.locator("#feed").waitFor({ state: "detached" });
    assert.ok(!(await page.content()).includes(address.slice(-20)), "it is never shown again");
    await sees(page, "my phone");
    await use.press(/^Revoke/);
    await sees(page, /gets nothing any more/);
    await looksGood();
    await use.press(/^Revoke for good$/);
    await sees(page, /^Revoked/);
    await sees(page, "No calendar reads your tasks.");
    await until("the address to be refused", async () => (await fetch(new URL(address, gleaner.url))).status === 401);
  });
}
