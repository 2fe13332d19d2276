import { AleError } from "../../contract/ale-error.ts";

/** The error for a path that cannot be used as asked. */
export function unusablePath(path: string, what: string, cause?: unknown): AleError {
  return new AleError({
    code: "sandbox-path",
    message: `${path} ${what}.`,
    fields: { path },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Splits an absolute path into folder and last name. */
export function splitParent(path: string): readonly [parent: string, name: string] {
  checkPath(path);
  const names = splitPath(path);
  const name = names.pop();
  if (name === undefined || name === "..") throw unusablePath(path, "names no file");
  return [`/${names.join("/")}`, name];
}

/** Throws an `AleError` coded `sandbox-path` for a path that is not absolute or holds a zero byte. */
export function checkPath(path: string): void {
  if (!path.startsWith("/")) throw unusablePath(path, "is not an absolute path");
  if (path.includes("\0")) throw unusablePath(JSON.stringify(path), "holds a zero byte");
}

/** The names of a path, without empty ones and `.`. */
export function splitPath(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}
