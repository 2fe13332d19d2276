import type { LastScreen } from "../../contract/last-screen.ts";
import { writePicture } from "../../desktop/recording/write-picture.ts";
import type { Screenshot } from "../../sandbox/screen.ts";

/** What an attempt's screen was last seen to show. */
export interface ScreenEvidence {
  /** @param at milliseconds since the Unix epoch. */
  see(shot: Screenshot, at: number): void;
  /** Writes it to the record; `undefined` where no screen was ever seen. */
  keep(): Promise<LastScreen | undefined>;
}

/** @param folder the attempt's. */
export function createScreenEvidence(folder: string): ScreenEvidence {
  let last: { readonly shot: Screenshot; readonly at: number } | undefined;
  return {
    see(shot, at) {
      last = { shot, at };
    },
    async keep() {
      return last === undefined ? undefined : { ...(await writePicture(folder, last.shot)), at: last.at };
    },
  };
}
