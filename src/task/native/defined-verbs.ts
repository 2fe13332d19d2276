import type { TaskVerb } from "../task-package.ts";

const optional: readonly TaskVerb[] = ["generate", "setup", "collect", "solve"];

/**
 * The parts a task may define, told from the text of its `main.ts`: reading a package never runs its code. A
 * part is ruled out only where the text cannot define it: the definition is written out in the call of
 * `defineTask`, nothing is spread into an object, and the part's name occurs nowhere. A part wrongly taken to
 * be there costs one run of a program that does nothing.
 */
export function definedVerbs(source: string): ReadonlySet<TaskVerb> {
  const writtenOut = /\bdefineTask\s*(<[^()]*>)?\s*\(\s*\{/.test(source) && !/[{,]\s*\.\.\./.test(source);
  const isThere = (name: string): boolean => !writtenOut || new RegExp(`\\b${name}\\b`).test(source);
  const verbs = new Set<TaskVerb>(optional.filter(isThere));
  verbs.add("grade");
  if (isThere("probes")) verbs.add("probe");
  return verbs;
}
