// Verification of webhooks, as Standard Webhooks has it.

/** The message is not from the endpoint's server, or not of now. */
export class InvalidWebhook extends Error {
  override name = "InvalidWebhook";
}

/** How far a message's time may be off, in seconds. */
const TOLERANCE = 300;

const encoder = new TextEncoder();

/**
 * The message of a webhook, once its signature and its time are right.
 *
 * @param body the request's body as it came, byte for byte
 * @param headers those of the request
 * @param secret begins with `whsec_`, or with `whpk_` where messages are signed with a key pair (`v1a`)
 * @throws InvalidWebhook where a header is missing, the time is off, or no signature is right
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers | Record<string, string | string[] | undefined>,
  secret: string,
  { tolerance = TOLERANCE }: { tolerance?: number } = {},
): Promise<{ type: string; timestamp: string; data: unknown }> {
  const known = headers instanceof Headers ? headers : new Headers();
  if (known !== headers) for (const [name, value] of Object.entries(headers)) known.set(name, String(value ?? ""));
  const header = (name: string): string => {
    const value = known.get(`webhook-${name}`);
    if (!value) throw new InvalidWebhook(`the header webhook-${name} is missing`);
    return value;
  };
  const [id, sent, signatures] = [header("id"), header("timestamp"), header("signature")];
  if (!(Math.abs(Date.now() / 1000 - Number(sent)) <= tolerance)) {
    throw new InvalidWebhook("the message is too old, or the clocks differ");
  }
  const raw = typeof body === "string" ? encoder.encode(body) : body;
  const signed = new Uint8Array([...encoder.encode(`${id}.${sent}.`), ...raw]);
  const isPublic = secret.startsWith("whpk_");
  const [version, algorithm] = isPublic ? ["v1a,", { name: "Ed25519" }] : ["v1,", { name: "HMAC", hash: "SHA-256" }];
  const key = await crypto.subtle.importKey("raw", bytes(secret.replace(/^wh(sec|pk)_/, "")), algorithm, false, ["verify"]);
  // While a secret is rotated there is a signature with either.
  for (const given of signatures.split(" ").filter((one) => one.startsWith(version))) {
    const signature = bytes(given.slice(version.length));
    if (await crypto.subtle.verify(algorithm.name, key, signature, signed)) return JSON.parse(new TextDecoder().decode(raw));
  }
  throw new InvalidWebhook("no signature is right");
}

/** What Base64 says; nothing where it is malformed. */
function bytes(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array([0]);
  }
}
