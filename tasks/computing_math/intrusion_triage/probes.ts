import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Probe, ProbeContext } from "ale/task";
import type { Incident } from "./incident.ts";
import type { Params } from "./params.ts";
import { readNotes } from "./solve/read-notes.ts";

type Context = ProbeContext<Params>;

function editReport({ output }: Context, edit: (incident: Incident) => object): void {
  const path = join(output, "incident.json");
  writeFileSync(path, JSON.stringify(edit(JSON.parse(readFileSync(path, "utf8")) as Incident)));
}

function editTimeline({ output }: Context, edit: (row: readonly string[]) => readonly string[]): void {
  const path = join(output, "timeline.csv");
  const [header = "", ...rows] = readFileSync(path, "utf8").trimEnd().split("\n");
  const edited = rows.map((row) => edit(row.split(",")).join(","));
  writeFileSync(path, `${[header, ...edited].join("\n")}\n`);
}

function shifted(time: string, seconds: number): string {
  return `${new Date(Date.parse(time) + seconds * 1000).toISOString().slice(0, 19)}Z`;
}

export const probes: readonly Probe<Params>[] = [
  {
    name: "empty-files",
    kind: "empty",
    expected: 0,
    because: "Two files without content report nothing.",
    make({ output }) {
      for (const name of ["incident.json", "timeline.csv"]) writeFileSync(join(output, name), "");
    },
  },
  {
    name: "blank-report",
    kind: "format-only",
    expected: 0,
    because: "All the keys and none of the facts.",
    make(context) {
      editReport(context, (incident) => ({
        ...incident,
        attacker_ips: [],
        compromised_hosts: [],
        compromised_accounts: [],
        malicious_domains: [],
      }));
    },
  },
  {
    name: "copied-input",
    kind: "copied-input",
    expected: 0,
    because: "A log is no report.",
    make({ input, output }) {
      copyFileSync(join(input, "nginx_access.log"), join(output, "incident.json"));
      copyFileSync(join(input, "dhcp_leases.csv"), join(output, "timeline.csv"));
    },
  },
  {
    name: "scanner-accused",
    kind: "near-miss",
    expected: [0.93, 0.98],
    because: "The ordered scan is accused beside the intruder.",
    make: (context) =>
      editReport(context, (incident) => ({
        ...incident,
        attacker_ips: [...incident.attacker_ips, readNotes(context.input).orderedScanner],
      })),
  },
  {
    name: "everybody-accused",
    kind: "near-miss",
    expected: [0.7, 0.9],
    because: "A list of every host names the right ones among many that are innocent.",
    make: (context) =>
      editReport(context, (incident) => ({
        ...incident,
        compromised_hosts: [...readNotes(context.input).hosts.keys(), ...incident.compromised_hosts],
      })),
  },
  {
    name: "local-time",
    kind: "unit-error",
    expected: [0.75, 0.9],
    because: "Times are in local time instead of UTC.",
    make(context) {
      const shift = context.params.offset_minutes * 60;
      editReport(context, (incident) => ({
        ...incident,
        first_activity: shifted(incident.first_activity, shift),
        last_activity: shifted(incident.last_activity, shift),
      }));
      editTimeline(context, ([time = "", ...rest]) => [shifted(time, shift), ...rest]);
    },
  },
  {
    name: "clocks-not-corrected",
    kind: "off-tolerance",
    expected: [0.9, 0.98],
    because: "The times of app01 and db01 lack the correction of their clocks.",
    make: (context) =>
      editTimeline(context, ([time = "", event = "", host = "", file = "", line = ""]) => {
        const error = file === "auth_app01.log" ? context.params.app01_clock : context.params.db01_clock;
        const moved = file.startsWith("auth_") ? shifted(time, error) : time;
        return [moved, event, host, file, line];
      }),
  },
  {
    name: "transported-bytes",
    kind: "unit-error",
    expected: [0.9, 0.96],
    because: "The volume is counted in kilobytes.",
    make: (context) =>
      editReport(context, (incident) => ({
        ...incident,
        exfiltration: { ...incident.exfiltration, bytes: Math.round(incident.exfiltration.bytes / 1024) },
      })),
  },
  {
    name: "half-a-timeline",
    kind: "truncated",
    expected: [0.85, 0.95],
    because: "The timeline stops half way.",
    make({ output }) {
      const path = join(output, "timeline.csv");
      const lines = readFileSync(path, "utf8").trimEnd().split("\n");
      writeFileSync(path, `${lines.slice(0, 1 + Math.floor(lines.length / 2)).join("\n")}\n`);
    },
  },
  {
    name: "other-spelling",
    kind: "valid-alternative",
    expected: 1,
    because: "Order, letter case, other evidence of the same event and fractions of a second are free.",
    make(context) {
      const { timeline } = JSON.parse(readFileSync(join(context.reference, "truth.json"), "utf8")) as {
        timeline: { event: string; host: string; evidence: { file: string; lines: number[] }[] }[];
      };
      editReport(context, (incident) => ({
        ...incident,
        attacker_ips: incident.attacker_ips.toReversed(),
        compromised_hosts: context.random.shuffle(incident.compromised_hosts),
        mitre_techniques: incident.mitre_techniques.toReversed(),
        malicious_domains: incident.malicious_domains.map((domain) => domain.toUpperCase()),
        exfiltration: { ...incident.exfiltration, bytes: Math.round(incident.exfiltration.bytes * 1.01) },
        first_activity: incident.first_activity.replace("Z", "+00:00"),
      }));
      editTimeline(context, ([time = "", event = "", host = ""]) => {
        const proof = timeline.find((item) => item.event === event && item.host === host)?.evidence.at(-1);
        return [
          time.replace("T", " ").replace("Z", ".500"),
          event,
          host,
          `input/${proof?.file}`,
          String(proof?.lines.at(-1)),
        ];
      });
    },
  },
];
