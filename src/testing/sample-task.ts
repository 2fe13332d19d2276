import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A small whole task, written to disk: total the amounts of a ledger. */
export interface SampleTask extends AsyncDisposable {
  /** `<root>/demo/ledger_total`. */
  readonly dir: string;
  readonly root: string;
}

const entry = fileURLToPath(new URL("../task/native/define-task.ts", import.meta.url));

export const sampleManifest = `schema: ale/task@1
id: demo/ledger_total
title: Total a ledger
summary: Add up the amounts of a ledger.
taxonomy:
  subfield: "6.1"
  soc: [43-3031]
tier: near-term
interface: [shell]
outputs:
  - path: total.csv
    kind: csv
instances:
  - variant: base
    seed: 7
    params: { currency: EUR }
  - variant: large
    seed: 8
    params: { currency: USD }
provenance:
  authors: [A. Author]
  human_minutes: 5
canary: ale-canary-5a0c2f0e-demo
`;

export const sampleInstruction = `Total the amounts of input/ledger.csv, in {{currency}}.
Write output/total.csv with the header account,total and one row per account, to the cent.
`;

export const sampleMain = `
import { readFileSync, writeFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { defineTask } from "ENTRY";

const totals = (path) => {
  const sums = new Map();
  for (const line of readFileSync(path, "utf8").trim().split("\\n").slice(1)) {
    const [account, amount] = line.split(",");
    sums.set(account, (sums.get(account) ?? 0) + Math.round(Number(amount) * 100));
  }
  return "account,total\\n" + [...sums].map(([a, s]) => a + "," + (s / 100).toFixed(2)).join("\\n") + "\\n";
};
const rows = (text) => new Map(text.trim().split("\\n").map((line) => line.split(",")));

export default defineTask({
  generate({ input, reference, random }) {
    const lines = ["account,amount"];
    for (let index = 0; index < 40; index++) {
      lines.push("A" + random.integer(1, 5) + "," + (random.integer(1, 99999) / 100).toFixed(2));
    }
    writeFileSync(join(input, "ledger.csv"), lines.join("\\n") + "\\n");
    writeFileSync(join(reference, "total.csv"), totals(join(input, "ledger.csv")));
  },
  solve({ input, output }) {
    writeFileSync(join(output, "total.csv"), totals(join(input, "ledger.csv")));
  },
  grade({ artifacts, reference }) {
    const path = join(artifacts, "total.csv");
    const want = rows(readFileSync(join(reference, "total.csv"), "utf8"));
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    const lines = text.trim().split("\\n");
    const got = rows(text);
    const same = [...want].filter(([account, total]) => {
      const cell = got.get(account);
      return account === "account" ? cell === total : cell !== undefined && /^-?\\d+(\\.\\d+)?$/.test(cell) && Math.abs(Number(cell) - Number(total)) < 0.005;
    });
    const exact = same.length === want.size && lines.length === want.size;
    const score = exact ? 1 : 0;
    return {
      schema: "ale/verdict@1", score, fullPass: score === 1, method: "gate-and-score",
      checks: [{ id: "totals", stage: "total", weight: 1, gate: false, score, message: "matched " + same.length }],
      stages: [{ name: "total", weight: 1, score }], gates: [],
    };
  },
  probes: [
    { name: "empty-file", kind: "empty", expected: 0, because: "Nothing is handed in.",
      make: ({ output }) => writeFileSync(join(output, "total.csv"), "") },
    { name: "reordered", kind: "valid-alternative", expected: 1, because: "No order is asked for.",
      make: ({ output }) => {
        const [head, ...body] = readFileSync(join(output, "total.csv"), "utf8").trim().split("\\n");
        writeFileSync(join(output, "total.csv"), [head, ...body.reverse()].join("\\n"));
      } },
  ],
});
`;

export interface SampleOptions {
  readonly manifest?: string;
  readonly instruction?: string;
  readonly main?: string;
  /** More files, by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/** Writes the sample, with parts of it replaced, into a fresh temporary folder. */
export async function writeSampleTask(options: SampleOptions = {}): Promise<SampleTask> {
  const root = await mkdtemp(join(tmpdir(), "ale-sample-"));
  const dir = join(root, "demo", "ledger_total");
  const files: Readonly<Record<string, string | Uint8Array>> = {
    "task.yaml": options.manifest ?? sampleManifest,
    "instruction.md": options.instruction ?? sampleInstruction,
    "main.ts": (options.main ?? sampleMain).replaceAll('"ENTRY"', JSON.stringify(entry)),
    ...options.files,
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), content);
  }
  return {
    dir,
    root,
    async [Symbol.asyncDispose]() {
      await rm(root, { recursive: true, force: true });
    },
  };
}
