// Takes a picture of every page, in both themes and on a phone: node screenshots.js FOLDER. The two of docs/images are
// made with `--readme`, which takes just those, in the size that the README shows.
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { browser, open, signIn } from "./support/browser.js";
import { dev } from "./support/gleaner.js";
import { PAGES, fill, path } from "./support/pages.js";

const readme = process.argv.includes("--readme");
const folder = readme ? resolve(import.meta.dirname, "../../docs/images") : resolve(process.argv[2] ?? "screenshots");

/** One look at the app: a theme and a size. */
const LOOKS = [
  { name: "light", theme: "light" },
  { name: "dark", theme: "dark" },
  { name: "phone", theme: "light", phone: true },
  { name: "phone-dark", theme: "dark", phone: true },
];

async function take(page, name) {
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: !readme });
}

test("screenshots", async (t) => {
  await mkdir(folder, { recursive: true });
  const gleaner = await dev(t);
  const ids = await fill(gleaner);
  const on = await browser(t);
  if (readme) {
    for (const [name, theme, address] of [["tasks", "light", "/"], ["task", "dark", path(PAGES.task, ids)]]) {
      const page = await signIn(await open(t, { on, theme, viewport: { width: 1000, height: 640 } }), gleaner);
      await page.goto(gleaner.url + address);
      await take(page, name);
    }
    return;
  }
  for (const { name, ...look } of LOOKS) {
    const page = await open(t, { on, expected: [/status of 404/], ...look });
    await page.goto(gleaner.url);
    await take(page, `${name}-sign-in`);
    await signIn(page, gleaner);
    for (const [title, address] of Object.entries(PAGES)) {
      await page.goto(gleaner.url + path(address, ids));
      await take(page, `${name}-${title.replaceAll(" ", "-")}`);
    }
    await page.goto(gleaner.url);
    await page.locator("details.said > summary").first().click();
    await page.locator("details.edit > summary").nth(1).click();
    await take(page, `${name}-open`);
  }
});
