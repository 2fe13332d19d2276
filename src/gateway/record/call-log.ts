import { createHash } from "node:crypto";
import { appendFile, mkdir, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ModelCall } from "../../contract/model-call.ts";
import type { BodyRedaction } from "./body-redaction.ts";

/** Names in a recording's folder. */
export const callFiles = { calls: "calls.jsonl", bodies: "bodies" } as const;

/** Writes a trial's calls: one line each, bodies once each under their digest. */
export interface CallLog {
  /** Keeps a body, secrets taken out; its digest is known at once, the writing goes on by itself. */
  keep(body: Uint8Array): string;
  append(call: ModelCall): void;
  /** Resolves when all is written; rejects with the first failure to write. */
  flush(): Promise<void>;
}

/** @param folder made when needed; absent = digests only, nothing is written. */
export function createCallLog(folder: string | undefined, redact: BodyRedaction): CallLog {
  let work: Promise<void> = Promise.resolve();
  const seen = new Set<string>();
  const then = (step: () => Promise<void>): void => {
    work = work.then(step);
    // The failure is told by flush.
    work.catch(() => undefined);
  };
  if (folder !== undefined) {
    then(async () => {
      await mkdir(join(folder, callFiles.bodies), { recursive: true });
    });
  }

  return {
    keep(body) {
      const text = redact(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8"));
      const hex = createHash("sha256").update(text).digest("hex");
      if (folder !== undefined && !seen.has(hex)) {
        seen.add(hex);
        then(() => writeOnce(join(folder, callFiles.bodies, hex), text));
      }
      return `sha256:${hex}`;
    },
    append(call) {
      if (folder === undefined) return;
      const line = `${redact(JSON.stringify(call))}\n`;
      then(() => appendFile(join(folder, callFiles.calls), line));
    },
    flush: () => work,
  };
}

async function writeOnce(path: string, text: string): Promise<void> {
  const exists = await stat(path).then(
    () => true,
    () => false,
  );
  if (exists) return;
  const temporary = `${path}.part`;
  await writeFile(temporary, text);
  await rename(temporary, path);
}
