// See what was promised: find it, read what was said and why it counts, settle it, take a step back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, sees, seesNo, signIn, task } from "../support/browser.js";
import { dev } from "../support/gleaner.js";
import { weekly } from "../support/meeting.js";
import { until } from "../support/process.js";

/** Gleaner with the meeting in it, and somebody who is signed in. */
async function begun(t) {
  const gleaner = await dev(t);
  await gleaner.ingest(weekly);
  const page = await signIn(await open(t), gleaner);
  await task(page, /workshop room/i).waitFor();
  return { gleaner, page };
}

/** The one task that the API has under these words. */
async function record(gleaner, words, status = "open") {
  const { items } = await gleaner.get(`/tasks?status=${status}&q=${encodeURIComponent(words)}`);
  return items[0];
}

test("a search begins with the third character, and its filters stand in the address", async (t) => {
  const { page } = await begun(t);
  const search = page.getByRole("searchbox");
  await search.pressSequentially("wo");
  await search.pressSequentially("r");
  await page.waitForURL(/q=wor/);
  await search.pressSequentially("kshop");
  await page.waitForURL(/q=workshop/);
  await task(page, /statement of work/i).waitFor({ state: "detached" });
  await page.getByLabel("Order").selectOption("recent");
  await page.waitForURL(/sort=recent/);
  await page.reload();
  assert.equal(await search.inputValue(), "workshop");
  assert.equal(await page.getByLabel("Order").inputValue(), "recent");
  assert.equal(await page.locator(".task").count(), 1);
  await search.fill("xyzzy");
  await sees(page, "No such task.");
});

test("a late task says so in words and in colour", async (t) => {
  const { page } = await begun(t);
  const due = task(page, /workshop room/i).locator("time");
  assert.match(await due.innerText(), /^late: /);
  assert.equal(await due.getAttribute("datetime"), "2026-03-04");
  const colour = (element) => element.evaluate((node) => getComputedStyle(node).color);
  assert.notEqual(await colour(due), await colour(page.locator(".facts bdi").first()));
});

test("what was said, by whom and when, is one click away, and why it counts with it", async (t) => {
  const { page } = await begun(t);
  const row = task(page, /workshop room/i);
  await row.getByText("What was said").click();
  await row.locator("blockquote", { hasText: "book the workshop room tomorrow" }).waitFor();
  assert.match(await row.locator("blockquote footer").innerText(), /Dana Reyes · 0:24 · meeting weekly/);
  await row.getByText("Why it was found").waitFor();
});

test("what others owe is grouped by person", async (t) => {
  const { page } = await begun(t);
  await page.getByRole("link", { name: "Waiting on others" }).click();
  await page.getByRole("heading", { name: "Tomas Lindqvist" }).waitFor();
  await task(page, /load test numbers/i).waitFor();
  assert.equal(await page.locator(".task").count(), 1);
});

test("a completed task leaves the list, and comes back by undo and by reopening", async (t) => {
  const { gleaner, page } = await begun(t);
  const row = task(page, /workshop room/i);
  await row.getByRole("button", { name: /^Complete/ }).click();
  await row.waitFor({ state: "detached" });
  assert.equal((await record(gleaner, "workshop", "completed")).status, "completed");
  await page.getByRole("button", { name: "Undo" }).click();
  await row.waitFor();
  await row.getByRole("button", { name: /^Complete/ }).click();
  await row.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Completed" }).click();
  await row.getByRole("button", { name: /^Reopen/ }).click();
  await row.waitFor({ state: "detached" });
  assert.equal((await record(gleaner, "workshop")).status, "open");
});

test("title, owner and due day are edited in place, and undone", async (t) => {
  const { gleaner, page } = await begun(t);
  const row = task(page, /workshop room/i);
  await row.getByText("Edit").click();
  await row.getByLabel("Title").fill("Book the big hall");
  await row.getByLabel("Who").fill("Priya Raman");
  await row.getByLabel("Due").fill("2027-01-15");
  await row.getByRole("button", { name: "Save" }).click();
  const changed = task(page, "Book the big hall");
  await changed.getByText("Priya Raman").waitFor();
  const { owner, due } = await record(gleaner, "big hall");
  assert.deepEqual([owner.name, due.date], ["Priya Raman", "2027-01-15"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await row.waitFor();
  assert.equal((await record(gleaner, "workshop")).due.date, "2026-03-04");
});

test("thumbs rate a task, and a reason goes with the rating", async (t) => {
  const { gleaner, page } = await begun(t);
  const good = task(page, /workshop room/i);
  await good.getByRole("button", { name: /^Good/ }).click();
  await good.locator("[aria-pressed=true]").waitFor();
  assert.equal((await record(gleaner, "workshop")).feedback.up, 1);
  const wrong = task(page, /statement of work/i);
  await wrong.getByText("Edit").click();
  await wrong.getByLabel("Something is wrong with it").selectOption("wrong_due");
  await wrong.getByRole("button", { name: "Say so" }).click();
  await wrong.locator("[aria-pressed=true]").waitFor();
  await wrong.getByRole("button", { name: /^Wrong/ }).click();
  await wrong.waitFor({ state: "detached" });
  assert.equal((await record(gleaner, "statement", "dismissed")).feedback.down, 1);
});

test("what happens elsewhere turns up by itself", async (t) => {
  const { gleaner, page } = await begun(t);
  const listens = async () => (await page.evaluate(() => performance.getEntriesByType("resource").map((entry) => entry.name))).some((name) => name.endsWith("/app/events"));
  await until("the page to listen", async () => (await listens()) || page.locator("[data-listening]").count());
  await gleaner.ingest({ external_id: "call", transcript: "Dana: I'll call the caterer about the menu tomorrow." });
  await sees(page, /caterer/i);
  const { id } = await record(gleaner, "caterer");
  await gleaner.send("PATCH", `/tasks/${id}`, { status: "completed" });
  await seesNo(page, /caterer/i);
});
