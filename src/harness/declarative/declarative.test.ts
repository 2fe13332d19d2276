import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { readCopilotStream } from "../copilot/read-copilot-stream.ts";
import { readPin } from "../install/read-pin.ts";
import type { CliLaunch } from "../program/cli-program.ts";
import type { DraftStep } from "../trajectory/draft-step.ts";
import { createStepAssembler } from "../trajectory/step-assembler.ts";
import type { StreamFacts, StreamReader } from "../trajectory/stream-reader.ts";
import { createDeclarativeProgram } from "./create-declarative-program.ts";
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

test("pieces of a thought are put together as they are", () => {
  const log = parseHarnessFile(
    `${yaml}    - when: { /type: thinking }
      tells: [{ tell: reasoning, text: /piece, delta: true }]
`,
    "x.yaml",
  ).log;
  const lines = ["I ", "wond", "er"].map((piece) => JSON.stringify({ type: "thinking", piece }));
  const { steps } = readAll(readMappedStream(log), lines.join("\n"));
  expect(steps).toMatchObject([{ reasoning_content: "I wonder" }]);
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

const launch: CliLaunch = {
  contestant: { name: "c", harness: "h", settings: { turns: 9 } },
  prompt: 'Say "hi" to {{model}}',
  home: "/home/agent",
  program: "/opt/h",
  node: "/node",
  model: "m",
  effort: "max",
  wire: "openai-chat",
  baseUrl: "http://127.0.0.1:1/v1",
  token: "t",
  mcp: [
    { name: "budget", url: "http://b" },
    { name: "screen", url: "http://s" },
  ],
  limits: {},
};

const declared = `schema: ale/harness@1
name: h
summary: a harness
install: { npm: h, version: 1.0.0 }
wires: [openai-chat]
settings: [turns, tone]
efforts: { max: most }
mcp: { each: '"{{mcp_name}}":{"url":"{{mcp_url}}","token":{{token|json}}}' }
before: [[login, "{{token}}"]]
command: ["{{node}}", "{{program}}/h.js", "{{prompt}}", [--effort, "{{effort}}"], [--turns, "{{setting_turns}}"]]
env: { TONE: "{{setting_tone}}", BASE: "{{ base_url }}", HOME_OF: "{{home}}" }
files: [{ path: .h/config.json, content: '{"ask":{{prompt|json}},"mcp":{{{mcp_servers}}}}' }]
log: { format: text }
`;

test("placeholders of a declared harness are filled in, values as they are", () => {
  const program = createDeclarativeProgram(parseHarnessFile(declared, "h.yaml"));
  const start = program.start(launch);
  expect(start.argv).toEqual(["/node", "/opt/h/h.js", launch.prompt, "--effort", "most", "--turns", "9"]);
  expect(start.env).toEqual({ BASE: "http://127.0.0.1:1/v1", HOME_OF: "/home/agent" });
  expect(start.before).toEqual([["login", "t"]]);
  expect(start.input).toBeUndefined();
  expect(JSON.parse(start.files[0]?.content ?? "")).toEqual({
    ask: launch.prompt,
    mcp: { budget: { url: "http://b", token: "t" }, screen: { url: "http://s", token: "t" } },
  });
});

test("what stands around a value that is not there is left out with it", () => {
  const program = createDeclarativeProgram(parseHarnessFile(declared, "h.yaml"));
  const { effort: _, ...plain } = launch;
  const start = program.start({ ...plain, contestant: { ...launch.contestant, settings: {} }, mcp: [] });
  expect(start.argv).toEqual(["/node", "/opt/h/h.js", launch.prompt]);
  expect(JSON.parse(start.files[0]?.content ?? "")).toMatchObject({ mcp: {} });
});

test("a placeholder that means nothing, or may have no value, is told with its place", () => {
  const told = (change: readonly [string, string]): (() => unknown) => {
    return () => parseHarnessFile(declared.replace(...change), "h.yaml");
  };
  expect(told(["{{prompt}}", "{{promt}}"])).toThrow(
    /h\.yaml:10:43: \{\{promt\}\} is no placeholder here \(did you mean \{\{prompt\}\}\?\)/,
  );
  expect(told(["{{prompt}}", "{{effort}}"])).toThrow(/no value for a contestant that gives none/);
  expect(told(["{{mcp_servers}}", "{{mcp_url}}"])).toThrow(/\{\{mcp_url\}\} is no placeholder here/);
  expect(told(["token|json", "token|yaml"])).toThrow(/write \{\{token\|json\}\}/);
  expect(told(["install: { npm: h, version: 1.0.0 }\n", ""])).toThrow(/\{\{program\}\} is no placeholder/);
  expect(told([".h/config.json", "../config.json"])).toThrow(/relative to the home/);
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

const shippedFolder = join(import.meta.dirname, "..", "..", "..", "data", "harness-files");
const shipped = (await readdir(shippedFolder)).filter((name) => name.endsWith(".yaml"));

test.each(shipped)(
  "%s, which ships, is whole: no placeholder is left, and its JSON is JSON",
  async (name) => {
    const file = parseHarnessFile(await readFile(join(shippedFolder, name), "utf8"), name);
    expect(`${file.name}.yaml`).toBe(name);
    for (const mcp of [launch.mcp, []]) {
      const start = createDeclarativeProgram(file).start({ ...launch, prompt: "Do it.", mcp });
      expect(JSON.stringify(start)).not.toContain("{{");
      expect(JSON.stringify(start)).toContain("Do it.");
      for (const { path, content } of start.files.filter((each) => each.path.endsWith(".json"))) {
        expect(() => JSON.parse(content), path).not.toThrow();
      }
      for (const { content } of start.files.filter((each) => each.path.endsWith(".yaml"))) {
        expect(() => parseYaml(content)).not.toThrow();
      }
    }
  },
);

test("what ships with an installation is pinned beside the coded harnesses, in the same version", async () => {
  for (const name of shipped) {
    const { install } = parseHarnessFile(await readFile(join(shippedFolder, name), "utf8"), name);
    if (install === undefined) continue;
    const pin = await readPin(join(shippedFolder, "..", "harnesses"), name.replace(/\.yaml$/, ""));
    expect(pin).toMatchObject({
      package: install.npm,
      version: install.version,
      integrity: install.integrity,
    });
  }
});
