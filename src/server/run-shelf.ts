import { basename } from "node:path";
import { AleError } from "../contract/ale-error.ts";
import type { Clock } from "../contract/clock.ts";
import type { FindLiveRun } from "./live-run.ts";
import { type LoadedRun, refreshRun } from "./loaded-run.ts";

/** Where runs come from: called again whenever the list is shown, so that new runs appear. */
export type RunFolders = () => Promise<readonly string[]>;

/** The runs a server shows, read once and brought up to date behind its back. */
export interface RunShelf {
  /** By id, oldest first. */
  folders(): Promise<ReadonlyMap<string, string>>;
  /**
   * The run as last read; one that was never read is read first. An older reading is answered at once and refreshed
   * meanwhile. Rejects with an `AleError`: `unknown-run`, or what `openRun` says of a damaged one.
   */
  get(id: string): Promise<LoadedRun>;
  /** Reads what changed on the disk, and resolves when that is done. */
  refresh(id: string): Promise<LoadedRun>;
}

export interface RunShelfOptions {
  readonly folders: RunFolders;
  /** Tells since when a run goes on. */
  readonly live: FindLiveRun;
  readonly clock: Clock;
  /** Leaves the runs' indexes as they are. Default: they are used, and brought up to date. */
  readonly withoutIndex?: boolean;
}

interface Slot {
  run: LoadedRun | undefined;
  refreshing: Promise<LoadedRun> | undefined;
  /** Monotonic time before which no refresh is due. */
  freshUntil: number;
}

export function createRunShelf({ folders, live, clock, withoutIndex = false }: RunShelfOptions): RunShelf {
  const slots = new Map<string, Slot>();

  async function byId(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const dir of await folders()) {
      if ([...found.values()].includes(dir)) continue;
      let id = basename(dir);
      for (let number = 2; found.has(id); number++) id = `${basename(dir)}-${number}`;
      found.set(id, dir);
    }
    return found;
  }

  async function slotOf(id: string): Promise<{ readonly slot: Slot; readonly dir: string }> {
    const dir = (await byId()).get(id);
    if (dir === undefined) {
      throw new AleError({
        code: "unknown-run",
        message: `there is no run ${id} here`,
        remedy: "see the list of runs",
      });
    }
    const slot = slots.get(dir) ?? { run: undefined, refreshing: undefined, freshUntil: 0 };
    slots.set(dir, slot);
    return { slot, dir };
  }

  function start(slot: Slot, id: string, dir: string): Promise<LoadedRun> {
    const began = clock.monotonic();
    slot.refreshing ??= live(dir)
      .then((going) =>
        refreshRun({
          ...{ id, dir, before: slot.run, now: clock.now(), withoutIndex },
          ...(going?.here === true ? { since: going.since } : {}),
        }),
      )
      .then((run) => {
        slot.run = run;
        return run;
      })
      .finally(() => {
        slot.refreshing = undefined;
        // A large run is read again the less often the longer that takes.
        const ended = clock.monotonic();
        slot.freshUntil = ended + 1000 + 10 * (ended - began);
      });
    return slot.refreshing;
  }

  return {
    folders: byId,
    async get(id) {
      const { slot, dir } = await slotOf(id);
      if (slot.run === undefined) return start(slot, id, dir);
      if (clock.monotonic() >= slot.freshUntil) {
        // A run that vanished meanwhile is still answered from memory; the next reading says what is wrong.
        start(slot, id, dir).catch(() => slots.delete(dir));
      }
      return slot.run;
    },
    async refresh(id) {
      const { slot, dir } = await slotOf(id);
      return start(slot, id, dir);
    },
  };
}
