import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type FailureLabel, failureLabelSchema } from "../contract/failure-label.ts";
import type { Finding } from "../contract/finding.ts";
import { orAbsent } from "../files/or-absent.ts";
import { syncFolder } from "./durable-file.ts";
import { writeFailure } from "./write-failure.ts";

/** Beside an attempt's result; only ever appended to. */
const labelFile = "labels.jsonl";

/** Adds a label beside an attempt: on the disk when it resolves. */
export async function recordLabel(attemptDir: string, label: FailureLabel): Promise<void> {
  const path = join(attemptDir, labelFile);
  const line = JSON.stringify(failureLabelSchema.parse(label));
  try {
    const handle = await open(path, "a+");
    try {
      // A line that was cut by a death must not swallow this one.
      const { size } = await handle.stat();
      const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
      const torn = size > 0 && buffer[0] !== 10;
      await handle.appendFile(`${torn ? "\n" : ""}${line}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await syncFolder(attemptDir);
  } catch (error) {
    throw writeFailure(path, error);
  }
}

/** Every label of an attempt, oldest first, and a finding for each line that is none. */
export async function readLabels(
  attemptDir: string,
): Promise<{ readonly labels: readonly FailureLabel[]; readonly problems: readonly Finding[] }> {
  const path = join(attemptDir, labelFile);
  const text = (await orAbsent(readFile(path, "utf8"))) ?? "";
  const labels: FailureLabel[] = [];
  const problems: Finding[] = [];
  text.split("\n").forEach((line, index) => {
    if (line.trim() === "") return;
    const parsed = failureLabelSchema.safeParse(parseJson(line));
    if (parsed.success) labels.push(parsed.data);
    else {
      const message = `line ${index + 1} of ${labelFile} is not a label and was left out`;
      problems.push({ severity: "warning", code: "corrupt-label", message, path, line: index + 1 });
    }
  });
  return { labels, problems };
}

/** `undefined` for text that is not JSON, which no schema takes. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
