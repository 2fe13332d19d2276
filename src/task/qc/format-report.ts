import type { InstanceReport } from "./instance-report.ts";

/** A report for people, without its findings: one line of what is left to fill in and of scores. */
export function formatReport(report: InstanceReport): string {
  const share = report.killRate === null ? "none" : `${Math.round(report.killRate * 100)}%`;
  const good = report.probes.filter((probe) => probe.ok).length;
  const clean = report.attacks.filter((attack) => attack.ok).length;
  const marks = report.findings.filter(({ code }) => code === "unfilled-mark").length;
  const facts = [
    ...(marks === 0 ? [] : [`${marks} ${marks === 1 ? "place" : "places"} still to fill in`]),
    `untouched ${report.untouched ?? "no verdict"}`,
    `oracle ${report.oracle ?? "no verdict"}`,
    `probes ${good}/${report.probes.length}`,
    `mutations caught ${share} of ${report.mutations.tried}`,
    `attacks ${clean}/${report.attacks.length}`,
    report.deterministic ? "deterministic" : "not shown to be deterministic",
  ];
  return `${report.ok ? "ok  " : "FAIL"}  ${report.instance}: ${facts.join(", ")}\n`;
}
