import { readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { digestSchema } from "../../contract/artifact.ts";
import type { Clock } from "../../contract/clock.ts";
import { workflowIdSchema } from "../../contract/ids.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { orAbsent } from "../../files/or-absent.ts";
import type { TaskPackage } from "../task-package.ts";
import { type InstanceReport, instanceReportSchema } from "./instance-report.ts";

/** Proof that a package was checked, bound to its content: it is stale after each change that can move a score. */
export interface Receipt {
  readonly schema: "ale/receipt@1";
  readonly task: string;
  readonly contentHash: string;
  /** Milliseconds since the Unix epoch. */
  readonly checkedAt: number;
  /** By instance id. */
  readonly instances: readonly InstanceReport[];
}

export type ReadReceipt =
  | { readonly kind: "current"; readonly receipt: Receipt }
  | { readonly kind: "absent" }
  /** Of another content than the package has now. */
  | { readonly kind: "stale"; readonly receipt: Receipt }
  | { readonly kind: "malformed"; readonly message: string };

const receiptSchema: z.ZodType<Receipt> = z.strictObject({
  schema: z.literal("ale/receipt@1"),
  task: workflowIdSchema,
  contentHash: digestSchema,
  checkedAt: z.number().nonnegative(),
  instances: z.array(instanceReportSchema),
});

/**
 * Where a task's receipt lies: `.ale/receipt.json` in the package, where it does not count for the content hash;
 * or `<domain>/<name>.json` in a folder of receipts, for packages that may not be written to.
 */
export function receiptPath(task: TaskPackage, dir?: string): string {
  return dir === undefined ? join(task.dir, ".ale", "receipt.json") : join(dir, `${task.manifest.id}.json`);
}

/**
 * Writes the reports as the task's receipt and returns its path. Reports that are still current, of instances not
 * checked this time, are kept. The file is replaced whole.
 */
export async function writeReceipt(
  task: TaskPackage,
  reports: readonly InstanceReport[],
  options: { readonly clock: Clock; readonly dir?: string },
): Promise<string> {
  const path = receiptPath(task, options.dir);
  const before = await readReceipt(task, options.dir);
  const kept = before.kind === "current" ? before.receipt.instances : [];
  const instances = new Map([...kept, ...reports].map((report) => [report.instance, report]));
  const receipt: Receipt = {
    schema: "ale/receipt@1",
    task: task.manifest.id,
    contentHash: task.contentHash,
    checkedAt: options.clock.now(),
    instances: [...instances.values()].sort((a, b) => (a.instance < b.instance ? -1 : 1)),
  };
  await makeFolder(dirname(path));
  await writeFile(`${path}.new`, `${JSON.stringify(receipt, null, 2)}\n`);
  await rename(`${path}.new`, path);
  return path;
}

/** Reads a task's receipt and says whether it is for the content the package has now. */
export async function readReceipt(task: TaskPackage, dir?: string): Promise<ReadReceipt> {
  const path = receiptPath(task, dir);
  const text = await orAbsent(readFile(path, "utf8"));
  if (text === undefined) return { kind: "absent" };
  const parsed = parseReceipt(text);
  if (parsed === undefined || parsed.task !== task.manifest.id) {
    return { kind: "malformed", message: `${path} is not a receipt of ${task.manifest.id}` };
  }
  return { kind: parsed.contentHash === task.contentHash ? "current" : "stale", receipt: parsed };
}

/** True when the instance was checked, as it is now, and nothing was wrong: only then may it be ranked. */
export function isProved(read: ReadReceipt, instance: string): boolean {
  return (
    read.kind === "current" &&
    read.receipt.instances.some((report) => report.instance === instance && report.ok)
  );
}

function parseReceipt(text: string): Receipt | undefined {
  try {
    return receiptSchema.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
