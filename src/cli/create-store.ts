import { delimiter, dirname, join } from "node:path";
import type { HarnessFile } from "../contract/harness-file.ts";
import { createHarnessStore } from "../harness/install/create-harness-store.ts";
import type { HarnessStore } from "../harness/install/harness-store.ts";
import type { NpmProgram } from "../harness/install/run-npm.ts";
import type { CliContext } from "./cli-context.ts";
import { packageRoot } from "./package-info.ts";

/** Pins of the harnesses that ship with this package. */
export const pinsDir: string = join(packageRoot, "data", "harnesses");

/** Programs of harnesses on this host, for this user; those of declared harnesses too. */
export function createStore(context: CliContext, declared: readonly HarnessFile[]): HarnessStore {
  const installs = declared.flatMap(({ name, install }) =>
    install === undefined ? [] : [[name, install] as const],
  );
  return createHarnessStore({
    pinsDir,
    storeDir: join(context.folders.cache, "harnesses"),
    declared: new Map(installs),
    npm: npmProgram(context),
    clock: context.clock,
    ownerPid: context.pid,
  });
}

/** The npm of this user. */
export function npmProgram(context: CliContext): NpmProgram {
  return { argv: ["npm"], env: npmEnvironment(context) };
}

/** Install scripts are other people's programs: they see no key but npm's own. */
function npmEnvironment({ environment, secrets, nodeBinary }: CliContext): Readonly<Record<string, string>> {
  const kept = Object.entries(environment).filter(
    ([name]) => secrets[name] === undefined || /^(npm_|NODE_AUTH_)/i.test(name),
  );
  // Programs are pinned for the Node that runs this, whichever one npm came with.
  const path = [dirname(nodeBinary), environment["PATH"] ?? ""].join(delimiter);
  return { ...Object.fromEntries(kept), PATH: path };
}
