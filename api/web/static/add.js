// Adding content: what a text or file is, is guessed by the server and shown to be corrected; files may be dropped; the
// jobs that were begun are watched until they have ended.
import { swap } from "./app.js";

/** As much of a text as its kind can be told from. */
const HEAD = 4_000;
/** Pauses between two looks at unfinished jobs, in milliseconds: each longer than the one before. */
const FIRST_LOOK = 500;
const LAST_LOOK = 5_000;

const form = document.getElementById("add");
const files = document.getElementById("files");
const list = document.getElementById("chosen");
const offset = document.getElementById("offset");
if (offset) offset.value = -new Date().getTimezoneOffset();

/** What the server takes texts for. */
async function guesses(texts) {
  const answer = await fetch(form.dataset.guess, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(texts),
  });
  return answer.ok ? answer.json() : texts.map(() => ({}));
}

/** A moment as a field for date and time has it, in the reader's zone; a time without a zone is the reader's already. */
function local(time) {
  const date = new Date(time);
  if (Number.isNaN(date.valueOf())) return "";
  return new Date(date - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Fills a field that nobody has touched. */
function fill(field, value) {
  if (value && !field.dataset.touched) field.value = value;
}
form?.addEventListener("input", (event) => event.isTrusted && (event.target.dataset.touched = ""));

/* The pasted text. */
const text = document.getElementById("transcript");
let pause;
async function guess() {
  const [found] = await guesses([{ name: "", head: text.value.slice(0, HEAD) }]).catch(() => [{}]);
  fill(document.getElementById("source_type"), found.kind);
  fill(document.getElementById("occurred_at"), found.when && local(found.when));
}
text?.addEventListener("input", () => {
  clearTimeout(pause);
  pause = setTimeout(guess, 300);
});
// Who was quicker than this script, or came back to the page, has a text there already.
if (text?.value) guess();

/* Files, each with a row of its own. */
async function choose() {
  const chosen = [...files.files];
  const heads = await Promise.all(chosen.map((file) => file.slice(0, HEAD).text()));
  const found = await guesses(chosen.map((file, at) => ({ name: file.name, head: heads[at] }))).catch(() => chosen.map(() => ({})));
  list.replaceChildren(...chosen.map((file, at) => row(file, found[at] ?? {})));
}
function row(file, guess) {
  const copy = document.getElementById("file-row").content.cloneNode(true);
  const field = (name) => copy.querySelector(`[name=${name}]`);
  copy.querySelector("legend").textContent = file.name;
  field("file_title").value = guess.title ?? file.name;
  if (guess.kind) field("file_kind").value = guess.kind;
  field("file_when").value = local(guess.when ?? file.lastModified);
  return copy;
}
files?.addEventListener("change", choose);

const drop = document.querySelector(".drop");
for (const kind of ["dragover", "dragleave", "drop"]) {
  drop?.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", kind === "dragover");
    if (kind !== "drop") return;
    files.files = event.dataTransfer.files;
    choose();
  });
}

/* Jobs that have not ended yet. */
let wait = FIRST_LOOK;
function watch() {
  const again = document.querySelector("[data-unfinished]")?.dataset.unfinished;
  if (!again) return;
  setTimeout(() => swap(again), wait);
  wait = Math.min(wait * 1.5, LAST_LOOK);
}
document.addEventListener("shown", watch);
watch();
