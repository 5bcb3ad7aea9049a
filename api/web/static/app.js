// What all pages share: forms that change something are sent behind the scenes, and the parts of the page that the answer
// has anew are put in place. Everything works without it: each action is a form, each view an address.

/** How long an answer may take, in milliseconds. */
const TIMEOUT = 20_000;

let line = Promise.resolve();

/** Sends requests one after the other, so that what is shown last is what was asked for last. */
export function swap(request, options = {}) {
  line = line.then(() => exchange(request, options)).catch(() => say("Gleaner cannot be reached. Check the connection and try again."));
  return line;
}

/** Fetches a page of this site, as a document. */
export async function fetched(request) {
  const answer = await fetch(request, { signal: AbortSignal.timeout(TIMEOUT) });
  if (answer.redirected && answer.url.includes("/app/sign-in")) {
    location.assign(answer.url);
    return null;
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  page.refused = !answer.ok;
  return page;
}

async function exchange(request, { address, close, wanted = () => true }) {
  if (!wanted()) return;
  const busy = setTimeout(() => document.body.classList.add("busy"), 250);
  try {
    const page = await fetched(request);
    const why = page?.refused && document.querySelector("[data-part]") && page.getElementById("detail");
    // What was typed stays where it is.
    if (why) say(why.textContent);
    else if (page && wanted()) {
      close?.removeAttribute("open");
      show(page, address);
    }
  } finally {
    clearTimeout(busy);
    document.body.classList.remove("busy");
  }
}

/** Puts the parts of a fetched page in the place of ours, and leaves open and focused what was. */
function show(page, address) {
  const names = [...document.querySelectorAll("[data-part]")].map((part) => part.id);
  const same = names.length > 0 && names.every((name) => page.getElementById(name));
  const open = [...document.querySelectorAll("details[open][id]:not(.confirm)")];
  const picked = [...document.querySelectorAll(".pick:checked")];
  const focus = document.activeElement?.id;
  for (const name of same ? names : ["view"]) document.getElementById(name).replaceWith(page.getElementById(name));
  for (const { id } of open) {
    const again = document.getElementById(id);
    const known = open.find((details) => details.id === id);
    again?.setAttribute("open", "");
    again?.querySelector("[data-why]")?.replaceWith(known.querySelector("[data-why]") ?? "");
  }
  for (const { id } of picked) document.getElementById(id)?.setAttribute("checked", "");
  document.title = page.title;
  if (address) history.replaceState(null, "", address);
  if (focus && document.activeElement?.id !== focus) document.getElementById(focus)?.focus({ preventScroll: true });
  const told = page.querySelector("#told > .toast");
  if (told) tell(told);
  // A page that took the list's place says itself what was done last.
  else if (!same) document.getElementById("told").replaceChildren();
  document.dispatchEvent(new CustomEvent("shown"));
}

/** Shows word of what was done, until it was read. */
function tell(toast) {
  document.getElementById("told").replaceChildren(toast);
  fade(toast);
}

function fade(toast) {
  setTimeout(() => (toast.matches(":hover, :focus-within") ? fade(toast) : toast.remove()), 12_000);
}

/** Says something that no page of the server said. */
export function say(text) {
  const toast = document.createElement("div");
  toast.className = "toast";
  toast.textContent = text;
  tell(toast);
}

document.querySelectorAll(".toast").forEach(fade);

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("[data-swap]")) return;
  event.preventDefault();
  const row = form.closest(".task");
  const next = row && (row.nextElementSibling ?? row.previousElementSibling)?.id;
  const body = new URLSearchParams(new FormData(form, event.submitter));
  await swap(new Request(form.getAttribute("action"), { method: "POST", body }), { close: form.closest("details.edit") });
  if (row) document.dispatchEvent(new CustomEvent("settled", { detail: [row.id, next] }));
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent.trim());
  button.textContent = "Copied";
});
// Browsers hand out the clipboard over https and on this machine alone.
document.querySelectorAll("[data-copy]").forEach((button) => (button.hidden = !navigator.clipboard));

document.addEventListener("keydown", (event) => {
  const open = event.key === "Escape" && event.target.closest("details.confirm[open]");
  if (!open) return;
  open.removeAttribute("open");
  open.querySelector("summary").focus();
});

/** Times in the reader's own zone, on pointing at them. */
function localTimes() {
  for (const time of document.querySelectorAll("time[datetime*=T]")) {
    const date = new Date(time.dateTime);
    if (!Number.isNaN(date.valueOf())) time.title = date.toLocaleString();
  }
}
localTimes();
document.addEventListener("shown", localTimes);
