import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "ale/contract/random";
import type { SetupContext } from "ale/task";
import { makeTerm } from "./generate/make-term.ts";
import type { Params } from "./params.ts";
import { databasePath, serviceFolder } from "./service-place.ts";
import { writeDatabase } from "./write-database.ts";

/** Puts the gradebook with this term's section on the machine, where only the administrator can open its files. */
export function setup({ params, seed }: SetupContext<Params>): void {
  mkdirSync(serviceFolder, { recursive: true, mode: 0o700 });
  const source = join(import.meta.dirname, "service");
  for (const name of readdirSync(source).filter((file) => file.endsWith(".py"))) {
    copyFileSync(join(source, name), join(serviceFolder, name));
  }
  // The same stream as generate is given.
  writeDatabase(databasePath, makeTerm(createRandom(seed), params).initial);
}
