// The lines of a stream of server-sent events.

/** What happened: `data` is the job or task. `id` is where to go on after it. */
export interface Event {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

/** Reads the lines of a stream; keeps where it stands, also over several connections. */
export class EventLines {
  #type = "message";
  #data: string[] = [];

  constructor(public lastId: string | undefined) {}

  /** Takes one line; gives the event that it ends. */
  take(line: string): Event | undefined {
    if (line === "") {
      const event = this.#data.length ? { id: this.lastId ?? "", type: this.#type, data: JSON.parse(this.#data.join("\n")) } : undefined;
      this.reset();
      return event;
    }
    const colon = line.indexOf(":");
    const [name, rest] = colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1)];
    const value = rest.startsWith(" ") ? rest.slice(1) : rest;
    if (name === "event") this.#type = value;
    else if (name === "data") this.#data.push(value);
    else if (name === "id") this.lastId = value;
    return undefined;
  }

  /** Forgets half an event: its connection broke. */
  reset(): void {
    this.#type = "message";
    this.#data = [];
  }
}

/** The lines of a body. */
export async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) yield line.replace(/\r$/, "");
  }
}
