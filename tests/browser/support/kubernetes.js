// A real Kubernetes API server that knows ApiTokens.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./gleaner.js";
import { firstLine, start } from "./process.js";

const run = promisify(execFile);

/** Longest wait for a control plane, in milliseconds: three servers, on a machine that is busy. */
const START = 300_000;

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
  return { settings, kubectl };
}
