// Every page of the app, with something on it.
import { MEETING } from "./meeting.js";

/** A mail thread and some notes, for lists that look like somebody's. */
const MAIL = `From: Priya Raman <priya@example.com>
To: Dana Reyes <dana@example.com>
Subject: Budget for the pilot

Dana, could you please send me the signed budget by Thursday? It is urgent.

I'll ask Legal about the liability clause tomorrow.
`;
const NOTES = `# Partner call
- Dana to draft the joint press release by next Friday
- [ ] Tomas: check the certificate of the staging server
- TODO: order the badges for the workshop
- [x] Priya shared the slides
`;

/** Where each page is found, once `fill` has run. */
export const PAGES = {
  tasks: "/",
  waiting: "/?view=waiting",
  completed: "/?view=completed",
  "nothing found": "/?q=xyzzy",
  people: "/app/people",
  person: "/app/people?who=Priya+Raman",
  week: "/app/week",
  task: (ids) => `/app/tasks/${ids.task}`,
  add: "/app/add",
  progress: (ids) => `/app/add?jobs=${ids.job}`,
  items: "/app/items",
  "no items": "/app/items?status=failed",
  tokens: "/app/settings/tokens",
  webhooks: "/app/settings/webhooks",
  deliveries: (ids) => `/app/settings/webhooks/${ids.webhook}/deliveries`,
  calendars: "/app/settings/calendars",
  learning: "/app/settings/learning",
  "not found": "/app/tasks/none",
  reference: "/docs",
};

/** Fills Gleaner with something for every page; the ids that the addresses need. */
export async function fill(gleaner) {
  const ago = (days) => new Date(Date.now() - days * 86_400_000).toISOString();
  const webhook = await gleaner.send("POST", "/webhooks", { url: "https://hooks.invalid/gleaner", description: "our tracker" });
  const job = await gleaner.ingest({ external_id: "weekly", title: "Weekly", occurred_at: ago(5), transcript: MEETING });
  await gleaner.ingest({ source_type: "email", external_id: "budget-thread", title: "Budget for the pilot", occurred_at: ago(1), transcript: MAIL });
  await gleaner.ingest({ source_type: "note", external_id: "partner-call.md", title: "Partner call", occurred_at: ago(0), transcript: NOTES });
  await gleaner.mint("ci bot", ["ingest:write"]);
  const { items } = await gleaner.get("/tasks");
  await gleaner.send("PATCH", `/tasks/${items.at(-1).id}`, { status: "completed" });
  await gleaner.send("POST", `/tasks/${items[0].id}/feedback`, { rating: "up" });
  return { job: job.job_id, task: items[0].id, webhook: webhook.id };
}

/** The address of a page. */
export const path = (page, ids) => (typeof page === "function" ? page(ids) : page);
