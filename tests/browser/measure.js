// What the web app weighs and costs, with many tasks in the tenant: node measure.js [TASKS]. Prints bytes to first view, time
// to a usable list, and processor time of a page beside `GET /tasks` of the same tasks, in the same run.
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { execFileSync } from "node:child_process";
import { open, signIn } from "./support/browser.js";
import { Api, firstToken, part, redis } from "./support/gleaner.js";
import { freePort, listening, until } from "./support/process.js";

const TASKS = Number(process.argv[2] ?? 100_000);
/** Tasks of one item, and items that are under way at a time. */
const EACH = 50;
const AT_ONCE = 16;
/** Requests of each kind whose processor time is compared. */
const CALLS = 200;

const SYLLABLES = ["ka", "lo", "men", "nor", "pre", "qui", "sta", "ti", "ver", "zu"];
const VERBS = ["send", "review", "update", "prepare", "finish", "book", "order", "check"];
const word = (number) => [...String(number).padStart(6, "0")].map((digit) => SYLLABLES[digit]).join("");

/** A transcript of distinct promises that have no words in common: each is a task of its own, at no other's cost. */
const promise = (number) => `Dana Reyes: I'll ${VERBS[number % VERBS.length]} the ${word(number)} for ${word(999_999 - number)} by Friday.`;
const transcript = (item) => Array.from({ length: EACH }, (_, at) => promise(item * EACH + at)).join("\n");

async function fill(gleaner) {
  const items = Math.ceil(TASKS / EACH);
  let next = 0;
  const lane = async () => {
    for (let item = next++; item < items; item = next++) {
      await gleaner.send("POST", "/ingest/items", { source_type: "meeting", external_id: `m-${item}`, occurred_at: new Date(Date.now() - item * 60_000).toISOString(), transcript: transcript(item) });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/** Processor time that a process has used, in milliseconds. */
function busy(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  const hertz = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / hertz;
}

/** Median of some figures. */
const median = (figures) => figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)];

async function cost(pid, url, headers) {
  const before = busy(pid);
  const times = [];
  for (let call = 0; call < CALLS; call++) {
    const begun = performance.now();
    const answer = await fetch(url, { headers });
    if (answer.status !== 200) throw new Error(`${url}: ${answer.status}`);
    await answer.arrayBuffer();
    times.push(performance.now() - begun);
  }
  return { processor: ((busy(pid) - before) / CALLS).toFixed(2), median: median(times).toFixed(1) };
}

test("measure", { timeout: 3_600_000 }, async (t) => {
  const store = await redis(t);
  const gleaner = new Api(`http://127.0.0.1:${await freePort()}`, firstToken(store));
  const port = new URL(gleaner.url).port;
  const limits = { GLEANER_RATE_LIMIT_PER_MINUTE: "0", GLEANER_BACKLOG_CAP: "0", GLEANER_SESSION_KEY: "k".repeat(32) };
  const process = part(t, "api", store, ["--listen", `127.0.0.1:${port}`], limits);
  await listening(port);
  const worker = part(t, "worker", store);
  await fill(gleaner);
  await until("the last job", async () => (await gleaner.get("/ingest/jobs?status=accepted&limit=1")).items.length + (await gleaner.get("/ingest/jobs?status=running&limit=1")).items.length === 0, 3_000_000);
  await worker.end();

  const page = await signIn(await open(t), gleaner);
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const usable = [];
  let bytes = 0;
  for (let round = 0; round < 7; round++) {
    const client = await page.context().newCDPSession(page);
    await client.send("Network.setCacheDisabled", { cacheDisabled: true });
    await page.goto(gleaner.url, { waitUntil: "load" });
    const seen = await page.evaluate(() => {
      const [view] = performance.getEntriesByType("navigation");
      const all = [view, ...performance.getEntriesByType("resource").filter((entry) => !entry.name.endsWith("/events"))];
      return { usable: view.domContentLoadedEventEnd, bytes: all.reduce((sum, entry) => sum + entry.encodedBodySize, 0), tasks: document.querySelectorAll(".task").length };
    });
    usable.push(seen.usable);
    bytes = seen.bytes;
  }
  await page.goto("about:blank");
  const bearer = { authorization: `Bearer ${gleaner.token}` };
  console.log(`tasks in the tenant      ${TASKS}`);
  console.log(`bytes to first view      ${bytes} (page of 50 tasks, style, scripts, icon; compressed)`);
  console.log(`usable list              ${median(usable).toFixed(0)} ms after the address was entered (median of ${usable.length}, nothing cached)`);
  for (let round = 0; round < 2; round++) {
    const api = await cost(process.pid, `${gleaner.url}/tasks?sort=priority&limit=50`, bearer);
    const view = await cost(process.pid, gleaner.url, { cookie, "accept-encoding": "gzip" });
    console.log(`GET /tasks               ${api.processor} ms of processor, ${api.median} ms median`);
    console.log(`GET / (the page)         ${view.processor} ms of processor, ${view.median} ms median, ratio ${(view.processor / api.processor).toFixed(2)}`);
  }
});
