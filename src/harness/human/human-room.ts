import type { SittingDesk } from "../../contract/sitting-desk.ts";
import type { SittingEnd } from "../../contract/sitting-end.ts";

/** Where a person finds their desk: a page in the browser, for one. */
export interface HumanRoom {
  /** Resolves when the person says they are done, or with `undefined` soon after the signal is aborted. */
  open(desk: SittingDesk, signal: AbortSignal): Promise<SittingEnd | undefined>;
}
