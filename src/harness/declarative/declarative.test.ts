import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readCopilotStream } from "../copilot/read-copilot-stream.ts";
import type { DraftStep } from "../trajectory/draft-step.ts";
import { createStepAssembler } from "../trajectory/step-assembler.ts";
import type { StreamFacts, StreamReader } from "../trajectory/stream-reader.ts";
import { parseHarnessFile } from "./parse-harness-file.ts";
import { readMappedStream } from "./read-mapped-stream.ts";
import { valueAtPointer } from "./value-at-pointer.ts";

const yaml = await readFile(join(import.meta.dirname, "fixtures", "copilot.yaml"), "utf8");
const stream = await readFile(join(import.meta.dirname, "..", "copilot", "fixtures", "shell.jsonl"), "utf8");
const mapping = parseHarnessFile(yaml, "copilot.yaml").log;

function readAll(
  reader: StreamReader,
  text: string,
): { readonly steps: readonly DraftStep[]; readonly facts: StreamFacts } {
  const assembler = createStepAssembler();
  const steps = text
    .split("\n")
    .flatMap((line) => reader.read(line).flatMap((event) => assembler.take(event, 1)));
  return { steps: [...steps, ...assembler.end()], facts: reader.conclude({ kind: "exited", code: 0 }) };
}

test("a mapping reads a stream as its own reader does", () => {
  const mapped = readAll(readMappedStream(mapping), stream);
  const coded = readAll(readCopilotStream(), stream);
  expect(mapped.facts).toEqual(coded.facts);
  const said = (steps: readonly DraftStep[]): unknown => steps.map(({ extra: _, ...step }) => step);
  expect(said(mapped.steps)).toEqual(said(coded.steps));
  expect(JSON.stringify(mapped.steps).match(/premiumRequests/g)).toHaveLength(1);
});

test("an event of no rule, or without what its rule looks for, is kept", () => {
  const lines = [{ type: "new" }, { type: "assistant.message", data: { content: 7, toolRequests: [] } }];
  const { steps } = readAll(readMappedStream(mapping), lines.map((line) => JSON.stringify(line)).join("\n"));
  expect(steps.map((step) => step.extra)).toEqual([{ ale: { events: lines } }]);
});

test("a failure that the mapping names is classified", () => {
  const line = JSON.stringify({ type: "session.error", data: { message: "no", statusCode: 429 } });
  const { facts } = readAll(readMappedStream(mapping), line);
  expect(facts.ending).toEqual({ kind: "error", error: "rate-limit", message: "no" });
});

test("tokens are added up, or taken as the total", () => {
  const log = parseHarnessFile(
    `${yaml}    - when: { /type: spent }
      tells: [{ tell: usage, input: /in, cached: /cached, output: /out, cost_usd: /usd, input_includes_cached: false }]
`,
    "x.yaml",
  ).log;
  const spent = JSON.stringify({ type: "spent", in: 10, cached: 5, out: 2, usd: 0.5 });
  const { facts } = readAll(readMappedStream(log), `${spent}\n${spent}`);
  expect(facts.usage).toMatchObject({ value: { calls: 2, input: 30, cached: 10, output: 4 } });
  expect(facts.costUsd).toEqual({ known: true, value: 1 });
});

test("a harness of plain text is done when it leaves with 0, and has said all it printed", () => {
  const { steps, facts } = readAll(readMappedStream({ format: "text" }), "I did it.\n\n{ not json\nDone.");
  expect(facts.ending).toEqual({ kind: "completed" });
  expect(facts.finalMessage).toEqual({ known: true, value: "I did it.\n\n{ not json\nDone." });
  expect(steps).toHaveLength(1);
});

test("a pointer finds what RFC 6901 says it does", () => {
  const value = { foo: ["bar", "baz"], "": 0, "a/b": 1, "m~n": 8 };
  const pointers = ["/foo/0", "/", "/a~1b", "/m~0n", "/foo/7", "/foo/bar"];
  expect(pointers.map((pointer) => valueAtPointer(value, pointer))).toEqual([
    "bar",
    0,
    1,
    8,
    undefined,
    undefined,
  ]);
  expect(valueAtPointer(value, "")).toBe(value);
});

test("a mistake in the file is told with its place", () => {
  expect(() =>
    parseHarnessFile(yaml.replace("/data/content, model", "data.content, model"), "x.yaml"),
  ).toThrow(/x\.yaml:18:35: log\.rules\[1\]\.tells\[0\]\.text is data\.content, but must be a JSON pointer/);
  expect(() => parseHarnessFile(`${yaml}colour: red\n`, "x.yaml")).toThrow(/colour/);
});

test("no line makes a mapped reader throw", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.json(), fc.string(), fc.constantFrom(...stream.split("\n")))),
      (lines) => {
        expect(() => readAll(readMappedStream(mapping), lines.join("\n"))).not.toThrow();
      },
    ),
  );
});
