import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { screenActionLineSchema } from "../../contract/screen-action-line.ts";
import type { Screenshot } from "../../sandbox/screen.ts";
import type { ScreenActionEvent } from "../screen-actions/screen-bridge.ts";
import { openActionRecord } from "./open-action-record.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ale-actions-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function shot(text: string): Screenshot {
  return { bytes: Buffer.from(text), mediaType: "image/jpeg", width: 4, height: 3, revision: text };
}

function event(number: number, before: string, after: string): ScreenActionEvent {
  return {
    number,
    at: 1000 * number,
    wallMs: 2,
    action: { kind: "type", text: "x".repeat(20_000) },
    programs: ["XTerm"],
    focus: "XTerm",
    before: shot(before),
    after: shot(after),
  };
}

test("each action is a line of the contract, and equal pictures are one file", async () => {
  const record = openActionRecord({ folder });
  record.add(event(1, "a", "b"));
  record.add(event(2, "b", "b"));
  expect(await record.close()).toEqual({ actions: 2, linesLeftOut: 0, picturesLeftOut: 0 });
  const text = await readFile(join(folder, "actions.jsonl"), "utf8");
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => screenActionLineSchema.parse(JSON.parse(line)));
  expect(lines.map(({ number }) => number)).toEqual([1, 2]);
  expect(lines[0]?.after).toEqual(lines[1]?.before);
  expect(lines[0]?.action).toMatchObject({ kind: "type", textLength: 20_000 });
  expect(await readdir(join(folder, "screenshots"))).toHaveLength(2);
});

test("pictures and lines stop at their bounds, and what is left out is counted", async () => {
  const record = openActionRecord({ folder, maxPictureBytes: 1, maxLineBytes: 25_000 });
  for (let number = 1; number <= 3; number++) record.add(event(number, "a", "bc"));
  expect(await record.close()).toEqual({ actions: 3, linesLeftOut: 1, picturesLeftOut: 3 });
  expect(await readdir(join(folder, "screenshots"))).toHaveLength(1);
});

test("what keeps a line from being written is told on closing", async () => {
  const record = openActionRecord({ folder: join(folder, "none") });
  record.add({ number: 1, at: 0, wallMs: 0, action: { kind: "cursor" }, programs: [] });
  await expect(record.close()).rejects.toThrow("ENOENT");
});
