// A real Kubernetes API server that knows ApiTokens.
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./gleaner.js";
import { firstLine, start } from "./process.js";

const run = promisify(execFile);

/** Longest wait for a control plane, in milliseconds: three servers, on a machine that is busy. */
const START = 300_000;
/** What a server that is ready takes at most to answer, in milliseconds; as long as the API waits for it, about. */
const PROMPT = 1_500;

/** Starts one; the settings by which a process reaches it, and `kubectl` upon it. */
export async function kubernetes(t) {
  const cache = process.env.GLEANER_CLUSTER_CACHE;
  const here = join(ROOT, "tests/cluster");
  // It ends when its standard input does.
  const plane = start(t, join(here, "control-plane.sh"), [], cache ? { GLEANER_CLUSTER_CACHE: cache } : {}, "pipe");
  const [, folder] = (await firstLine(plane, START)).split(" ");
  const { stdout: parts } = await run(join(here, "parts.sh"), ["kubectl"]);
  const settings = { KUBECONFIG: join(folder, "admin.kubeconfig") };
  const kubectl = async (...args) => (await run(join(parts.trim(), "kubectl"), args, { env: { ...process.env, ...settings } })).stdout;
  await kubectl("apply", "--filename", join(ROOT, "crds/apitokens.yaml"));
  await kubectl("wait", "--for=condition=Established", "crd/apitokens.gleaner.dev", "--timeout=300s");
  await served(folder, kubectl);
  return { settings, kubectl };
}

const PROBE = `apiVersion: gleaner.dev/v1alpha1
kind: ApiToken
metadata: {name: probe, namespace: default}
spec: {scopes: ["tasks:read"]}
`;

/** A server that has just learnt of a resource, or of the default namespace, refuses it or waits for some seconds more. */
async function served(folder, kubectl) {
  const probe = join(folder, "probe.yaml");
  await writeFile(probe, PROBE);
  const until = Date.now() + START;
  for (;;) {
    try {
      const begun = Date.now();
      await kubectl("create", "--dry-run=server", "--filename", probe);
      if (Date.now() - begun < PROMPT || begun > until) return;
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}
