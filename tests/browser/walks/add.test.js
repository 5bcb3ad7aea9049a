// Add content: pasted or as files, guessed and corrected, followed to the tasks it holds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, sees, signIn } from "../support/browser.js";
import { dev } from "../support/gleaner.js";
import { MEETING } from "../support/meeting.js";

const file = (name, text) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

test("a pasted text is followed to the tasks that it holds", async (t) => {
  const gleaner = await dev(t);
  const page = await signIn(await open(t), gleaner, "/app/add");
  await page.getByLabel("Text").fill(MEETING);
  await page.waitForFunction(() => document.getElementById("source_type").value === "meeting");
  await page.getByLabel("When").fill("2026-03-03T15:00");
  await page.getByRole("button", { name: "Find the tasks" }).click();
  await page.getByRole("link", { name: /workshop room/i }).waitFor();
  await page.getByRole("link", { name: /\d tasks/ }).click();
  await sees(page, "late: 4 Mar").catch(() => sees(page, /^late: /));
  assert.equal(await page.locator(".task").count(), 3);
});

test("several files are dropped, each with a kind and a time that can be corrected", async (t) => {
  const gleaner = await dev(t);
  const page = await signIn(await open(t), gleaner, "/app/add");
  const files = [
    ["2026-03-03 weekly.vtt", MEETING],
    ["mail.txt", "From: Priya\nSubject: Budget\nDate: Tue, 3 Mar 2026 09:15:00 +0000\n\nDana, please send me the signed budget by Friday."],
  ];
  const dropped = await page.evaluateHandle((files) => {
    const data = new DataTransfer();
    for (const [name, text] of files) data.items.add(new File([text], name));
    return data;
  }, files);
  await page.dispatchEvent(".drop", "drop", { dataTransfer: dropped });
  const rows = page.locator("fieldset.file");
  await rows.nth(1).waitFor();
  const values = (label) => rows.getByLabel(label).evaluateAll((fields) => fields.map((field) => field.value));
  assert.deepEqual(await values("Kind"), ["meeting", "email"]);
  assert.deepEqual(await values("When"), ["2026-03-03T12:00", "2026-03-03T09:15"]);
  await rows.nth(0).getByLabel("Kind").selectOption("call");
  await rows.nth(0).getByLabel("Title").fill("Weekly call");
  await page.getByRole("button", { name: "Find the tasks" }).click();
  await page.locator(".state.succeeded").nth(1).waitFor();
  const { items } = await gleaner.get("/ingest/jobs");
  assert.deepEqual(items.map((job) => `${job.source_type} ${job.external_id}`).sort(), ["call web:2026-03-03 weekly.vtt", "email web:mail.txt"]);
  const { items: tasks } = await gleaner.get("/tasks?source_type=call");
  assert.equal(tasks[0].source.title, "Weekly call");
});

test("what cannot be added is told in words, and the rest is added all the same", async (t) => {
  const gleaner = await dev(t);
  const page = await signIn(await open(t, { expected: [/status of 422/] }), gleaner, "/app/add");
  await page.getByRole("button", { name: "Find the tasks" }).click();
  await sees(page, "Paste a text or choose a file.");
  await page.getByLabel("Files").setInputFiles([
    { name: "plan.docx", mimeType: "application/octet-stream", buffer: Buffer.from([0x50, 0x4b, 0xff, 0xfe, 0]) },
    file("empty.txt", "  \n"),
    file("good.txt", "Dana Reyes: I'll book the workshop room tomorrow."),
  ]);
  await page.locator("fieldset.file").nth(2).waitFor();
  await page.getByRole("button", { name: "Find the tasks" }).click();
  await sees(page, "Save it as plain text");
  await page.getByRole("alert").filter({ hasText: "empty.txt" }).waitFor();
  await page.getByRole("link", { name: /workshop room/i }).waitFor();
});

test("the same file again is the same item", async (t) => {
  const gleaner = await dev(t);
  const page = await signIn(await open(t), gleaner, "/app/add");
  for (let round = 0; round < 2; round++) {
    await page.goto(`${gleaner.url}/app/add`);
    await page.getByLabel("Files").setInputFiles([file("weekly.vtt", MEETING)]);
    await page.locator("fieldset.file").waitFor();
    await page.getByRole("button", { name: "Find the tasks" }).click();
    await page.getByRole("link", { name: /workshop room/i }).waitFor();
  }
  const { items } = await gleaner.get("/tasks");
  assert.equal(items.length, 3);
});
