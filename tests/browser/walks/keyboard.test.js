// The main walk without a pointer: sign in, add a meeting, find its tasks, read, edit, rate, complete, take it back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, sees, task } from "../support/browser.js";
import { dev } from "../support/gleaner.js";
import { tabTo } from "../support/hands.js";
import { MEETING } from "../support/meeting.js";

test("everything that matters is done by keyboard alone", async (t) => {
  const gleaner = await dev(t);
  const page = await open(t);
  const { keyboard } = page;
  await page.goto(gleaner.url);
  await tabTo(page, /^Token$/);
  await keyboard.insertText(gleaner.token);
  await keyboard.press("Enter");
  await sees(page, "Nothing to do.");

  await tabTo(page, /^Add$/);
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "Add content" }).waitFor();
  await tabTo(page, /^Text$/);
  await keyboard.insertText(MEETING);
  await tabTo(page, /^Find the tasks$/);
  await keyboard.press("Enter");
  await page.getByRole("link", { name: /workshop room/i }).waitFor();

  await tabTo(page, /^Tasks$/);
  await keyboard.press("Enter");
  const room = task(page, /workshop room/i);
  await room.waitFor();
  await keyboard.press("/");
  await keyboard.type("workshop");
  await task(page, /statement of work/i).waitFor({ state: "detached" });
  await keyboard.press("Escape");

  await keyboard.press("j");
  await page.locator(".task[data-at]").waitFor();
  await keyboard.press("o");
  await room.locator("blockquote").waitFor();
  await room.getByText("Why it was found").waitFor();
  await keyboard.press("e");
  await keyboard.press("Control+a");
  await keyboard.type("Book the workshop hall");
  await keyboard.press("Enter");
  const hall = task(page, "Book the workshop hall");
  await hall.waitFor();
  await keyboard.press("u");
  await room.waitFor();

  await keyboard.press("j");
  await keyboard.press("+");
  await room.locator("[aria-pressed=true]").waitFor();
  for (const key of ["x", "c"]) {
    await keyboard.press(key);
    await sees(page, "No such task.");
    await keyboard.press("u");
    await room.waitFor();
    await keyboard.press("j");
    await page.locator(".task[data-at]").waitFor();
  }
  await keyboard.press("?");
  await page.getByRole("heading", { name: "Keyboard" }).waitFor();
  await keyboard.press("Escape");
  await keyboard.press("2");
  await page.getByRole("heading", { name: "Tomas Lindqvist" }).waitFor({ state: "detached" });
  await page.waitForURL(/view=waiting/);
});

test("the keys can be turned off, as speech input wants it", async (t) => {
  const gleaner = await dev(t);
  await gleaner.ingest({ external_id: "m", transcript: MEETING });
  const page = await open(t);
  await page.goto(gleaner.url);
  await page.getByLabel("Token").fill(gleaner.token);
  await page.keyboard.press("Enter");
  await page.locator(".task").first().waitFor();
  await page.keyboard.press("?");
  await page.getByLabel("These keys work").uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  assert.equal(await page.locator(".task[data-at]").count(), 0);
});
