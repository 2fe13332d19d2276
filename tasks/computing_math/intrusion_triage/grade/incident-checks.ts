import type { JsonValue } from "ale/contract/json-value";
import { closeTo } from "ale/grade/number/close-to";
import { check } from "ale/grade/rubric/check";
import { multisetOverlap } from "ale/grade/sequence/multiset-overlap";
import type { Incident } from "../incident.ts";
import { readUtc } from "./read-timeline.ts";

type Check = ReturnType<typeof check>;
type Outcome = Parameters<typeof check>[0]["outcome"];
export type JsonObject = { readonly [name: string]: JsonValue };

/** What each wrong entry of a list costs beside its effect on F1: an accusation is worse than an omission. */
const accusation = 0.15;

export function asObject(value: JsonValue | undefined): JsonObject {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : {};
}

/** The texts of a list, folded; anything else in it becomes an entry that matches nothing. */
export function textsOf(value: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, 1000).map((item: JsonValue) => (typeof item === "string" ? fold(item) : "\u0000"));
}

/** Every field of the report. */
export function incidentChecks(given: JsonObject, incident: Incident): readonly Check[] {
  const leak = asObject(given["exfiltration"]);
  const hold = asObject(given["persistence"]);
  const { exfiltration, persistence } = incident;
  const one = (id: string, stage: string, weight: number, outcome: Outcome): Check =>
    check({ id, stage, weight, outcome });
  const set = (id: keyof Incident, stage: string, weight: number): Check =>
    one(
      id.replaceAll("_", "-"),
      stage,
      weight,
      listOutcome(textsOf(given[id]), incident[id] as readonly string[]),
    );
  return [
    set("attacker_ips", "attribution", 12),
    set("malicious_domains", "attribution", 6),
    set("compromised_hosts", "scope", 12),
    set("compromised_accounts", "scope", 7),
    one("initial-vector", "entry", 3, textOutcome(given["initial_vector"], incident.initial_vector)),
    one("webshell-path", "entry", 4, textOutcome(given["webshell_path"], incident.webshell_path)),
    one("persistence-host", "persistence", 2, textOutcome(hold["host"], persistence.host)),
    one("persistence-kind", "persistence", 2, textOutcome(hold["kind"], persistence.kind)),
    one("persistence-name", "persistence", 2, textOutcome(hold["name"], persistence.name)),
    one("exfiltration-host", "exfiltration", 2, textOutcome(leak["host"], exfiltration.host)),
    one("exfiltration-channel", "exfiltration", 2, textOutcome(leak["channel"], exfiltration.channel)),
    one(
      "exfiltration-destination",
      "exfiltration",
      3,
      textOutcome(leak["destination"], exfiltration.destination),
    ),
    one(
      "exfiltration-bytes",
      "exfiltration",
      7,
      closeTo(leak["bytes"], exfiltration.bytes, { relative: 0.02 }),
    ),
    set("mitre_techniques", "techniques", 8),
    one("first-activity", "times", 2, timeOutcome(given["first_activity"], incident.first_activity)),
    one("last-activity", "times", 2, timeOutcome(given["last_activity"], incident.last_activity)),
  ];
}

function listOutcome(given: readonly string[], expected: readonly string[]): Outcome {
  const { common, missing, extra } = multisetOverlap(given, expected.map(fold));
  const agreement = (2 * common) / (given.length + expected.length);
  return {
    score: Math.max(0, agreement - accusation * extra.length),
    message: `${common} of ${expected.length} found, ${extra.length} wrongly named.`,
    evidence: { missing: missing.slice(0, 20), extra: extra.slice(0, 20).map((text) => text.slice(0, 80)) },
  };
}

function textOutcome(given: JsonValue | undefined, expected: string): Outcome {
  const isRight = typeof given === "string" && fold(given) === fold(expected);
  return { score: isRight ? 1 : 0, message: isRight ? "Right." : `Expected ${expected}.` };
}

function timeOutcome(given: JsonValue | undefined, expected: string): Outcome {
  const found = readUtc(given);
  const isClose = found !== undefined && Math.abs(found - (readUtc(expected) as number)) <= 60;
  return { score: isClose ? 1 : 0, message: isClose ? "Right." : `Expected ${expected}, within a minute.` };
}

function fold(text: string): string {
  return text.trim().toLowerCase();
}
