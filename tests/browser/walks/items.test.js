// Items and jobs: what was submitted and what became of it; try again what failed; erase.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { open, sees, signIn } from "../support/browser.js";
import { Api, api, dev, firstToken, part, redis } from "../support/gleaner.js";
import { weekly } from "../support/meeting.js";
import { afterwards, until } from "../support/process.js";

test("an item is listed with its state and tasks, and erased after a second thought", async (t) => {
  const gleaner = await dev(t);
  await gleaner.ingest(weekly);
  await gleaner.ingest({ external_id: "other", transcript: "Dana: I'll call the caterer tomorrow." });
  const page = await signIn(await open(t), gleaner, "/app/items");
  const row = page.locator("tr", { hasText: "weekly" });
  await row.getByText("done", { exact: true }).waitFor();
  await row.getByRole("link", { name: "3 tasks" }).waitFor();

  await row.getByText("Erase", { exact: true }).click();
  await page.keyboard.press("Escape");
  await row.getByRole("button", { name: "Erase for good" }).waitFor({ state: "hidden" });
  assert.equal((await gleaner.get("/tasks")).items.length, 4);

  await row.getByText("Erase", { exact: true }).click();
  await row.getByRole("button", { name: "Erase for good" }).click();
  await sees(page, "Erased: weekly");
  await until("the tasks to go", async () => (await gleaner.get("/tasks")).items.length === 1);
  await page.goto(gleaner.url);
  await sees(page, /caterer/i);
});

test("a job that failed says why, and is tried again", async (t) => {
  const store = await redis(t);
  const gleaner = new Api(await api(t, store), firstToken(store));

  // A worker that hangs in its model, and is lost with the item in its hands.
  const model = createServer(() => {}).listen(0, "127.0.0.1");
  await once(model, "listening");
  afterwards(t, () => (model.closeAllConnections(), model.close()));
  const lost = part(t, "worker", store, ["--extractor", "llm", "--llm-url", `http://127.0.0.1:${model.address().port}/v1`, "--llm-model", "none", "--takeover-s", "2"]);
  const reached = once(model, "request");
  await gleaner.send("POST", "/ingest/items", { source_type: "meeting", ...weekly });
  await reached;
  await lost.end("SIGKILL");
  part(t, "worker", store, ["--max-deliveries", "1", "--takeover-s", "2"]);
  await until("the job to fail", async () => (await gleaner.get("/ingest/jobs?status=failed")).items.length === 1);

  const page = await signIn(await open(t), gleaner, "/app/items?status=failed");
  await sees(page, "failed");
  assert.match(await page.locator("td .late").innerText(), /\w+ \w+/);
  await page.getByRole("button", { name: /^Try .* again/ }).click();
  await sees(page, "It is tried again.");
  await until("the job to succeed", async () => (await gleaner.get("/ingest/jobs?status=succeeded")).items.length === 1);
  await page.goto(gleaner.url);
  await sees(page, /workshop room/i);
});
