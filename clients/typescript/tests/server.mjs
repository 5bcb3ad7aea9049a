// A real server for the tests: `gleaner dev`, with a redis-server of its own.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A free port of this machine. */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

/** A server on a data directory of its own; it may be started again at the same address. */
export class Server {
  static async start(settings = {}) {
    const server = new Server();
    const folder = await mkdtemp(join(tmpdir(), "gleaner-client-"));
    server.command = ["dev", "--json", "--log", "off", "--me", "Dana Reyes", "--listen", `127.0.0.1:${await freePort()}`];
    server.command.push("--admin-listen", "127.0.0.1:0", "--data-dir", folder);
    server.settings = settings;
    await server.start();
    return server;
  }

  async start() {
    const binary = process.env.GLEANER_BINARY;
    if (!binary) throw new Error("GLEANER_BINARY names the binary under test; tests/clients/run.sh sets it");
    const env = { ...process.env, ...this.settings };
    this.process = spawn(binary, this.command, { env, stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await once(createInterface(this.process.stdout), "line");
    const { url, token } = JSON.parse(line);
    Object.assign(this, { url, token });
  }

  async stop() {
    this.process.kill("SIGINT");
    await once(this.process, "exit");
  }
}
