// A proxy as stands before Gleaner in an installation: takes turns between processes, may add headers, may take a prefix off.
import { once } from "node:events";
import { createServer, request } from "node:http";
import { afterwards } from "./process.js";

/** Starts a proxy; its address, and how many requests each process got. */
export async function proxy(t, upstreams, { headers = {}, strip = "" } = {}) {
  const served = upstreams.map(() => 0);
  let turn = 0;
  const server = createServer((incoming, answer) => {
    const at = turn++ % upstreams.length;
    served[at]++;
    const path = strip && incoming.url.startsWith(strip) ? incoming.url.slice(strip.length) || "/" : incoming.url;
    // A connection for each request: the next one may go to another process.
    const options = { method: incoming.method, headers: { ...incoming.headers, ...headers, connection: "close" }, agent: false };
    const forwarded = request(upstreams[at] + path, options, (reply) => {
      answer.writeHead(reply.statusCode, reply.headers);
      reply.pipe(answer);
    });
    forwarded.on("error", () => answer.destroy());
    answer.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  afterwards(t, () => (server.closeAllConnections(), server.close()));
  return { url: `http://127.0.0.1:${server.address().port}`, served };
}
