// Content that wants to be more than content: shown as text, and the layout holds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, open, sees, signIn, staysInPlace, task } from "../support/browser.js";
import { dev } from "../support/gleaner.js";

const MARKUP = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;
const LONG = "W".repeat(10_000);
const TURNED = "\u202Eevig lliw I\u202C \u2066left open";

/** Items whose text, title, speaker and name all try something. */
const HOSTILE = [
  { external_id: `${MARKUP.slice(0, 200)}`, title: `"><b onmouseover=alert(1)>bold`, transcript: `Dana Reyes: I'll send the report ${MARKUP} to Tomas by Friday.` },
  { external_id: "long", title: LONG.slice(0, 500), transcript: `Dana Reyes: I'll send the binder ${LONG} to Tomas by Friday.` },
  { external_id: `turned ${TURNED}`, title: TURNED, transcript: `${TURNED} Reyes: I'll send the invoice ${TURNED} to Tomas by Friday.` },
  { external_id: "javascript:alert(1)", title: "{{7*7}} ${7*7} &lt;b&gt;", transcript: "<b>Mallory</b>: I'll send the contract to Tomas by Friday." },
];

/** Nothing ran, nothing was made of the markup, and nothing sticks out. */
async function harmless(page, where) {
  assert.equal(await page.evaluate(() => window.hacked), undefined, where);
  assert.equal(await page.locator("main img, main script, main b").count(), 0, `${where}: no element came from content`);
  await staysInPlace(page, where);
}

test("hostile transcripts, titles and names are text, and leave the layout whole", async (t) => {
  const gleaner = await dev(t);
  for (const item of HOSTILE) assert.equal((await gleaner.ingest(item)).status, "succeeded", item.external_id);
  const { items } = await gleaner.get("/tasks");
  assert.ok(items.length >= 3, `the items hold tasks: ${items.length}`);
  for (const { id } of items.slice(0, 2)) await gleaner.send("PATCH", `/tasks/${id}`, { title: `${MARKUP} ${LONG.slice(0, 300)}`, owner: { name: `${MARKUP}${TURNED}`.slice(0, 190) } });
  await gleaner.mint(MARKUP.slice(0, 90), ["tasks:read"]);
  const on = await browser(t);
  for (const phone of [false, true]) {
    const page = await signIn(await open(t, { on, phone }), gleaner);
    for (const path of ["/", "/?view=waiting", "/app/items", "/app/settings/tokens", ...items.map(({ id }) => `/app/tasks/${id}`)]) {
      await page.goto(gleaner.url + path);
      await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
      await harmless(page, `${path}${phone ? " on a phone" : ""}`);
    }
  }
});

test("hostile words in the address, and in what was just done, are text too", async (t) => {
  const gleaner = await dev(t);
  await gleaner.ingest({ external_id: "m", transcript: "Dana Reyes: I'll book the workshop room tomorrow." });
  const page = await signIn(await open(t), gleaner);
  await page.goto(`${gleaner.url}/?q=${encodeURIComponent(MARKUP.slice(0, 150))}&external_id=${encodeURIComponent(MARKUP)}&owner=${encodeURIComponent(MARKUP)}`);
  await harmless(page, "the address");
  await page.goto(gleaner.url);
  const row = task(page, /workshop/i);
  await row.getByText("Edit").click();
  await row.getByLabel("Title").fill(`${MARKUP} ${TURNED}`);
  await row.getByRole("button", { name: "Save" }).click();
  await sees(page, /Changed: <img/);
  await harmless(page, "what was done");
});

test("hostile files are items under their own names", async (t) => {
  const gleaner = await dev(t);
  const page = await signIn(await open(t), gleaner, "/app/add");
  const file = (name, text) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  const names = ["<img src=x onerror=hacked=1>.txt", `${"w".repeat(180)}.txt`, "\u202Etxt.exe", "..%2f..%2fetc%2fpasswd.txt"];
  await page.getByLabel("Files").setInputFiles(names.map((name, at) => file(name, `Dana Reyes: I'll send report number ${at} to Tomas by Friday.`)));
  await page.locator("fieldset.file").nth(names.length - 1).waitFor();
  await harmless(page, "the chosen files");
  await page.getByRole("button", { name: "Find the tasks" }).click();
  await page.locator(".job").nth(names.length - 1).waitFor();
  await page.locator("[data-unfinished]").waitFor({ state: "detached" });
  assert.equal(await page.locator(".state.succeeded").count(), names.length);
  await harmless(page, "the progress");
});
