import { join } from "node:path";
import type { Finding } from "../../contract/finding.ts";
import type { TaskPackage } from "../task-package.ts";

/** An error for each place that the author has still to write, with file and line. */
export function markFindings({ dir, marks }: TaskPackage): readonly Finding[] {
  return marks.map(({ name, wanted, path, line, column }) => ({
    severity: "error",
    code: "unfilled-mark",
    message: `still to fill in: ${name === path ? "" : `${name}: `}${wanted}`,
    remedy: "replace the mark, brackets and all",
    path: join(dir, path),
    line,
    column,
  }));
}
