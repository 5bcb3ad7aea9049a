// Everything works without script: each action is a form, each view an address.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, sees, signIn, task } from "../support/browser.js";
import { dev } from "../support/gleaner.js";
import { MEETING, weekly } from "../support/meeting.js";

test("without script, content is added, and its tasks are searched, edited, completed and brought back", async (t) => {
  const gleaner = await dev(t);
  const page = await signIn(await open(t, { script: false }), gleaner, "/app/add");
  await page.getByLabel("Text").fill(MEETING);
  await page.getByRole("button", { name: "Find the tasks" }).click();
  await page.locator(".job").waitFor();
  while ((await page.getByRole("link", { name: "Look again" }).count()) > 0) await page.getByRole("link", { name: "Look again" }).click();
  await page.getByRole("link", { name: /workshop room/i }).waitFor();

  await page.goto(`${gleaner.url}/`);
  await page.getByRole("searchbox").fill("workshop");
  await page.getByRole("button", { name: "Search" }).click();
  const row = task(page, /workshop room/i);
  await row.waitFor();
  assert.equal(await page.locator(".task").count(), 1);
  await row.getByText("Edit").click();
  await row.getByLabel("Who").fill("Priya Raman");
  await row.getByRole("button", { name: "Save" }).click();
  await sees(page, "Priya Raman");
  await row.getByRole("button", { name: /^Complete/ }).click();
  await sees(page, "No such task.");
  await page.getByRole("button", { name: "Undo" }).click();
  await row.waitFor();
  await row.getByText("What was said").click();
  await row.getByRole("link", { name: "Why this is a task" }).click();
  await sees(page, "Why it was found");

  await page.goto(`${gleaner.url}/app/items`);
  await page.getByText("Erase", { exact: true }).click();
  await page.getByRole("button", { name: "Erase for good" }).click();
  await sees(page, /^Erased/);
  assert.equal((await gleaner.get("/tasks")).items.length, 0);
});

test("without script, people and week are looked at, and several tasks are settled at once and brought back", async (t) => {
  const gleaner = await dev(t);
  await gleaner.ingest(weekly);
  const page = await signIn(await open(t, { script: false }), gleaner);
  await page.getByRole("link", { name: "People" }).click();
  await page.getByRole("link", { name: "Tomas Lindqvist" }).click();
  await task(page, /load test numbers/i).waitFor();
  await page.getByRole("link", { name: "Week" }).click();
  await page.getByRole("heading", { name: "Late" }).waitFor();
  await page.getByRole("link", { name: "Mine" }).click();
  await task(page, /load test numbers/i).waitFor({ state: "detached" });
  await page.getByRole("checkbox", { name: /workshop room/i }).check();
  await page.getByRole("checkbox", { name: /statement of work/i }).check();
  await page.getByRole("checkbox", { name: /statement of work/i }).press("Enter");
  await sees(page, "Choose what to do with the selected tasks.");
  await page.getByRole("checkbox", { name: /workshop room/i }).check();
  await page.getByRole("checkbox", { name: /statement of work/i }).check();
  await page.getByRole("form", { name: "Selected tasks" }).getByRole("button", { name: "Complete" }).click();
  await sees(page, "Completed: 2 tasks");
  await sees(page, "Nothing to do.");
  await page.getByRole("button", { name: "Undo" }).click();
  await task(page, /workshop room/i).waitFor();
  assert.equal((await gleaner.get("/tasks")).items.length, 3);
});
