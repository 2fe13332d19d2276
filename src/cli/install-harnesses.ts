import type { Contestant } from "../contract/contestant.ts";
import type { HarnessStore } from "../harness/install/harness-store.ts";
import type { CliContext } from "./cli-context.ts";

/** Brings the programs of these contestants' harnesses that are pinned and not here yet, telling what it does. */
export async function installHarnesses(
  context: CliContext,
  store: HarnessStore,
  contestants: readonly Contestant[],
): Promise<void> {
  for (const name of new Set(contestants.map(({ harness }) => harness))) {
    const pinned = await store.pinned(name);
    if (pinned === undefined || (await store.find(name)) !== undefined) continue;
    context.err.write(`installing ${name} ${pinned.version} from npm, once for this user …\n`);
    await store.install(name);
  }
}
