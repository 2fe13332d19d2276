import type { Clock } from "../../contract/clock.ts";
import type { MachineClient } from "./machine-client.ts";

const askEveryMs = 20_000;
/** One such time without a word may be the host's own sleep: a machine is hung after two. */
const patienceMs = 60_000;

/**
 * Asks the machine's program now and then whether it is there, for as long as the link is. Calls `onHung`, at most once, when
 * nothing at all has come from it for two minutes; a machine that is slow, or busy sending, is not hung.
 */
export async function watchMachine(client: MachineClient, clock: Clock, onHung: () => void): Promise<void> {
  const over = new AbortController();
  client.closed.then(() => over.abort());
  try {
    for (;;) {
      await clock.sleep(askEveryMs, over.signal);
      if (!(await answers(client, clock, over.signal))) return onHung();
    }
  } catch (error) {
    if (!over.signal.aborted) throw error;
  }
}

async function answers(client: MachineClient, clock: Clock, over: AbortSignal): Promise<boolean> {
  const settled = new AbortController();
  const signal = AbortSignal.any([over, settled.signal]);
  const answer = client.request({ op: "stat", path: "/" }).then(
    () => true,
    () => true,
  );
  try {
    for (let silent = 0; silent < 2; ) {
      const { heard } = client;
      const late = clock.sleep(patienceMs, signal).then(() => false);
      late.catch(() => undefined);
      if (await Promise.race([answer, late])) return true;
      silent = client.heard === heard ? silent + 1 : 0;
    }
    return false;
  } finally {
    settled.abort();
  }
}
