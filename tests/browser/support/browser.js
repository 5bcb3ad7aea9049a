// A real Chromium, and pages that are watched: no error in the console, nothing asked of other servers, and a policy on
// every document that allows no script or style but files of this server.
import assert from "node:assert/strict";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";
import { TIMEOUT, afterwards } from "./process.js";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** The browser that is installed, or a word on how to install it. */
function installed() {
  const paths = process.env.CHROMIUM ? [process.env.CHROMIUM] : process.env.PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const found = paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (!found) throw new Error("Chromium is missing: `apt-get install chromium`, or name the program in CHROMIUM");
  return found;
}

/** A browser of the test's own. */
export async function browser(t) {
  const launched = await chromium.launch({ executablePath: installed(), timeout: TIMEOUT });
  afterwards(t, () => launched.close());
  return launched;
}

/** A watched page in a context of its own; `expected` allows error messages that the walk is about. */
export async function open(t, { on, theme = "light", phone = false, script = true, expected = [], ...more } = {}) {
  const context = await (on ?? (await browser(t))).newContext({
    colorScheme: theme,
    javaScriptEnabled: script,
    locale: "en-GB",
    timezoneId: "UTC",
    viewport: phone ? { width: 390, height: 844 } : { width: 1200, height: 900 },
    ...more,
  });
  context.setDefaultTimeout(TIMEOUT);
  const page = await context.newPage();
  page.complaints = [];
  watch(page, expected);
  afterwards(t, () => {
    assert.deepEqual(page.complaints, [], "the browser has nothing to complain about");
  });
  return page;
}

function watch(page, expected) {
  const complain = (text) => expected.some((pattern) => pattern.test(text)) || page.complaints.push(text);
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complain(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complain(`script: ${error.message}`));
  page.on("request", (request) => {
    const home = page.home ?? new URL(request.url()).origin;
    page.home = home;
    if (!request.url().startsWith(home)) complain(`asks elsewhere: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.request().resourceType() !== "document" || response.status() === 303) return;
    const policy = response.headers()["content-security-policy"] ?? "";
    if (!policy.includes("default-src 'none'") || /unsafe|data:|\*/.test(policy)) complain(`policy of ${response.url()}: ${policy}`);
    if (!policy.includes("frame-ancestors 'none'")) complain(`may be framed: ${response.url()}`);
  });
}

/** Signs in with a token, and waits for the page that follows. */
export async function signIn(page, { url, token }, path = "/") {
  await page.goto(url + path);
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor();
  // Keys are heard once the scripts have run.
  await page.waitForLoadState("load");
  return page;
}

/** Waits until an element that is found by its text can be seen. */
export const sees = (page, text) => page.getByText(text).filter({ visible: true }).first().waitFor();

/** Waits until no element with the text is left. */
export const seesNo = (page, text) => page.getByText(text).filter({ visible: true }).first().waitFor({ state: "hidden" });

/** The task whose title matches. */
export const task = (page, title) => page.locator(".task").filter({ has: page.locator(".title", { hasText: title }) });

/** Whether the page is as wide as its window and no wider. */
export async function staysInPlace(page, where) {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(content <= window, `${where} is ${content} pixels wide in a window of ${window}`);
}
