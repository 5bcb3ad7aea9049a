// Processes that a test starts, on free ports of this machine, and ends again.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Longest wait for anything, in milliseconds: only what hangs takes as long. */
export const TIMEOUT = Number(process.env.TEST_TIMEOUT_MS ?? 90_000);

const undone = new WeakMap();

/** Has something undone when the test ends, the last first. */
export function afterwards(t, undo) {
  if (!undone.has(t)) {
    const steps = [];
    undone.set(t, steps);
    t.after(async () => {
      const faults = [];
      // One that fails keeps no other from being undone: a process that is left would keep the suite from ending.
      for (const step of steps.reverse()) await Promise.resolve().then(step).catch((fault) => faults.push(fault));
      if (faults.length) throw faults[0];
    });
  }
  undone.get(t).push(undo);
}

/** A folder that is gone after the test. */
export async function folder(t) {
  const path = await mkdtemp(join(tmpdir(), "gleaner-browser-"));
  afterwards(t, () => rm(path, { recursive: true, force: true, maxRetries: 10 }));
  return path;
}

/** A port that nobody had a moment ago. */
export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** A program that runs until the test ends; settings of this machine do not reach it. */
export function start(t, program, args, environment = {}, stdin = "ignore") {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GLEANER_")));
  const child = spawn(program, args, { env: { ...clean, ...environment }, stdio: [stdin, "pipe", "pipe"] });
  const ended = once(child, "exit");
  let errors = "";
  child.stderr.on("data", (chunk) => (errors = (errors + chunk).slice(-4_000)));
  const lines = createInterface({ input: child.stdout });
  const end = async (signal = "SIGTERM") => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    // What reads is told that there is no more.
    if (child.stdin) child.stdin.end();
    else child.kill(signal);
    const killed = setTimeout(() => child.kill("SIGKILL"), 20_000);
    await ended;
    clearTimeout(killed);
  };
  afterwards(t, () => end());
  return { pid: child.pid, lines, end, ended, errors: () => errors };
}

/** The first line that a program writes. */
export async function firstLine({ lines, ended, errors }, timeout = TIMEOUT) {
  const line = once(lines, "line", { signal: AbortSignal.timeout(timeout) });
  const gone = ended.then(() => Promise.reject(new Error(`it ended: ${errors()}`)));
  const [text] = await Promise.race([line, gone]);
  return text;
}

/** Asks again until the answer is something, and hands it back. */
export async function until(what, ask, timeout = TIMEOUT) {
  const begun = Date.now();
  while (Date.now() - begun < timeout) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${what}: not within ${timeout / 1000} s`);
}

/** Resolves when somebody listens on the port. */
export const listening = (port) =>
  until(`a listener on port ${port}`, async () => {
    const socket = createConnection(port, "127.0.0.1");
    const open = await Promise.race([once(socket, "connect").then(() => true), once(socket, "error").then(() => false)]).catch(() => false);
    socket.destroy();
    return open;
  });
