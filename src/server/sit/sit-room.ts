import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import type { SittingDesk } from "../../contract/sitting-desk.ts";
import type { SittingEnd } from "../../contract/sitting-end.ts";
import type { SitResult, SitView } from "../api/sit-view.ts";

export interface SitRoomOptions {
  readonly instance: string;
  readonly title: string;
  readonly contestant: string;
  readonly clock: Clock;
}

/** What is between the exam and the page of one sitting. */
export interface SitRoom {
  view(): SitView;
  /** The desk, while there is work at it. Throws `desk-closed` before and after. */
  desk(): SittingDesk;
  /** Lets a person work; resolves with how they ended, or `undefined` when the signal is aborted first. */
  open(desk: SittingDesk, signal: AbortSignal): Promise<SittingEnd | undefined>;
  /** The person's own end. Throws `desk-closed` when the work is over. */
  end(how: SittingEnd): void;
  /** Shows what it came to, or why there is nothing to show. */
  settle(result: SitResult): void;
  fail(message: string): void;
  /** The person has seen it. */
  leave(): void;
  readonly left: Promise<void>;
}

type State =
  | { readonly phase: "preparing" }
  | {
      readonly phase: "working";
      readonly desk: SittingDesk;
      readonly finish: (end: SittingEnd | undefined) => void;
    }
  | { readonly phase: "grading" }
  | { readonly phase: "ended"; readonly result: SitResult }
  | { readonly phase: "failed"; readonly message: string };

/** A room for one sitting. */
export function createSitRoom(options: SitRoomOptions): SitRoom {
  const { clock, ...names } = options;
  let state: State = { phase: "preparing" };
  const leaving = Promise.withResolvers<void>();

  function working(): Extract<State, { phase: "working" }> {
    if (state.phase === "working") return state;
    const message = state.phase === "preparing" ? "the machine is not ready yet" : "the work is over";
    throw new AleError({ code: "desk-closed", message });
  }

  return {
    view() {
      if (state.phase !== "working") return { ...names, ...state };
      const { instruction, outputs, startedAt, deadline, screen } = state.desk;
      return {
        ...names,
        phase: "working",
        instruction,
        outputs,
        startedAt,
        ...(deadline === undefined ? {} : { deadline }),
        ...(screen === undefined ? {} : { screen: { width: screen.width, height: screen.height } }),
        now: clock.now(),
      };
    },
    desk: () => working().desk,
    async open(desk, signal) {
      const finished = Promise.withResolvers<SittingEnd | undefined>();
      const stop = (): void => finished.resolve(undefined);
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      state = { phase: "working", desk, finish: finished.resolve };
      const end = await finished.promise;
      signal.removeEventListener("abort", stop);
      state = { phase: "grading" };
      return end;
    },
    end(how) {
      working().finish(how);
      state = { phase: "grading" };
    },
    settle(result) {
      state = { phase: "ended", result };
    },
    fail(message) {
      state = { phase: "failed", message };
    },
    leave: () => leaving.resolve(),
    left: leaving.promise,
  };
}
