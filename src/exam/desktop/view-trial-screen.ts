import { access } from "node:fs/promises";
import { AleError } from "../../contract/ale-error.ts";
import type { ScreenView } from "../../contract/screen-view.ts";
import { viewShownScreen } from "../../desktop/view/view-shown-screen.ts";
import { orAbsent } from "../../files/or-absent.ts";
import { systemCode } from "../../files/system-code.ts";
import { screenSocket } from "./screen-socket.ts";

/** An attempt that is going on in another process of this host. */
export interface RunningAttempt {
  /** Its conductor's folder. */
  readonly screens: string;
  readonly trial: string;
  readonly attempt: number;
}

/**
 * The screen of an attempt; `undefined` while it shows none: before its agent begins, after it has ended, and always where
 * the task is not done at a screen. Rejects with `screen-gone` when its process has just died, and with `screen-not-yours` when
 * another user runs it.
 */
export async function viewTrialScreen(running: RunningAttempt): Promise<ScreenView | undefined> {
  const socket = screenSocket(running.screens, running.trial, running.attempt);
  if (!(await isThere(socket))) return undefined;
  try {
    return await viewShownScreen(socket);
  } catch (error) {
    // It ended between the two looks.
    if (!(await isThere(socket))) return undefined;
    throw error;
  }
}

async function isThere(socket: string): Promise<boolean> {
  try {
    return (await orAbsent(access(socket).then(() => true))) === true;
  } catch (error) {
    if (systemCode(error) !== "EACCES") throw error;
    throw new AleError({
      code: "screen-not-yours",
      message: "another user of this machine runs the trial, and shows its screen to nobody else",
      remedy: "run npx ale watch as that user",
      cause: error,
    });
  }
}
