import { relative } from "node:path";

/** A path as people type it: relative to the working directory when that is shorter. */
export function friendlyPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short !== "" && short.length < path.length ? short : path;
}
