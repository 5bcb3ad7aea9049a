// Client of Gleaner: meetings, mail and chat in; tasks out, each with the words that prove it.

import { EventLines, lines, type Event } from "./events.js";
import type { components } from "./schema.js";

export { InvalidWebhook, verifyWebhook } from "./webhooks.js";
export type { Event };

/** The records of the interface. */
export type Schemas = components["schemas"];
export type Job = Schemas["Job"];
export type Problem = Schemas["Problem"];
export type Task = Schemas["Task"];

/** How often a request is tried again. */
const RETRIES = 5;
/** Longest pause before that, in milliseconds. */
const LONGEST = 60_000;
/** How long one request waits for a job, in seconds. */
const WAIT = 20;
/** Milliseconds that a request may take, and that a stream may say nothing: its heartbeats come more often. */
const TIMEOUT = 30_000;
const SILENCE = 60_000;

/** An answer that is an error. `errors` names the members at fault; `requestId` is what to quote when asking for help. */
export class GleanerError extends Error {
  override name = "GleanerError";
  readonly code: string;
  readonly errors: Schemas["FieldProblem"][];
  readonly requestId: string | undefined;

  constructor(
    readonly status: number,
    problem: Problem | undefined,
    /** Seconds after which the server wants to be asked again. */
    readonly retryAfter: number | undefined,
  ) {
    const errors = problem?.errors ?? [];
    const named = errors.map((one) => `${one.pointer} ${one.detail}`).join("; ");
    const detail = problem?.detail ?? `the server answered ${status}`;
    super(named ? `${detail} (${named})` : detail);
    this.code = problem?.code ?? "unexpected-answer";
    this.errors = errors;
    this.requestId = problem?.request_id;
  }
}

/** A job that was given up; `job.error` says why. It can be requeued. */
export class JobFailed extends Error {
  override name = "JobFailed";

  constructor(readonly job: Job) {
    super(job.error?.message ?? `job ${job.job_id} failed`);
  }
}

/** An item to submit. `occurred_at` is RFC 3339. */
export interface Item {
  source_type: string;
  external_id: string;
  transcript: string;
  occurred_at?: string;
  title?: string;
  metadata?: Record<string, string>;
}

/** Which tasks to list; without `status` the open ones. */
export interface TaskFilter {
  status?: Schemas["TaskStatus"];
  waiting_on?: boolean;
  q?: string;
  sort?: "recent" | "priority";
  owner?: string;
  due_before?: string;
  source_type?: string;
  external_id?: string;
}

/** A request. `safe`: it may be sent again where nobody knows whether it arrived. */
interface Call {
  method: string;
  path: string;
  query?: Record<string, unknown>;
  headers?: Record<string, string>;
  json?: unknown;
  body?: Blob | string;
  safe?: boolean;
}

interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

const get = (path: string, more: Partial<Call> = {}): Call => ({ method: "GET", path, safe: true, ...more });
const erase = (path: string): Call => ({ method: "DELETE", path, safe: true });
const post = (path: string, json?: unknown): Call => ({ method: "POST", path, json });

/** A path of parts, each escaped: ids of items hold anything. */
const path = (...parts: string[]): string => `/${parts.map(encodeURIComponent).join("/")}`;

const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

/**
 * A server, and a token for it. Every method throws `GleanerError` where the server refuses.
 *
 * Requests that can be repeated are repeated where the connection fails, and all are where the server has no room (429, 503),
 * when it says to come back.
 */
export class Gleaner {
  readonly #url: string;
  readonly #token: string;
  readonly #retries: number;

  constructor({ url, token, retries = RETRIES }: { url: string; token: string; retries?: number }) {
    this.#url = url.replace(/\/+$/, "");
    this.#token = token;
    this.#retries = retries;
  }

  // Content

  /** Submits an item; it is stored when this returns. Without a key, the same item with the same content is the same job. */
  submit(item: Item, { idempotencyKey }: { idempotencyKey?: string } = {}): Promise<Schemas["Receipt"]> {
    const headers: Record<string, string> = idempotencyKey ? { "Idempotency-Key": idempotencyKey } : {};
    return this.#do({ ...post("/ingest/items", item), headers, safe: true });
  }

  /** Submits content as it is, such as a file: `text/vtt`, `application/x-subrip`, `text/markdown`, `text/plain`, `message/rfc822`. */
  submitFile(
    content: Blob | string,
    mediaType: string,
    members: Partial<Omit<Item, "transcript" | "metadata">> = {},
  ): Promise<Schemas["Receipt"]> {
    const headers = { "Content-Type": mediaType };
    return this.#do({ method: "POST", path: "/ingest/items", query: { ...members }, headers, body: content, safe: true });
  }

  /** Waits until a job has ended; throws `JobFailed` where it was given up. */
  async wait(jobId: string): Promise<Job> {
    for (;;) {
      const job = await this.job(jobId, { wait: WAIT });
      if (job.status === "failed") throw new JobFailed(job);
      if (job.status === "succeeded") return job;
    }
  }

  /** Submits an item and gives its tasks once they are found; throws `JobFailed` where it was given up. */
  async submitAndWait(item: Item, options: { idempotencyKey?: string } = {}): Promise<Task[]> {
    const { job_id } = await this.submit(item, options);
    const job = await this.wait(job_id);
    return Promise.all(job.task_ids.map((id) => this.task(id)));
  }

  /** Erases an item with all that was found in it alone. */
  async eraseItem(sourceType: string, externalId: string): Promise<void> {
    await this.#do(erase(path("ingest", "items", sourceType, externalId)));
  }

  /** Reports a task that was overlooked in an item; `quote` is from its transcript. */
  missed(
    sourceType: string,
    externalId: string,
    task: { title: string; quote: string; owner?: string; due?: string },
  ): Promise<Task> {
    return this.#do(post(path("ingest", "items", sourceType, externalId, "missed"), task));
  }

  /** A job; with `wait`, the answer comes when it has ended or after so many seconds. */
  job(jobId: string, { wait }: { wait?: number } = {}): Promise<Job> {
    return this.#do(get(path("ingest", "jobs", jobId), { headers: wait ? { Prefer: `wait=${wait}` } : {} }));
  }

  /** All jobs, latest first. */
  jobs(filter: { status?: Schemas["JobStatus"] } = {}): AsyncGenerator<Job> {
    return this.#pages("/ingest/jobs", { ...filter, limit: 200 });
  }

  /** Queues a failed job anew. */
  requeue(jobId: string): Promise<Job> {
    return this.#do(post(path("ingest", "jobs", jobId, "requeue")));
  }

  // Tasks

  /** All tasks that fit, page by page as they are asked for. */
  tasks(filter: TaskFilter = {}): AsyncGenerator<Task> {
    return this.#pages("/tasks", { ...filter, limit: 200 });
  }

  /** A task. */
  task(taskId: string): Promise<Task> {
    return this.#do(get(path("tasks", taskId)));
  }

  /** Why it is a task, and why it stands where it does. */
  explain(taskId: string): Promise<Schemas["Explanation"]> {
    return this.#do(get(path("tasks", taskId, "explain")));
  }

  /** Edits a task: `title`, `status`, `owner`, `due`, `waiting_on`; null removes what may be absent. */
  edit(taskId: string, members: Record<string, unknown>): Promise<Task> {
    const headers = { "Content-Type": "application/merge-patch+json" };
    return this.#do({ method: "PATCH", path: path("tasks", taskId), json: members, headers });
  }

  /** Marks a task as completed. */
  complete(taskId: string): Promise<Task> {
    return this.edit(taskId, { status: "completed" });
  }

  /** Rates a task, so that the next ones come out better. */
  rate(
    taskId: string,
    rating: Schemas["Rating"],
    more: { reason?: string; comment?: string; correction?: Record<string, unknown> } = {},
  ): Promise<Schemas["FeedbackReceipt"]> {
    return this.#do(post(path("tasks", taskId, "feedback"), { rating, ...more }));
  }

  /** Takes the ratings of a task back. */
  async unrate(taskId: string): Promise<void> {
    await this.#do(erase(path("tasks", taskId, "feedback")));
  }

  /** What feedback has taught. */
  learning(): Promise<Schemas["Learning"]> {
    return this.#do(get("/learning"));
  }

  /** Forgets it. */
  async forgetLearning(): Promise<void> {
    await this.#do(erase("/learning"));
  }

  /**
   * What happens from now on, or after an event (`"0"`: from the oldest that is kept); goes on where it was when the connection
   * breaks. Leave the loop, or abort `signal`, to end it.
   */
  async *events({ lastEventId, signal }: { lastEventId?: string; signal?: AbortSignal } = {}): AsyncGenerator<Event> {
    const read = new EventLines(lastEventId);
    for (let failures = 0; !signal?.aborted; failures += 1) {
      let error: unknown;
      const silence = new AbortController();
      const stop = (): void => silence.abort();
      signal?.addEventListener("abort", stop);
      let timer = setTimeout(stop, SILENCE);
      try {
        const headers: Record<string, string> = { Accept: "text/event-stream" };
        if (read.lastId) headers["Last-Event-ID"] = read.lastId;
        const answer = await this.#send(get("/events", { headers }), silence.signal);
        if (!answer.ok || !answer.body) throw await errorOf(answer);
        for await (const line of lines(answer.body)) {
          clearTimeout(timer);
          timer = setTimeout(stop, SILENCE);
          failures = 0;
          const event = read.take(line);
          if (event) yield event;
        }
      } catch (caught) {
        error = caught;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
        stop();
      }
      read.reset();
      if (signal?.aborted) return;
      if (error && (failures >= this.#retries || (error instanceof GleanerError && !mayRetry(error)))) throw error;
      await sleep(pause(failures, error));
    }
  }

  // Tokens and webhooks

  /** What this client's token is and may. */
  ownToken(): Promise<Schemas["TokenInfo"]> {
    return this.#do(get("/tokens/me"));
  }

  /** All tokens of the tenant. */
  tokens(): AsyncGenerator<Schemas["TokenInfo"]> {
    return this.#pages("/tokens", {});
  }

  /** Makes a token, which is shown this once. */
  createToken(token: {
    name: string;
    scopes: Schemas["Scope"][];
    expires_at?: string;
  }): Promise<Schemas["CreatedToken"]> {
    return this.#do(post("/tokens", token));
  }

  /** Revokes a token, and those that it made. */
  async revokeToken(tokenId: string): Promise<void> {
    await this.#do(erase(path("tokens", tokenId)));
  }

  /** All webhook endpoints of the tenant. */
  webhooks(): AsyncGenerator<Schemas["WebhookInfo"]> {
    return this.#pages("/webhooks", {});
  }

  /** Makes an endpoint that is told what happens; its secret is shown this once. */
  createWebhook(endpoint: {
    url: string;
    events?: Schemas["EventKind"][];
    payload?: Schemas["PayloadForm"];
    signature?: Schemas["SignatureVersion"];
    description?: string;
  }): Promise<Schemas["WebhookWithSecret"]> {
    return this.#do(post("/webhooks", endpoint));
  }

  /** Sends a `webhook.test`. */
  testWebhook(webhookId: string): Promise<Schemas["DeliveryInfo"]> {
    return this.#do(post(path("webhooks", webhookId, "test")));
  }

  /** Gives a new secret; for a day messages are signed with either. */
  rotateWebhookSecret(webhookId: string): Promise<Schemas["WebhookWithSecret"]> {
    return this.#do(post(path("webhooks", webhookId, "rotate")));
  }

  /** What was sent to an endpoint, latest first. */
  deliveries(webhookId: string): AsyncGenerator<Schemas["DeliveryInfo"]> {
    return this.#pages(path("webhooks", webhookId, "deliveries"), {});
  }

  /** Sends one message again. */
  async redeliver(webhookId: string, deliveryId: string): Promise<void> {
    await this.#do(post(path("webhooks", webhookId, "deliveries", deliveryId, "redeliver")));
  }

  /** Removes an endpoint. */
  async deleteWebhook(webhookId: string): Promise<void> {
    await this.#do(erase(path("webhooks", webhookId)));
  }

  async *#pages<Item>(where: string, query: Record<string, unknown>): AsyncGenerator<Item> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Page<Item> = await this.#do(get(where, { query: { ...query, cursor } }));
      yield* page.items;
      cursor = page.next_cursor;
    }
  }

  #send(call: Call, signal: AbortSignal): Promise<Response> {
    const url = new URL(this.#url + call.path);
    for (const [name, value] of Object.entries(call.query ?? {})) {
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    }
    const headers = new Headers({ Authorization: `Bearer ${this.#token}` });
    if (call.json !== undefined) headers.set("Content-Type", "application/json");
    for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name, value);
    const body = call.json === undefined ? (call.body ?? null) : JSON.stringify(call.json);
    return fetch(url, { method: call.method, headers, body, signal, redirect: "error" });
  }

  /** The JSON of an answer; nothing where it has no body. */
  async #do<Answer>(call: Call): Promise<Answer> {
    for (let tries = 0; ; tries += 1) {
      let error: unknown;
      try {
        const answer = await this.#send(call, AbortSignal.timeout(TIMEOUT));
        if (answer.ok) {
          const text = await answer.text();
          return (text ? JSON.parse(text) : undefined) as Answer;
        }
        error = await errorOf(answer);
      } catch (caught) {
        error = caught;
      }
      const again = error instanceof GleanerError ? mayRetry(error) : call.safe === true;
      if (tries >= this.#retries || !again) throw error;
      await sleep(pause(tries, error));
    }
  }
}

/** The error that an answer is. */
async function errorOf(answer: Response): Promise<GleanerError> {
  const problem: unknown = await answer.json().catch(() => undefined);
  const known = typeof problem === "object" && problem !== null && "code" in problem ? (problem as Problem) : undefined;
  const after = Number(answer.headers.get("retry-after") ?? NaN);
  return new GleanerError(answer.status, known, Number.isNaN(after) ? undefined : after);
}

/** Whether the server says that nothing was done and asks to come back. */
function mayRetry(error: GleanerError): boolean {
  return error.status === 429 || error.status === 503;
}

/** Milliseconds before the next try: what the server asks for, or twice as long each time, by chance. */
function pause(tries: number, error: unknown): number {
  const asked = error instanceof GleanerError ? error.retryAfter : undefined;
  if (asked !== undefined) return Math.min(LONGEST, asked * 1000) + Math.random() * 500;
  return Math.min(LONGEST, 500 * 2 ** tries) * (0.5 + Math.random() / 2);
}
