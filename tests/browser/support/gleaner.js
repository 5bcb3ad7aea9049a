// Gleaner as the tests run it: `gleaner dev`, or its processes one by one.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { firstLine, folder, freePort, listening, start, until } from "./process.js";

/** The project's own folder. */
export const ROOT = resolve(import.meta.dirname, "../../..");

const openapi = JSON.parse(readFileSync(join(ROOT, "api/openapi.json"), "utf8"));

/** The binary: as named by the runner, else built here. */
function binary() {
  if (!process.env.GLEANER_BIN) {
    execFileSync("cargo", ["build", "--quiet", "--package", "gleaner"], { cwd: ROOT, stdio: "inherit" });
    process.env.GLEANER_BIN = join(ROOT, process.env.CARGO_TARGET_DIR ?? "target", "debug/gleaner");
  }
  return process.env.GLEANER_BIN;
}

/** What a test asks of the API with a token, as any client would. */
export class Api {
  constructor(url, token) {
    Object.assign(this, { url, token });
  }

  /** Sends a request; the answer's JSON, or null where there is none. */
  async send(method, path, body, headers = {}) {
    const answer = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${this.token}`, ...(body && { "content-type": "application/json" }), ...headers },
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text ? JSON.parse(text) : null;
  }

  get = (path) => this.send("GET", path);

  /** Submits an item and waits until its job has ended. */
  async ingest(item) {
    const { job_id: id } = await this.send("POST", "/ingest/items", { source_type: "meeting", ...item });
    return until("the job to end", async () => {
      const job = await this.send("GET", `/ingest/jobs/${id}`, undefined, { prefer: "wait=10" });
      return ["succeeded", "failed"].includes(job.status) && job;
    });
  }

  /** A token with these scopes. */
  async mint(name, scopes, more = {}) {
    return (await this.send("POST", "/tokens", { name, scopes, ...more })).token;
  }
}

/** `gleaner dev` for Dana Reyes, with nothing in it. */
export async function dev(t, { args = [], environment = {} } = {}) {
  const data = await folder(t);
  const fixed = ["dev", "--json", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data-dir", data, "--me", "Dana Reyes", "--log", "off"];
  const process = start(t, binary(), [...fixed, ...args], environment);
  const { url, token } = JSON.parse(await firstLine(process));
  return Object.assign(new Api(url, token), { process });
}

/** A redis-server of the test's own; its address. */
export async function redis(t) {
  const port = await freePort();
  start(t, "redis-server", ["--bind", "127.0.0.1", "--port", `${port}`, "--save", "", "--dir", await folder(t)]);
  await listening(port);
  return `redis://127.0.0.1:${port}`;
}

/** One process of Gleaner on a store. */
export function part(t, name, store, args = [], environment = {}) {
  const fixed = [name, "--redis-url", store, "--admin-listen", "127.0.0.1:0", "--log", "off"];
  return start(t, binary(), [...fixed, ...args], environment);
}

/** An API process on a store; its address. */
export async function api(t, store, args = [], environment = {}) {
  const port = await freePort();
  part(t, "api", store, ["--listen", `127.0.0.1:${port}`, ...args], environment);
  await listening(port);
  return `http://127.0.0.1:${port}`;
}

/** The first token of a store, with every scope, as an admin makes it. */
export function firstToken(store, me = "Dana Reyes") {
  const scopes = openapi.components.schemas.Scope.oneOf.map((scope) => scope.const);
  const args = ["--json", "token", "create", "first", "--store", "--redis-url", store, "--subject-name", me];
  const made = execFileSync(binary(), [...args, ...scopes.flatMap((scope) => ["--scope", scope])], { encoding: "utf8" });
  return JSON.parse(made).token;
}
