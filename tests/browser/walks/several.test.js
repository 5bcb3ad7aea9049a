// Tasks seen by person and by week, and several of them settled in one step, which one step takes back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, sees, seesNo, signIn, staysInPlace, task } from "../support/browser.js";
import { dev } from "../support/gleaner.js";
import { weekly } from "../support/meeting.js";

/** Gleaner with the meeting in it, and somebody who is signed in. */
async function begun(t, options) {
  const gleaner = await dev(t);
  await gleaner.ingest(weekly);
  return { gleaner, page: await signIn(await open(t, options), gleaner) };
}

const bar = (page) => page.getByRole("form", { name: "Selected tasks" });
const pick = (page, title) => page.getByRole("checkbox", { name: title });
const count = async (gleaner) => (await gleaner.get("/tasks")).items.length;

test("who owes what is found by person, and settled there", async (t) => {
  const { page } = await begun(t);
  await page.getByRole("link", { name: "People" }).click();
  const rows = page.locator("tbody tr");
  assert.deepEqual(await rows.locator("th").allInnerTexts(), ["You", "Tomas Lindqvist"]);
  await page.getByRole("link", { name: "Tomas Lindqvist" }).click();
  await page.getByRole("heading", { name: "You wait for" }).waitFor();
  const row = task(page, /load test numbers/i);
  await row.getByRole("button", { name: /^Complete/ }).click();
  await sees(page, "Nothing is open.");
  await page.getByRole("button", { name: "Undo" }).click();
  await row.waitFor();
});

test("the week is told by its parts, on a phone too", async (t) => {
  const { gleaner, page } = await begun(t, { phone: true });
  await page.getByRole("link", { name: "Week" }).click();
  await page.getByRole("heading", { name: "Late" }).waitFor();
  assert.equal(await page.locator(".task").count(), 3);
  await staysInPlace(page, "the week");
  await page.getByRole("link", { name: "Waiting on others" }).click();
  await task(page, /workshop room/i).waitFor({ state: "detached" });
  const { items } = await gleaner.get("/tasks?waiting_on=true");
  await gleaner.send("PATCH", `/tasks/${items[0].id}`, { due: null });
  await page.getByRole("heading", { name: "Without a date" }).waitFor();
  await pick(page, /load test numbers/i).check();
  await sees(page, "1 selected");
  await staysInPlace(page, "the bar");
});

test("several tasks are completed at once, and one undo brings exactly those back", async (t) => {
  const { gleaner, page } = await begun(t);
  assert.equal(await bar(page).isVisible(), false);
  await pick(page, /workshop room/i).check();
  await pick(page, /statement of work/i).check();
  await sees(page, "2 selected");
  await bar(page).getByRole("button", { name: "Complete" }).click();
  await sees(page, "Completed: 2 tasks");
  await task(page, /workshop room/i).waitFor({ state: "detached" });
  assert.equal(await bar(page).isVisible(), false);
  assert.equal(await count(gleaner), 1);
  await page.getByRole("button", { name: "Undo" }).click();
  await task(page, /workshop room/i).waitFor();
  await sees(page, "Taken back: 2 tasks");
  assert.equal(await count(gleaner), 3);
});

test("all are selected with one button, dismissed, and reopened from their list", async (t) => {
  const { gleaner, page } = await begun(t);
  await pick(page, /workshop room/i).check();
  await page.getByRole("button", { name: "select all" }).click();
  await sees(page, "3 selected");
  await page.getByRole("button", { name: "select none" }).click();
  await seesNo(page, /selected/);
  await pick(page, /workshop room/i).check();
  await page.getByRole("button", { name: "select all" }).click();
  await bar(page).getByRole("button", { name: "Dismiss" }).click();
  await sees(page, "Nothing to do.");
  await page.getByRole("link", { name: "Dismissed" }).click();
  await pick(page, /workshop room/i).check();
  await bar(page).getByRole("button", { name: "Reopen" }).click();
  await sees(page, /^Reopened: .*workshop room/i);
  assert.equal(await count(gleaner), 1);
});

test("what was selected stays so while one task is settled and news come in, and what fails is told by name", async (t) => {
  const { gleaner, page } = await begun(t);
  await pick(page, /statement of work/i).check();
  await pick(page, /load test numbers/i).check();
  await task(page, /workshop room/i).getByRole("button", { name: /^Good/ }).click();
  await task(page, /workshop room/i).locator("[aria-pressed=true]").waitFor();
  await sees(page, "2 selected");
  const { items } = await gleaner.get("/tasks?waiting_on=true");
  await gleaner.ingest({ external_id: "weekly", transcript: "Dana Reyes: I'll send the revised statement of work to Northwind by Friday.", occurred_at: weekly.occurred_at });
  await gleaner.get(`/tasks/${items[0].id}`).then(() => assert.fail("it is still there"), () => {});
  await bar(page).getByRole("button", { name: "Complete" }).click();
  await page.getByRole("heading", { name: "Completed: 1 of 2 tasks" }).waitFor();
  await sees(page, /load test numbers/i);
  await sees(page, "There is no such task any more.");
  await page.getByRole("button", { name: "Undo" }).click();
  await task(page, /statement of work/i).waitFor();
});

test("tasks are selected and settled by keyboard alone", async (t) => {
  const { page } = await begun(t);
  const { keyboard } = page;
  const at = page.locator(".task[data-at]");
  await keyboard.press("j");
  await at.waitFor();
  await keyboard.press("s");
  await sees(page, "1 selected");
  await keyboard.press("j");
  await keyboard.press("s");
  await sees(page, "2 selected");
  // Enter on a box presses no button.
  await page.locator(".pick:checked").first().focus();
  await keyboard.press("Enter");
  await sees(page, "2 selected");
  // Focused and pressed in one: news that come in between draw the bar anew.
  await bar(page).getByRole("button", { name: "Complete" }).press("Enter");
  await sees(page, "Completed: 2 tasks");
  await at.waitFor();
  await keyboard.press("u");
  await sees(page, "Taken back: 2 tasks");
  assert.equal(await page.locator(".task").count(), 3);
});
