import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { Gleaner, GleanerError, InvalidWebhook, verifyWebhook } from "../dist/index.js";
import { Server } from "./server.mjs";

const TEXT = "Dana: I'll send the revised offer to Northwind by Friday.";
const HELD = "2026-03-03T15:00:00Z";
const weekly = { source_type: "meeting", external_id: "weekly", transcript: TEXT, occurred_at: HELD };

let server, gleaner;

before(async () => {
  server = await Server.start({ GLEANER_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8", GLEANER_WEBHOOK_ALLOW_HTTP: "true" });
  gleaner = new Gleaner(server);
});

after(() => server?.stop());

async function all(items) {
  const found = [];
  for await (const item of items) found.push(item);
  return found;
}

test("an item is submitted and its tasks come back", async () => {
  const [task, ...others] = await gleaner.submitAndWait(weekly);
  assert.deepEqual([task.title, task.due.date, others], ["Send the revised offer to Northwind", "2026-03-06", []]);
  assert.ok((await gleaner.explain(task.id)).reasons.length > 0);
});

test("the same submission is the same job", async () => {
  const options = { idempotencyKey: "once-only" };
  const item = { ...weekly, external_id: "twice" };
  const [first, second] = [await gleaner.submit(item, options), await gleaner.submit(item, options)];
  assert.equal(first.job_id, second.job_id);
  await assert.rejects(gleaner.submit({ ...item, transcript: "Else." }, options), { name: "GleanerError", status: 422 });
});

test("tasks are edited, rated and found", async () => {
  const item = { ...weekly, external_id: "vendor/1 ä", transcript: "Sam: I'll order the zinc brackets tomorrow." };
  const [task] = await gleaner.submitAndWait(item);
  assert.equal((await gleaner.edit(task.id, { title: "Order all brackets" })).title, "Order all brackets");
  assert.equal((await gleaner.rate(task.id, "up")).task_id, task.id);
  await gleaner.unrate(task.id);
  assert.deepEqual((await all(gleaner.tasks({ q: "zinc brackets" }))).map(({ id }) => id), [task.id]);
  assert.equal((await gleaner.complete(task.id)).status, "completed");
  const missed = { title: "Call Sam", quote: "order the zinc brackets", due: "2026-03-09" };
  assert.equal((await gleaner.missed("meeting", item.external_id, missed)).title, "Call Sam");
  await gleaner.eraseItem("meeting", item.external_id);
  await assert.rejects(gleaner.task(task.id), { status: 404, code: "not-found" });
});

test("lists go on past a page", async () => {
  const lines = Array.from({ length: 150 }, (_, number) => `- [ ] Check valve number ${number}`).join("\n");
  await gleaner.submitAndWait({ source_type: "note", external_id: "valves-1", transcript: lines });
  const gauges = lines.replaceAll("valve", "gauge");
  await gleaner.submitAndWait({ source_type: "note", external_id: "valves-2", transcript: gauges });
  assert.equal(new Set((await all(gleaner.tasks({ q: "check" }))).map(({ id }) => id)).size, 300);
});

test("a file goes as it is", async () => {
  const text = "WEBVTT\n\n00:01.000 --> 00:04.000\n<v Sam Lee>I'll update the runbook by Monday.\n";
  const members = { source_type: "meeting", external_id: "stand-up", occurred_at: HELD };
  const job = await gleaner.wait((await gleaner.submitFile(text, "text/vtt", members)).job_id);
  assert.equal(job.tasks_extracted, 1);
});

test("errors name the members at fault", async () => {
  const refused = await gleaner.submit({ source_type: "Meeting!", external_id: "x", transcript: " " }).catch((error) => error);
  assert.ok(refused instanceof GleanerError && refused.requestId);
  assert.deepEqual(refused.errors.map(({ pointer }) => pointer).sort(), ["/source_type", "/transcript"]);
});

test("a limit is waited for", async () => {
  const limited = await Server.start({ GLEANER_RATE_LIMIT_PER_MINUTE: "60", GLEANER_RATE_LIMIT_BURST: "1" });
  const submit = (client, name) => client.submit({ ...weekly, external_id: name });
  try {
    const hasty = new Gleaner({ ...limited, retries: 0 });
    const flood = Promise.all(Array.from({ length: 5 }, (_, number) => submit(hasty, `hasty-${number}`)));
    await assert.rejects(flood, { status: 429 });
    const patient = new Gleaner(limited);
    for (let number = 0; number < 3; number += 1) assert.ok((await submit(patient, `patient-${number}`)).job_id);
  } finally {
    await limited.stop();
  }
});

test("events go on after a restart", async () => {
  const other = await Server.start();
  const client = new Gleaner(other);
  const submit = async (name) => (await client.submit({ ...weekly, external_id: name })).job_id;
  try {
    const jobs = [await submit("before")];
    const done = [];
    for await (const event of client.events({ lastEventId: "0" })) {
      if (event.type !== "job.succeeded") continue;
      done.push(event.data.job_id);
      if (done.length === 2) break;
      await other.stop();
      await other.start();
      jobs.push(await submit("after"));
    }
    assert.deepEqual(done, jobs);
  } finally {
    await other.stop();
  }
});

test("what a server sends is verified", async () => {
  const received = [];
  const receiver = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push({ body, headers: request.headers });
    response.writeHead(204).end();
    receiver.emit("received");
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const url = `http://127.0.0.1:${receiver.address().port}/hook`;
  try {
    const made = await gleaner.createWebhook({ url, events: ["task.created"], payload: "thin" });
    const arrival = once(receiver, "received");
    const plants = { ...weekly, external_id: "told", transcript: "Dana: I'll water the office plants tomorrow." };
    const [task] = await gleaner.submitAndWait(plants);
    await arrival;
    const [{ body, headers }] = received;
    assert.deepEqual((await verifyWebhook(body, headers, made.secret)).data, { id: task.id });
    await assert.rejects(verifyWebhook(`${body} `, headers, made.secret), InvalidWebhook);
    // The reference library as the receiver.
    assert.deepEqual(new Webhook(made.secret).verify(body, headers).data, { id: task.id });
    assert.throws(() => new Webhook(made.secret).verify(`${body} `, headers));
    assert.equal((await all(gleaner.deliveries(made.id))).length, 1);
    await gleaner.deleteWebhook(made.id);

    const signed = await gleaner.createWebhook({ url, events: ["task.created"], signature: "v1a" });
    assert.match(signed.secret, /^whpk_/);
    assert.equal(signed.secret, signed.public_key);
    const test = once(receiver, "received");
    await gleaner.testWebhook(signed.id);
    await test;
    const last = received.at(-1);
    assert.equal((await verifyWebhook(last.body, last.headers, signed.secret)).type, "webhook.test");
    await assert.rejects(verifyWebhook(`${last.body} `, last.headers, signed.secret), InvalidWebhook);
    await gleaner.deleteWebhook(signed.id);
  } finally {
    receiver.close();
  }
});

test("what the reference library signs is verified", async () => {
  const [secret, body, now] = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", '{"type":"task.created"}', new Date()];
  const headers = { "webhook-id": "evt_1", "webhook-timestamp": String(Math.floor(now.getTime() / 1000)) };
  headers["webhook-signature"] = `v1a,bm8= v1,bm8= ${new Webhook(secret).sign("evt_1", now, body)}`;
  assert.deepEqual(await verifyWebhook(body, headers, secret), { type: "task.created" });
  for (const missing of Object.keys(headers)) {
    await assert.rejects(verifyWebhook(body, { ...headers, [missing]: undefined }, secret), InvalidWebhook);
  }
  const old = { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) - 3600) };
  await assert.rejects(verifyWebhook(body, old, secret), /too old/);
});

test("the first lines of the README work", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const lines = /```js\n(.*?)```/s.exec(readme)[1];
  const code = lines
    .replace(/^import .*$/gm, "")
    .replace("http://127.0.0.1:8080", server.url)
    .replace("gln_…", server.token)
    .replace('"weekly.vtt"', JSON.stringify(new URL("../../../samples/weekly.vtt", import.meta.url).pathname));
  const printed = [];
  const run = Object.getPrototypeOf(async () => {}).constructor;
  await new run("Gleaner", "readFile", "console", code)(Gleaner, readFile, { log: (...words) => printed.push(words.join(" ")) });
  assert.match(printed.join("\n"), /Northwind/);
});
