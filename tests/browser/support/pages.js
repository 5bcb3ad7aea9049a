// Every page of the app, with something on it.
import { weekly } from "./meeting.js";

/** Where each page is found, once `fill` has run. */
export const PAGES = {
  tasks: "/",
  waiting: "/?view=waiting",
  completed: "/?view=completed",
  "nothing found": "/?q=xyzzy",
  task: (ids) => `/app/tasks/${ids.task}`,
  add: "/app/add",
  progress: (ids) => `/app/add?jobs=${ids.job}`,
  items: "/app/items",
  "no items": "/app/items?status=failed",
  tokens: "/app/settings/tokens",
  "not found": "/app/tasks/none",
  reference: "/docs",
};

/** Fills Gleaner with something for every page; the ids that the addresses need. */
export async function fill(gleaner) {
  const job = await gleaner.ingest(weekly);
  await gleaner.ingest({ source_type: "email", external_id: "mail", transcript: "From: Dana\nSubject: Budget\n\nPriya, could you send me the signed budget today? It is urgent.\n" });
  await gleaner.mint("ci bot", ["ingest:write"]);
  const { items } = await gleaner.get("/tasks");
  await gleaner.send("PATCH", `/tasks/${items.at(-1).id}`, { status: "completed" });
  await gleaner.send("POST", `/tasks/${items[0].id}/feedback`, { rating: "up" });
  return { job: job.job_id, task: items[0].id };
}

/** The address of a page. */
export const path = (page, ids) => (typeof page === "function" ? page(ids) : page);
