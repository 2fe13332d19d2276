import { readFileSync } from "node:fs";

/** The parts of a container's first process, in the order in which they make it up: what one declares, later ones use. */
const parts = [
  "begin",
  "supervise",
  "commands",
  "ports",
  "processes",
  "files",
  "writing",
  "changes",
  "machine",
  "serve",
] as const;

/** A container's first process: Perl 5.20 or newer with its base modules, run as the machine's root. */
export function stewardProgram(): string {
  const folder = new URL("../../../data/container/steward/", import.meta.url);
  return parts.map((part) => readFileSync(new URL(`${part}.pl`, folder), "utf8")).join("\n");
}
