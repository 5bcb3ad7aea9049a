// The API reference: every operation is there, and what is copied from it works as it stands.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { open } from "../support/browser.js";
import { dev } from "../support/gleaner.js";
import { until } from "../support/process.js";

const run = promisify(execFile);

/** The operations that the OpenAPI document has. */
async function operations(url) {
  const { paths } = await (await fetch(`${url}/openapi.json`)).json();
  return Object.values(paths).flatMap((methods) => Object.values(methods).map((operation) => operation.operationId));
}

test("every operation is explained, found from the contents, and has an example to copy", async (t) => {
  const gleaner = await dev(t);
  const page = await open(t, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.goto(`${gleaner.url}/docs`);
  for (const id of await operations(gleaner.url)) {
    assert.equal(await page.locator(`section#${id} pre`).count(), 1, id);
    assert.equal(await page.locator(`.contents a[href="#${id}"]`).count(), 1, id);
    assert.ok(!(await page.locator(`section#${id} pre`).innerText()).includes("null"), `${id} has an example body`);
  }
  const section = page.locator("section#submitItem");
  await section.getByRole("button", { name: /Copy/ }).click();
  await section.getByText("Copied").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());

  // What was copied is pasted into a shell.
  const { stdout } = await run("bash", ["-c", `${copied} --silent --show-error --fail-with-body`], {
    env: { ...process.env, GLEANER_URL: gleaner.url, GLEANER_TOKEN: gleaner.token },
  });
  const { job_id: id } = JSON.parse(stdout);
  await until("the job to succeed", async () => (await gleaner.get(`/ingest/jobs/${id}`)).status === "succeeded");
  assert.ok((await gleaner.get("/tasks")).items.length > 0, "the example holds a task");
});

test("examples with a place to fill in work once it is filled in", async (t) => {
  const gleaner = await dev(t);
  await gleaner.ingest({ external_id: "m", transcript: "Dana Reyes: I'll book the workshop room tomorrow." });
  const { items } = await gleaner.get("/tasks");
  const page = await open(t);
  await page.goto(`${gleaner.url}/docs`);
  const environment = { ...process.env, GLEANER_URL: gleaner.url, GLEANER_TOKEN: gleaner.token, TASK_ID: items[0].id, SOURCE_TYPE: "meeting", EXTERNAL_ID: "m" };
  for (const id of ["getTask", "explainTask", "editTask", "rateTask", "createToken", "listTasks", "addMissedTask"]) {
    const example = await page.locator(`#${id}-example`).innerText();
    const { stdout } = await run("bash", ["-c", `${example} --silent --show-error --fail-with-body`], { env: environment }).catch((error) => assert.fail(`${id}: ${error.stdout} ${error.stderr}`));
    assert.ok(JSON.parse(stdout), id);
  }
});
