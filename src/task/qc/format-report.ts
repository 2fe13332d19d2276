import type { InstanceReport } from "./instance-report.ts";

/** A report for people, without its findings: one line of scores, then probes and attacks that went wrong. */
export function formatReport(report: InstanceReport): string {
  const share = report.killRate === null ? "none" : `${Math.round(report.killRate * 100)}%`;
  const good = report.probes.filter((probe) => probe.ok).length;
  const clean = report.attacks.filter((attack) => attack.ok).length;
  const facts = [
    `untouched ${report.untouched ?? "no verdict"}`,
    `oracle ${report.oracle ?? "no verdict"}`,
    `probes ${good}/${report.probes.length}`,
    `mutations caught ${share} of ${report.mutations.tried}`,
    `attacks ${clean}/${report.attacks.length}`,
    report.deterministic ? "deterministic" : "not shown to be deterministic",
  ];
  return `${report.ok ? "ok  " : "FAIL"}  ${report.instance}: ${facts.join(", ")}\n`;
}
