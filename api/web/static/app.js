// Makes the pages quicker for hands and eyes. Everything works without it: each action is a form, each view an address.
"use strict";

const view = () => document.getElementById("view");
const rows = () => [...document.querySelectorAll(".task")];
const typing = (element) => element.closest("input, textarea, select, [contenteditable]");

/** Fetches a page and puts its view in the place of ours. */
async function swap(request, { address, focus } = {}) {
  const answer = await fetch(request);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById("view");
  if (!fresh) return location.assign(address ?? location.href);
  const at = focus ?? document.activeElement?.id;
  const open = new Set([...document.querySelectorAll("details[open][id]")].map((details) => details.id));
  view().replaceWith(fresh);
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  const toast = page.querySelector(".toast");
  if (toast) {
    document.querySelector(".toast")?.remove();
    document.body.append(toast);
    fade(toast);
  }
  document.title = page.title;
  if (address) history.replaceState(null, "", address);
  if (at) document.getElementById(at)?.focus({ preventScroll: true });
}

function fade(toast) {
  setTimeout(() => toast.matches(":hover, :focus-within") || toast.remove(), 10_000);
}
document.querySelectorAll(".toast").forEach(fade);

/* Forms that change something: sent behind the scenes, the view redrawn in place. */
document.addEventListener("submit", (event) => {
  const form = event.target;
  const asks = form.dataset.confirm;
  if (asks && !confirm(asks)) return event.preventDefault();
  if (!form.matches("[data-swap]")) return;
  event.preventDefault();
  const row = form.closest(".task");
  const next = row && (row.nextElementSibling ?? row.previousElementSibling)?.id;
  const body = new URLSearchParams(new FormData(form, event.submitter));
  swap(new Request(form.action, { method: "POST", body })).then(() => row && (mark(document.getElementById(row.id)) || mark(document.getElementById(next))));
});

/* Search as you type, from three characters. */
let pause;
document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-live]");
  if (!form) return;
  clearTimeout(pause);
  const text = new FormData(form).get("q")?.trim() ?? "";
  if (text.length > 0 && [...text].length < 3) return;
  pause = setTimeout(() => {
    const address = `${form.action}?${new URLSearchParams([...new FormData(form)].filter(([, value]) => value))}`;
    swap(address, { address });
  }, 180);
});
document.addEventListener("change", (event) => {
  if (event.target.matches("form[data-live] select")) event.target.form.requestSubmit();
});

/* The keyboard. */
function mark(row) {
  if (!row) return false;
  rows().forEach((other) => delete other.dataset.at);
  row.dataset.at = "";
  row.querySelector(".tick")?.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
  return true;
}
const keys = {
  j: (at, all) => mark(all[at + 1] ?? all[at] ?? all[0]),
  k: (at, all) => mark(all[Math.max(at - 1, 0)]),
  x: (at, all) => all[at]?.querySelector(".tick")?.click(),
  o: (at, all) => all[at]?.querySelector("details.said > summary")?.click(),
  e: (at, all) => {
    const edit = all[at]?.querySelector("details.edit");
    edit?.setAttribute("open", "");
    edit?.querySelector("input")?.focus();
  },
  "+": (at, all) => all[at]?.querySelector("[value=up]")?.click(),
  "-": (at, all) => all[at]?.querySelector("[value=down]")?.click(),
  u: () => document.querySelector(".toast button")?.click(),
  "/": () => document.querySelector("input[type=search]")?.focus(),
  "?": () => document.getElementById("keys")?.showModal(),
};
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && typing(event.target)) return event.target.blur();
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  const all = rows();
  act(all.findIndex((row) => "at" in row.dataset), all);
});

/* News from the server: redraw quietly, unless somebody is typing in the view. */
const live = document.querySelector("[data-events]");
if (live && "EventSource" in window) {
  let due;
  const source = new EventSource(live.dataset.events);
  const redraw = () => {
    clearTimeout(due);
    due = setTimeout(() => (view()?.querySelector("details.edit[open]") || typing(document.activeElement) ? redraw() : swap(location.href)), 400);
  };
  for (const kind of ["job.succeeded", "job.failed", "task.created", "task.updated", "task.completed", "task.dismissed"]) {
    source.addEventListener(kind, redraw);
  }
  addEventListener("pagehide", () => source.close());
}

/* Files: dropped or chosen, each becomes a submission of its own. */
const drop = document.querySelector(".drop");
if (drop) {
  const input = drop.querySelector("input[type=file]");
  for (const kind of ["dragover", "dragleave", "drop"]) {
    drop.addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", kind === "dragover");
      if (kind === "drop") {
        input.files = event.dataTransfer.files;
        input.dispatchEvent(new Event("change", { bubbles: true }));
      }
    });
  }
  input.addEventListener("change", async () => {
    const area = document.getElementById("transcript");
    const [file] = input.files;
    if (input.files.length !== 1) return;
    area.value = await file.text();
    const kind = document.getElementById("source_type");
    const title = document.getElementById("title");
    if (!title.value) title.value = file.name.replace(/\.[^.]+$/, "");
    kind.value = /\.(vtt|srt)$/i.test(file.name) ? "meeting" : /\.eml$/i.test(file.name) ? "email" : /\.(md|markdown)$/i.test(file.name) ? "note" : kind.value;
  });
}

const offset = document.getElementById("offset");
if (offset) offset.value = -new Date().getTimezoneOffset();

/* Copy buttons. */
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent.trim());
  button.textContent = "Copied";
});
document.querySelectorAll("[data-copy]").forEach((button) => (button.hidden = !navigator.clipboard));

/* Times in the reader's own zone. */
for (const time of document.querySelectorAll("time[datetime*=T]")) {
  const date = new Date(time.dateTime);
  if (!Number.isNaN(date.valueOf())) time.title = date.toLocaleString();
}
