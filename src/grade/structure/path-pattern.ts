import { AleError } from "../../contract/ale-error.ts";

/** Tells whether a path, as the list of its segments, fits. */
export type PathPattern = (path: readonly string[]) => boolean;

/**
 * Compiles a path such as `/lines/*\/amount`: segments as in a JSON pointer (RFC 6901: `~1` for `/`, `~0` for
 * `~`), `*` for any one segment, `**` for any number of them. `""` is the root.
 * Throws an `AleError` coded `path-pattern` when it does not start with `/`.
 */
export function pathPattern(pattern: string): PathPattern {
  if (pattern !== "" && !pattern.startsWith("/")) {
    throw new AleError({
      code: "path-pattern",
      message: `The path pattern "${pattern}" does not start with a slash.`,
      remedy: `Write "/${pattern}", or "/**/${pattern}" for any depth.`,
      fields: { pattern },
    });
  }
  const wanted = pattern
    .split("/")
    .slice(1)
    .map((segment) =>
      segment === "*" || segment === "**" ? { wild: segment } : { literal: unescapeSegment(segment) },
    );
  return (path) => {
    let at = 0;
    let star = -1;
    let resume = 0;
    let segment = 0;
    while (segment < path.length) {
      const want = wanted[at];
      if (want?.wild === "**") {
        star = at++;
        resume = segment;
      } else if (want !== undefined && (want.wild === "*" || want.literal === path[segment])) {
        at++;
        segment++;
      } else if (star >= 0) {
        at = star + 1;
        segment = ++resume;
      } else return false;
    }
    while (wanted[at]?.wild === "**") at++;
    return at === wanted.length;
  };
}

/** The path of these segments as text. */
export function formatPath(path: readonly string[]): string {
  return path.map((segment) => `/${segment.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function unescapeSegment(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}
