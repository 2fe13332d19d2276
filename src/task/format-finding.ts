import type { Finding } from "../contract/finding.ts";

/** A finding for people, as compilers print it: `path:line:column: severity: message [code]`, remedy below. */
export function formatFinding(finding: Finding): string {
  const place = [finding.path, finding.line, finding.column].filter((part) => part !== undefined).join(":");
  const head = `${finding.severity}: ${finding.message} [${finding.code}]`;
  const remedy = finding.remedy === undefined ? "" : `\n    ${finding.remedy}`;
  return `${place === "" ? "" : `${place}: `}${head}${remedy}`;
}
