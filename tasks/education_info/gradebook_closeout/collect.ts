import { lstatSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CollectContext } from "ale/task";
import type { Params } from "./params.ts";
import { readDatabase } from "./read-database.ts";
import { databasePath } from "./service-place.ts";

/** Writes what stands in the gradebook over whatever the agent has put in its place. */
export function collect({ output }: CollectContext<Params>): void {
  // A folder that was exchanged for a link would lead the administrator elsewhere; without state, nothing is credited.
  if (!lstatSync(output).isDirectory()) return;
  const path = join(output, "gradebook.json");
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, `${JSON.stringify(readDatabase(databasePath))}\n`, { flag: "wx" });
}
