// Other people's programs against a real server: the official clients of the Model Context Protocol, a calendar library.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import ICAL from "ical.js";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as EarlierTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Gleaner } from "../dist/index.js";
import { Server } from "./server.mjs";

let server, gleaner;

before(async () => {
  server = await Server.start();
  gleaner = new Gleaner(server);
});

after(() => server?.stop());

const named = { name: "walker", version: "1" };

/** Each of the official clients, the revision that it comes to speak, and what is spoken of. */
const CLIENTS = [
  ["2026-07-28", "lease", Client, StreamableHTTPClientTransport, { versionNegotiation: { mode: "auto" } }],
  ["2025-11-25", "invoice", EarlierClient, EarlierTransport, {}],
];

for (const [revision, thing, Kind, Transport, options] of CLIENTS) {
  test(`the official client of revision ${revision} works`, async () => {
    const headers = { authorization: `Bearer ${server.token}` };
    const client = new Kind(named, options);
    const transport = new Transport(new URL(`${server.url}/mcp`), { requestInit: { headers } });
    await client.connect(transport);
    try {
      assert.equal(transport.protocolVersion ?? client.getNegotiatedProtocolVersion?.(), revision);
      const call = async (name, args) => {
        const { content, isError } = await client.callTool({ name, arguments: args });
        assert.ok(!isError, JSON.stringify(content));
        return JSON.parse(content[0].text);
      };
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name }) => name === "list_tasks") && tools.every(({ description }) => description));
      // Due on a day that every day's week holds: "by Friday" of a Friday is the next week's.
      const transcript = `Dana: I'll send the signed ${thing} to Marlow today.`;
      const item = { source_type: "call", external_id: revision, transcript };
      await gleaner.wait((await call("submit_item", item)).job_id);
      const [task] = (await call("list_tasks", { external_id: revision })).items;
      assert.match(task.title, RegExp(thing));
      assert.ok((await client.callTool({ name: "list_tasks", arguments: { colour: "red" } })).isError);
      const uri = `gleaner://tasks/${task.id}`;
      assert.ok((await client.listResources()).resources.some((resource) => resource.uri === uri));
      assert.match((await client.readResource({ uri })).contents[0].text, RegExp(thing));
      const [prompt] = (await client.listPrompts()).prompts;
      assert.match(JSON.stringify(await client.getPrompt({ name: prompt.name })), RegExp(thing));
      await call("complete_task", { task_id: task.id });
      assert.equal((await call("get_task", { task_id: task.id })).status, "completed");
    } finally {
      await client.close();
    }
  });
}

test("a feed is read by a calendar library", async () => {
  const transcript = "- [ ] Dana Reyes: Send Grüße; a, b and \\c to all who met in the big room behind the second hall (due 2026-03-06)\n";
  const note = { source_type: "note", external_id: "calendar", transcript, occurred_at: "2026-03-03T15:00:00Z" };
  const [task] = await gleaner.submitAndWait(note);
  const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
  const made = await (await fetch(`${server.url}/feeds`, { method: "POST", headers, body: '{"name":"phone"}' })).json();
  const read = async (query, kind) => {
    const text = await (await fetch(`${server.url}${made.url}&source_type=note${query}`)).text();
    const entries = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents(kind);
    return entries.find((entry) => entry.getFirstPropertyValue("uid") === task.id);
  };
  const before = await read("", "vtodo");
  assert.equal(before.getFirstPropertyValue("summary"), task.title);
  assert.equal(before.getFirstPropertyValue("due").toString(), "2026-03-06");
  await gleaner.edit(task.id, { title: "Send nothing" });
  const changed = await read("", "vtodo");
  assert.ok(changed.getFirstPropertyValue("sequence") > before.getFirstPropertyValue("sequence"));
  const event = new ICAL.Event(await read("&as=events", "vevent"));
  assert.deepEqual([event.summary, event.startDate.toString(), event.endDate.toString()], ["Send nothing", "2026-03-06", "2026-03-07"]);
  assert.ok(event.startDate.isDate && event.duration.toSeconds() === 86_400);
});
