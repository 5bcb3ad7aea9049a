// The list of tasks: search as you type, longer lists, reasons at hand, and the keyboard for all of it.
import { fetched, swap } from "./app.js";

/** Pause after a key before a search begins, in milliseconds. */
const PAUSE = 180;
/** Fewest characters that are searched for. */
const SHORTEST = 3;

const rows = () => [...document.querySelectorAll(".task")];
const typing = (element) => element.closest("input:not([type=checkbox]), textarea, select");

/* Search and filters. */
let pause;
let asked = 0;
function look(form) {
  const text = form.elements.q.value.trim();
  if (text.length > 0 && [...text].length < SHORTEST) return;
  const filled = [...new FormData(form)].filter(([name, value]) => value && !(name === "view" && value === "open"));
  const query = new URLSearchParams(filled).toString();
  const address = form.getAttribute("action") + (query && `?${query}`);
  const turn = ++asked;
  // Only the latest words are looked for.
  swap(address, { address, wanted: () => turn === asked });
}
document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-live]");
  if (!form) return;
  clearTimeout(pause);
  pause = setTimeout(() => look(form), event.target.matches("select") ? 0 : PAUSE);
});
document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-live]")) return;
  event.preventDefault();
  clearTimeout(pause);
  look(event.target);
});

/* More of a long list, below what is there. */
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-more]");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  link.setAttribute("aria-disabled", "true");
  const page = await fetched(link.href).catch(() => null);
  const more = page?.getElementById("results");
  if (!more) return location.assign(link.href);
  const first = more.querySelector(".task");
  more.querySelector("#several")?.remove();
  document.getElementById("results").dataset.longer = "";
  link.closest("p").replaceWith(...more.childNodes);
  mark(first);
});

/* Why a task counts as one, when what was said is opened. */
document.addEventListener(
  "toggle",
  async (event) => {
    const place = event.target.open && event.target.querySelector("[data-why] a");
    if (!place) return;
    const page = await fetched(place.href).catch(() => null);
    const why = page?.getElementById("why");
    if (!why) return;
    why.removeAttribute("id");
    const slot = event.target.querySelector("[data-why]");
    slot.replaceChildren(why);
  },
  true,
);

/* Several at once: how many, and all of them. */
/** Most tasks of one step. */
const MOST = 200;
const picks = () => [...document.querySelectorAll(".pick")];
let chosen = 0;
function count() {
  const now = picks().filter((pick) => pick.checked).length;
  const bar = document.getElementById("several");
  if (bar) {
    bar.querySelector("[data-chosen]").textContent = `${now} selected`;
    bar.querySelector("[data-all]").hidden = false;
    bar.querySelector("[data-all]").textContent = now < Math.min(picks().length, MOST) ? "select all" : "select none";
  }
  // What was at hand is gone with the tasks that it was done to.
  if (chosen > 0 && now === 0 && document.activeElement === document.body) mark(rows()[0]);
  chosen = now;
}
document.addEventListener("change", (event) => event.target.matches(".pick") && count());
document.addEventListener("shown", count);
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-all]")) return;
  const all = chosen < Math.min(picks().length, MOST);
  picks().forEach((pick, at) => (pick.checked = all && at < MOST));
  count();
});

/* The keyboard. */
/** The task that is at hand; kept by its id, because news draw the list anew. */
let here;
function point(row) {
  rows().forEach((other) => delete other.dataset.at);
  row.dataset.at = "";
  here = row.id;
}
function mark(row) {
  if (!row) return false;
  point(row);
  const place = row.querySelector(".tick, summary");
  place?.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
  return true;
}
document.addEventListener("settled", ({ detail }) => detail.some((id) => mark(document.getElementById(id))));
document.addEventListener("focusin", (event) => {
  const row = event.target.closest(".task");
  if (row && !("at" in row.dataset)) point(row);
});
document.addEventListener("shown", () => {
  const row = rows().some((other) => "at" in other.dataset) ? null : document.getElementById(here);
  if (row) point(row);
});

const settle = (at, all) => all[at]?.querySelector(".tick")?.click();
const keys = {
  j: (at, all) => mark(all[at + 1] ?? all[at] ?? all[0]),
  k: (at, all) => mark(all[Math.max(at - 1, 0)]),
  c: settle,
  x: settle,
  s: (at, all) => all[at]?.querySelector(".pick")?.click(),
  o: (at, all) => all[at]?.querySelector("details.said > summary")?.click(),
  e: (at, all) => {
    const edit = all[at]?.querySelector("details.edit");
    edit?.setAttribute("open", "");
    edit?.querySelector("input:not([type=hidden])")?.focus();
  },
  "+": (at, all) => all[at]?.querySelector("[value=up]")?.click(),
  "-": (at, all) => all[at]?.querySelector("[value=down]")?.click(),
  u: () => document.querySelector(".toast button, .after button")?.click(),
  "/": () => document.querySelector("input[type=search]")?.focus(),
  "?": () => document.getElementById("keys")?.showModal(),
};
for (const tab of [0, 1, 2, 3]) keys[tab + 1] = () => document.querySelectorAll("#tabs a")[tab]?.click();

// Speech input may type letters that nobody meant as keys, so they can be turned off.
const OFF = "gleaner_keys_off";
const wanted = document.getElementById("keys-on");
if (wanted) {
  wanted.checked = localStorage.getItem(OFF) === null;
  wanted.addEventListener("change", () => (wanted.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "yes")));
}

document.addEventListener("keydown", (event) => {
  // Enter on a box presses the first button of its form, which does nothing.
  if (event.key === "Enter" && event.target.matches(".pick")) return event.preventDefault();
  if (event.key === "Escape" && event.target.closest("details.edit, [type=search]")) return leave(event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || document.querySelector("dialog[open]")) return;
  const act = keys[event.key];
  if (!act || (!wanted?.checked && event.key !== "?")) return;
  event.preventDefault();
  const all = rows();
  act(all.findIndex((row) => "at" in row.dataset), all);
});

/** From a field back to the list. */
function leave(field) {
  const edit = field.closest("details.edit");
  edit?.removeAttribute("open");
  field.blur();
  mark(field.closest(".task") ?? rows().find((row) => "at" in row.dataset));
}
document.addEventListener("click", (event) => event.target.closest("#keys-open") && document.getElementById("keys").showModal());
// A page that was left and come back to may have kept what was selected.
count();
