import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import type { ScreenActionLine, ScreenThumbnail } from "../../contract/screen-action-line.ts";
import type { Screenshot } from "../../sandbox/screen.ts";
import type { ScreenActionEvent } from "../screen-actions/screen-bridge.ts";
import { actionData } from "./action-data.ts";
import { pictureFile, writePicture } from "./write-picture.ts";

export interface ActionRecordOptions {
  /** The attempt's folder. */
  readonly folder: string;
  /** Of all thumbnails together; default 64 MiB. Further ones are left out. */
  readonly maxPictureBytes?: number;
  /** Of `actions.jsonl`; default 32 MiB. Further lines are left out. */
  readonly maxLineBytes?: number;
}

/** What was left out for want of room. */
export interface ActionRecordSummary {
  readonly actions: number;
  readonly linesLeftOut: number;
  readonly picturesLeftOut: number;
}

/** The timeline of what is done on a screen. Closing waits until all of it is written. */
export interface ActionRecord {
  add(event: ScreenActionEvent): void;
  /** Rejects with what kept a line or a picture from being written. */
  close(): Promise<ActionRecordSummary>;
}

/**
 * Writes a line for each action to `actions.jsonl`, and its thumbnails to files named by their content below
 * `screenshots/`, so that equal ones are one file.
 */
export function openActionRecord(options: ActionRecordOptions): ActionRecord {
  const { folder, maxPictureBytes = 64 * 1024 * 1024, maxLineBytes = 32 * 1024 * 1024 } = options;
  const written = new Set<string>();
  let pictureBytes = 0;
  let lineBytes = 0;
  let actions = 0;
  let linesLeftOut = 0;
  let picturesLeftOut = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function place(shot: Screenshot | undefined): Promise<ScreenThumbnail | undefined> {
    if (shot === undefined) return undefined;
    const file = pictureFile(shot);
    if (written.has(file.path)) return file;
    if (pictureBytes + shot.bytes.length > maxPictureBytes) {
      picturesLeftOut++;
      return undefined;
    }
    pictureBytes += shot.bytes.length;
    written.add(file.path);
    return writePicture(folder, shot);
  }

  async function write(event: ScreenActionEvent): Promise<void> {
    const before = await place(event.before);
    const after = await place(event.after);
    const line: ScreenActionLine = {
      ...actionData(event),
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    };
    const text = `${JSON.stringify(line)}\n`;
    if (lineBytes + Buffer.byteLength(text) > maxLineBytes) {
      linesLeftOut++;
      return;
    }
    lineBytes += Buffer.byteLength(text);
    await appendFile(join(folder, "actions.jsonl"), text);
  }

  return {
    add(event) {
      actions++;
      last = last.then(() => write(event));
      // What is wrong is told on closing; nobody waits before.
      last.catch(() => undefined);
    },
    async close() {
      await last;
      return { actions, linesLeftOut, picturesLeftOut };
    },
  };
}
