// Every page in both themes: without a fault that axe-core can find, no wider than its window, also on a phone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { faults } from "../support/axe.js";
import { browser, open, signIn, staysInPlace } from "../support/browser.js";
import { dev } from "../support/gleaner.js";
import { PAGES, fill, path } from "../support/pages.js";

test("no page has a fault that axe-core finds, in either theme, on a screen and on a phone", async (t) => {
  const gleaner = await dev(t);
  const ids = await fill(gleaner);
  const on = await browser(t);
  const found = [];
  const check = async (page, where) => found.push(...(await faults(page)).map((fault) => `${where}: ${fault}`));
  for (const theme of ["light", "dark"]) {
    for (const phone of [false, true]) {
      const page = await open(t, { on, theme, phone, expected: [/status of 404/] });
      await page.goto(gleaner.url);
      await check(page, `sign in, ${theme}`);
      await signIn(page, gleaner);
      for (const [name, address] of Object.entries(PAGES)) {
        const where = `${name}, ${theme}${phone ? ", on a phone" : ""}`;
        await page.goto(gleaner.url + path(address, ids));
        await page.evaluate(() => document.querySelectorAll("details:not(.confirm)").forEach((details) => (details.open = true)));
        // What is out of sight is not laid out; here all of it is looked at.
        await page.evaluate(() => document.querySelectorAll(".task").forEach((task) => (task.style.contentVisibility = "visible")));
        // Reasons are fetched when their tasks are opened; until they are there the page still moves.
        await page.waitForFunction(() => !document.querySelector("[data-why] a"));
        await check(page, where);
        await staysInPlace(page, where);
      }
    }
  }
  assert.deepEqual(found, []);
});

test("the theme is the system's until somebody chooses, and then theirs on every page", async (t) => {
  const gleaner = await dev(t);
  const page = await open(t, { theme: "dark" });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await signIn(page, gleaner);
  const dark = await paper();
  await page.getByRole("button", { name: "Use the light theme" }).click();
  await page.getByRole("button", { name: "Use the dark theme" }).waitFor();
  const light = await paper();
  assert.notEqual(light, dark);
  for (const address of ["/app/add", "/docs"]) {
    await page.goto(gleaner.url + address);
    assert.equal(await paper(), light, address);
  }
});
