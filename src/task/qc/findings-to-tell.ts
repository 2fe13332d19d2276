import type { Finding } from "../../contract/finding.ts";
import { markFindings } from "../lint/mark-findings.ts";
import type { TaskPackage } from "../task-package.ts";
import type { InstanceReport } from "./instance-report.ts";

/**
 * What to print below the reports of a package's instances, to be asked for one report after the other: errors first,
 * and what is wrong with the package as a whole below the first report only.
 */
export function findingsToTell(task: TaskPackage): (report: InstanceReport) => readonly Finding[] {
  const ofPackage = new Set([...task.findings, ...markFindings(task)].map(identityOf));
  const told = new Set<string>();
  return ({ findings }) => {
    const left = findings.filter((finding) => !told.has(identityOf(finding)));
    for (const identity of left.map(identityOf)) if (ofPackage.has(identity)) told.add(identity);
    return left.toSorted((a, b) => rank[a.severity] - rank[b.severity]);
  };
}

const rank: Readonly<Record<Finding["severity"], number>> = { error: 0, warning: 1, note: 2 };

function identityOf({ code, message, path, line, column }: Finding): string {
  return JSON.stringify([code, message, path, line, column]);
}
