import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { AleError } from "../contract/ale-error.ts";
import type { Clock } from "../contract/clock.ts";
import type { JsonValue } from "../contract/json-value.ts";
import { type TrialEventBody, trialEventSchema } from "../contract/trial-event.ts";
import { orAbsent } from "../files/or-absent.ts";
import { syncFolder } from "./durable-file.ts";
import { eventLines } from "./event-lines.ts";
import type { Redactor } from "./redactor.ts";
import { writeFailure } from "./write-failure.ts";

/** An `events.jsonl`, open for appending by one writer. */
export interface EventLog extends AsyncDisposable {
  /**
   * Stamps sequence and time, and queues the line: it is with the operating system soon after, and on the disk after
   * {@link flush} or the end of a phase. Throws an `AleError` for an event that breaks the contract, or after a failed write.
   */
  append(event: TrialEventBody): void;
  /** Resolves when all that was appended is on the disk; rejects with an `AleError` coded `record-write` if it cannot be. */
  flush(): Promise<void>;
}

export interface EventLogOptions {
  readonly clock: Clock;
  readonly redactor: Redactor;
}

/**
 * Opens an events file, making it when absent. A torn last line, left by a death in the middle of a write, is cut off;
 * an event that only lacks its line feed is completed. Numbering goes on after the last line.
 */
export async function openEventLog(path: string, options: EventLogOptions): Promise<EventLog> {
  let seq = await repair(path);
  const handle = await open(path, "a");
  await syncFolder(dirname(path));
  let queue: string[] = [];
  let wantSync = false;
  let failure: AleError | undefined;
  let closed = false;
  let pump: Promise<void> | undefined;

  // Everything queued while a write is under way goes out with the next one: one write, one fsync for all.
  async function drain(): Promise<void> {
    while (failure === undefined && (queue.length > 0 || wantSync)) {
      const text = queue.join("");
      const sync = wantSync;
      queue = [];
      wantSync = false;
      try {
        if (text !== "") await handle.appendFile(text);
        if (sync) await handle.datasync();
      } catch (cause) {
        failure = writeFailure(path, cause);
      }
    }
    pump = undefined;
  }

  function start(): Promise<void> {
    pump ??= Promise.resolve().then(drain);
    return pump;
  }

  async function flush(): Promise<void> {
    wantSync = true;
    while (failure === undefined && (wantSync || queue.length > 0 || pump !== undefined)) await start();
    if (failure !== undefined) throw failure;
  }

  return {
    append(event) {
      if (failure !== undefined) throw failure;
      if (closed) throw closedLog(path);
      const stamped = { seq: seq + 1, at: options.clock.now(), ...event };
      const line = JSON.stringify(
        options.redactor.redactJson(JSON.parse(JSON.stringify(stamped)) as JsonValue),
      );
      const parsed = trialEventSchema.safeParse(JSON.parse(line));
      if (!parsed.success) throw invalidEvent(event.type, parsed.error.message, parsed.error);
      seq += 1;
      queue.push(`${line}\n`);
      if (event.type === "phase-ended" || event.type === "attempt-ended") wantSync = true;
      // A failure is kept and thrown by the next call, so nothing is lost by not waiting here.
      void start();
    },
    flush,
    async [Symbol.asyncDispose]() {
      if (closed) return;
      closed = true;
      try {
        await flush();
      } finally {
        await handle.close();
      }
    },
  };
}

/** Cuts off or completes a last line without line feed; returns the last sequence number. */
async function repair(path: string): Promise<number> {
  const handle = await orAbsent(open(path, "r+"));
  if (handle === undefined) return 0;
  try {
    return await repairOpen(path, handle);
  } finally {
    await handle.close();
  }
}

async function repairOpen(path: string, handle: FileHandle): Promise<number> {
  let seq = 0;
  let whole = 0;
  for await (const line of eventLines(path)) {
    if (!line.ended && line.kind === "corrupt") {
      await handle.truncate(whole);
      break;
    }
    if (!line.ended) await handle.write("\n", line.endOffset);
    seq = line.kind === "event" ? line.event.seq : seq + 1;
    whole = line.endOffset;
  }
  await handle.sync();
  return seq;
}

function closedLog(path: string): AleError {
  return new AleError({ code: "record-closed", message: `${path} is closed: an event came after the end.` });
}

function invalidEvent(type: string, problem: string, cause: unknown): AleError {
  return new AleError({
    code: "record-invalid",
    message: `an event of type ${type} does not fit its schema: ${problem}`,
    fields: { type },
    cause,
  });
}
