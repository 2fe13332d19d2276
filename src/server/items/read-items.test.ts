import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Item } from "../api/item-page.ts";
import { createElementScanner } from "./element-scanner.ts";
import { indexItems, readItemPage } from "./read-items.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "ale-items-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** All items, page after page, and where the pages started. */
async function readAll(
  path: string,
  framing: "lines" | "steps",
): Promise<{ items: Item[]; starts: number[] }> {
  const items: Item[] = [];
  const starts: number[] = [];
  for (let offset = 0; ; ) {
    const page = await readItemPage({ path, framing }, offset);
    starts.push(offset);
    items.push(...page.items);
    if (page.done) return { items, starts };
    offset = page.next;
  }
}

const tricky = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom('"', "\\", '\\"', "{[", "]}", "steps", '{"steps":[', "\n", "\\\\"),
);

describe("a trajectory", () => {
  test("its steps are found wherever the bytes are cut", () => {
    const step = fc.dictionary(fc.string(), fc.oneof(tricky, fc.integer(), fc.array(tricky)));
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), tricky),
        fc.array(step, { maxLength: 6 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 17 }),
        (head, steps, pretty, size) => {
          const { steps: _, ...fields } = head;
          const document = { ...fields, agent: { steps: [{}] }, steps, after: [{ steps: 1 }] };
          const bytes = Buffer.from(JSON.stringify(document, undefined, pretty ? 1 : undefined));
          const scanner = createElementScanner("steps", 0);
          const found: unknown[] = [];
          for (let at = 0; at < bytes.length; at += size) {
            for (const { start, end } of scanner.feed(bytes.subarray(at, at + size))) {
              found.push(JSON.parse(bytes.subarray(start, end).toString()));
            }
          }
          expect(found).toEqual(JSON.parse(JSON.stringify(steps)));
          expect(scanner.done).toBe(true);
        },
      ),
    );
  });

  test("its pages are those of its index, and hold every step once", async () => {
    const path = join(dir, "trajectory.json");
    const steps = Array.from({ length: 450 }, (_, index) => ({
      step_id: index + 1,
      message: "m".repeat(900),
    }));
    await writeFile(path, JSON.stringify({ schema_version: "ATIF-v1.7", steps, notes: "]" }, undefined, 1));
    const { items, starts } = await readAll(path, "steps");
    const index = await indexItems({ path, framing: "steps" });
    expect(items.map((item) => item.value)).toEqual(steps);
    expect(index.count).toBe(450);
    expect(index.pages.map((page) => page.offset)).toEqual(starts);
  });
});

describe("lines", () => {
  test("pages are those of the index; a broken line is an item with a problem; a torn one is left for later", async () => {
    const path = join(dir, "events.jsonl");
    const lines = Array.from({ length: 500 }, (_, index) =>
      index === 7 ? "{broken" : JSON.stringify({ seq: index }),
    );
    await writeFile(path, `${lines.join("\n")}\n{"seq":50`);
    const { items, starts } = await readAll(path, "lines");
    const index = await indexItems({ path, framing: "lines" });
    expect(items).toHaveLength(500);
    expect(items[7]?.problem).toMatch(/JSON/);
    expect(index.count).toBe(500);
    expect(index.pages.map((page) => page.offset)).toEqual(starts);
  });

  test("nothing is read from the middle of a line", async () => {
    const path = join(dir, "lines.jsonl");
    await writeFile(path, '{"a":1}\n{"b":2}\n');
    const source = { path, framing: "lines" } as const;
    expect((await readItemPage(source, 8)).items).toMatchObject([{ value: { b: 2 } }]);
    expect((await readItemPage(source, 3)).items).toEqual([]);
  });

  test("a file that is not there has no items", async () => {
    const none = { path: join(dir, "none"), framing: "lines" } as const;
    expect(await readItemPage(none, 0)).toEqual({ items: [], next: 0, done: true });
    expect(await indexItems(none)).toEqual({ count: 0, pages: [] });
  });
});
