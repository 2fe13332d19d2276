import type { TaskVerb } from "../task-package.ts";

const optional: readonly TaskVerb[] = ["generate", "setup", "collect", "solve"];
const commentsAndTexts =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`/g;

/**
 * The parts a task may define, told from the text of its `main.ts`: reading a package never runs its code. A
 * part is ruled out only where the text cannot define it: the definition is written out in the call of
 * `defineTask`, nothing is spread into it, and the part's name occurs nowhere. A part wrongly taken to be
 * there costs one run of a program that does nothing.
 */
export function definedVerbs(source: string): ReadonlySet<TaskVerb> {
  const writtenOut = isWrittenOut(source);
  const isThere = (name: string): boolean => !writtenOut || new RegExp(`\\b${name}\\b`).test(source);
  const verbs = new Set<TaskVerb>(optional.filter(isThere));
  verbs.add("grade");
  if (isThere("probes")) verbs.add("probe");
  return verbs;
}

/** True when `defineTask` is called with an object literal that has no spread of its own. */
function isWrittenOut(source: string): boolean {
  const code = source.replaceAll(commentsAndTexts, "");
  const call = /\bdefineTask\s*(?:<[^()]*>)?\s*\(\s*\{/.exec(code);
  if (call === null) return false;
  let depth = 1;
  for (const [token] of code.slice(call.index + call[0].length).matchAll(/\.\.\.|[{}()[\]]/g)) {
    if (token === "...") {
      if (depth === 1) return false;
    } else {
      depth += "{([".includes(token) ? 1 : -1;
      if (depth === 0) return true;
    }
  }
  return false;
}
