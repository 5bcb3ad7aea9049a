// Settings, Learning: what feedback has taught, one rating taken back, all of it forgotten.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, sees, seesNo, signIn, task } from "../support/browser.js";
import { dev } from "../support/gleaner.js";
import { until } from "../support/process.js";

/** As many rejections as suffice for what is like them to fall out. */
const REJECTED = 8;

/** Things unlike each other, so that each item speaks of a task of its own. */
const THINGS = ["sandwiches", "cake", "juice", "salad", "soup", "biscuits", "fruit", "pizza", "noodles"];

/** Small talk that is rejected, in a new item each time. */
const lunch = (at) => ({ external_id: `lunch-${at}`, transcript: `Dana Reyes: I'll bring ${THINGS[at - 1]} for lunch tomorrow.` });

test("ratings teach, what they taught is told and undone", async (t) => {
  const gleaner = await dev(t);
  for (let at = 1; at <= REJECTED; at++) await gleaner.ingest(lunch(at));
  const page = await signIn(await open(t), gleaner, "/app/settings/learning");
  await sees(page, "Nothing learnt yet.");
  for (const { id } of (await gleaner.get("/tasks")).items) await gleaner.send("POST", `/tasks/${id}/feedback`, { rating: "down", reason: "not_a_task" });
  await until("something to be learnt", async () => (await gleaner.get("/learning")).effects.length > 0);

  await page.reload();
  await page.getByRole("heading", { name: "What is found" }).waitFor();
  await sees(page, /fewer tasks/);
  await sees(page, /It rests on/);

  await gleaner.ingest(lunch(REJECTED + 1));
  await page.goto(`${gleaner.url}/app/items`);
  await sees(page, "1 left out, as feedback taught");

  await page.goto(`${gleaner.url}/app/settings/learning`);
  await page.getByText("Forget everything learnt").click();
  await page.getByRole("button", { name: "Forget it for good" }).click();
  await sees(page, /^Forgotten/);
  await sees(page, "Nothing learnt yet.");
});

test("a rating is taken back at once, or later on the task's page", async (t) => {
  const gleaner = await dev(t);
  await gleaner.ingest(lunch(1));
  const page = await signIn(await open(t), gleaner);
  const row = task(page, /sandwiches/i);
  await row.getByRole("button", { name: /^Wrong/ }).click();
  await row.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).click();
  await row.waitFor();
  const { items } = await gleaner.get("/tasks");
  assert.deepEqual(items[0].feedback, { up: 0, down: 0 });

  await row.getByRole("button", { name: /^Good/ }).click();
  await row.locator("[aria-pressed=true]").waitFor();
  await page.goto(`${gleaner.url}/app/tasks/${items[0].id}`);
  await sees(page, "What people said of it");
  await page.getByRole("button", { name: "Take my rating back" }).click();
  await seesNo(page, "What people said of it");
  assert.equal((await gleaner.get(`/tasks/${items[0].id}`)).feedback.up, 0);
});
