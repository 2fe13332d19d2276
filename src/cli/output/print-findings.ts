import { relative } from "node:path";
import type { Finding } from "../../contract/finding.ts";
import type { TextSink } from "../cli-context.ts";

/** Prints findings one a line, errors first, paths relative to `cwd`, remedies indented below. */
export function printFindings(findings: readonly Finding[], sink: TextSink, cwd: string): void {
  const rank = { error: 0, warning: 1, note: 2 };
  for (const finding of findings.toSorted((a, b) => rank[a.severity] - rank[b.severity])) {
    const place = finding.path === undefined ? "" : `${position(finding, cwd)}: `;
    // A message that starts with its file is not given it twice.
    const start = `${finding.path} `;
    const message = finding.message.startsWith(start) ? finding.message.slice(start.length) : finding.message;
    sink.write(`${finding.severity}: ${place}${message} [${finding.code}]\n`);
    if (finding.remedy !== undefined) sink.write(`  ${finding.remedy}\n`);
  }
}

function position(finding: Finding, cwd: string): string {
  const path = relative(cwd, finding.path ?? "") || ".";
  if (finding.line === undefined) return path;
  return finding.column === undefined
    ? `${path}:${finding.line}`
    : `${path}:${finding.line}:${finding.column}`;
}
