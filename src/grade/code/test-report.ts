import type { JsonValue } from "../../contract/json-value.ts";
import { bad, ok, type Read } from "../rubric/read.ts";
import { parseJson } from "../structure/parse-json.ts";
import { parseXml } from "../structure/parse-xml.ts";

/** How a test ended, by its name. A test reported more than once passed only if it always did. */
export type TestResults = ReadonlyMap<string, "passed" | "failed" | "skipped">;

/**
 * `junit`: JUnit XML; a test is called `classname.name`, or `name` without a class. `tap`: Test Anything Protocol 13
 * and 14, top level; a test is called by its description. `pytest-json`: the file of pytest-json-report; a test is
 * called by its node id.
 */
export type ReportFormat = "junit" | "tap" | "pytest-json";

type Ending = "passed" | "failed" | "skipped";
type JsonObject = { readonly [key: string]: JsonValue };

/** Reads a test report; bad when it is not of the format. */
export function parseTestReport(text: string, format: ReportFormat): Read<TestResults> {
  switch (format) {
    case "junit":
      return readJunit(text);
    case "tap":
      return readTap(text);
    case "pytest-json":
      return readPytest(text);
  }
}

class Results {
  readonly #endings = new Map<string, Ending>();

  add(name: string, ending: Ending): void {
    const before = this.#endings.get(name);
    this.#endings.set(name, before === undefined || before === "passed" ? ending : before);
  }

  get all(): Read<TestResults> {
    return ok(this.#endings);
  }
}

function readJunit(text: string): Read<TestResults> {
  const document = parseXml(text, "The test report");
  if (document.kind === "bad") return document;
  const results = new Results();
  const pending: JsonValue[] = Object.values(document.value as JsonObject);
  for (let element = pending.pop(); element !== undefined; element = pending.pop()) {
    const suite = element as JsonObject;
    pending.push(...children(suite, "testsuite"));
    for (const item of children(suite, "testcase")) {
      const { "@classname": group, "@name": name, failure, error, skipped } = item as JsonObject;
      if (typeof name !== "string") continue;
      const full = typeof group === "string" && group !== "" ? `${group}.${name}` : name;
      const broken = failure !== undefined || error !== undefined;
      results.add(full, broken ? "failed" : skipped !== undefined ? "skipped" : "passed");
    }
  }
  return results.all;
}

function children(element: JsonObject, name: string): readonly JsonValue[] {
  const list = element[name];
  return Array.isArray(list) ? list : [];
}

function readTap(text: string): Read<TestResults> {
  const results = new Results();
  for (const line of text.split(/\r?\n/)) {
    const match = /^(not )?ok\b(?: +\d+)?(?: +-)?(?: +(\S.*))?$/.exec(line);
    if (match === null) continue;
    const [description = "", directive = ""] = splitDirective(match[2] ?? "");
    const waived = /^(skip|todo)/i.test(directive);
    results.add(description, waived ? "skipped" : match[1] === undefined ? "passed" : "failed");
  }
  return /^\s*Bail out!/m.test(text) ? bad("The test report says that the run bailed out.") : results.all;
}

function splitDirective(text: string): readonly string[] {
  const at = text.indexOf(" # ");
  return at < 0 ? [text.trim()] : [text.slice(0, at).trim(), text.slice(at + 3).trim()];
}

function readPytest(text: string): Read<TestResults> {
  const report = parseJson(text, "The test report");
  if (report.kind === "bad") return report;
  const tests = (report.value as JsonObject | null)?.["tests"];
  if (!Array.isArray(tests)) return bad("The test report holds no list of tests.");
  const results = new Results();
  for (const test of tests as readonly JsonValue[]) {
    const { nodeid, outcome } = (test ?? {}) as JsonObject;
    if (typeof nodeid !== "string") continue;
    const skipped = outcome === "skipped" || outcome === "xfailed";
    results.add(nodeid, outcome === "passed" ? "passed" : skipped ? "skipped" : "failed");
  }
  return results.all;
}
