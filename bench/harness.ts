import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { readCalls } from "../src/gateway/record/replay.ts";
import type { ResultRow } from "../src/record/result-row.ts";
import type { Bench } from "./main.ts";

const root = join(import.meta.dirname, "..");
const launcher = join(root, "bin", "ale.mjs");

/**
 * Time from a trial's admission to the arrival of its first model call at the gateway, for each harness named, by default
 * `ale-agent`: one trial at a time on the trivial instance, five of each. Provision, setup and the harness's own start are
 * all in it. The harnesses must be installed (`ale agents install`). Needs root.
 */
export const bench: Bench = async (args) => {
  const harnesses = args.length === 0 ? ["ale-agent"] : args;
  const runs = await mkdtemp(join(tmpdir(), "ale-bench-harness-"));
  try {
    const lines: string[] = [];
    for (const harness of harnesses) lines.push(await measure(harness, join(runs, harness)));
    return ["admission to first model call, 5 trials each, one at a time", ...lines];
  } finally {
    await rm(runs, { recursive: true, force: true });
  }
};

async function measure(harness: string, runsDir: string): Promise<string> {
  const tasks = ["--tasks-root", join(root, "test", "tasks"), "--task", "**@small"];
  const exam = ["--agent", harness, "--model", "scripted", "--repeats", "5", "--concurrency", "1"];
  await ale(["run", ...exam, ...tasks, "--runs-dir", runsDir]);
  const rows = JSON.parse(
    await ale(["results", "ls", "--json", "--runs-dir", runsDir]),
  ) as readonly ResultRow[];
  const times: number[] = [];
  for (const { dir } of rows) {
    const [first] = await readCalls(dir);
    const [line = ""] = (await readFile(join(dir, "events.jsonl"), "utf8")).split("\n", 1);
    const { at: admitted } = JSON.parse(line) as { readonly at: number };
    if (first !== undefined) times.push(first.at - admitted);
  }
  if (times.length === 0) return `${harness}: no trial reached its model`;
  const sorted = times.sort((one, other) => one - other);
  const at = (share: number): string =>
    `${Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)} ms`;
  return `${harness}: median ${at(0.5)}, least ${at(0)}, most ${at(1)}, of ${sorted.length} trials`;
}

/** What the command line prints; throws a `TypeError` when it could not do its work. */
async function ale(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [printed, code] = await Promise.all([
    text(child.stdout),
    new Promise<number | null>((resolve) => child.once("close", resolve)),
  ]);
  if (code !== 0 && code !== 1) throw new TypeError(`ale ${args.join(" ")} ended with ${code}`);
  return printed;
}
