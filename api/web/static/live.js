// News from the server: the page is drawn again, quietly, and never under somebody's hands.
import { swap } from "./app.js";

/** What may have changed a list. */
const KINDS = ["job.succeeded", "job.failed", "task.created", "task.updated", "task.completed", "task.dismissed"];
/** Pause in which more news may come, in milliseconds. */
const GATHER = 400;

const address = document.querySelector("[data-events]")?.dataset.events;
let source;
let due;

/** Whether somebody is at work in what would be replaced. */
const atWork = () => document.querySelector("details.edit[open], details.confirm[open], .pick:checked") !== null;

function redraw() {
  clearTimeout(due);
  due = setTimeout(() => {
    if (atWork()) return redraw();
    // A page that took the list's place is read first.
    if (!document.querySelector("[data-part]")) return;
    // Pages that were added below would be lost.
    const longer = document.querySelector("[data-longer]");
    if (longer) document.getElementById("news").hidden = false;
    else swap(location.href);
  }, GATHER);
}

// A browser opens few connections to one server: a page that nobody sees needs none.
function listen() {
  source?.close();
  source = undefined;
  delete document.body.dataset.listening;
  if (document.hidden || !address) return;
  source = new EventSource(address);
  source.addEventListener("open", () => {
    // What happened while nobody listened is not told again.
    if (document.body.dataset.missed) redraw();
    document.body.dataset.listening = "";
    document.body.dataset.missed = "yes";
  });
  source.addEventListener("error", () => delete document.body.dataset.listening);
  for (const kind of KINDS) source.addEventListener(kind, redraw);
}

document.addEventListener("visibilitychange", listen);
addEventListener("pagehide", () => source?.close());
listen();
