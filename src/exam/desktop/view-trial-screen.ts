import { access } from "node:fs/promises";
import type { ScreenView } from "../../contract/screen-view.ts";
import { viewShownScreen } from "../../desktop/view/view-shown-screen.ts";
import { orAbsent } from "../../record/file-error.ts";
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
 * the task is not done at a screen. Rejects with `screen-gone` when its process has just died.
 */
export async function viewTrialScreen(running: RunningAttempt): Promise<ScreenView | undefined> {
  const socket = screenSocket(running.screens, running.trial, running.attempt);
  const isThere = async (): Promise<boolean> => (await orAbsent(access(socket).then(() => true))) === true;
  if (!(await isThere())) return undefined;
  try {
    return await viewShownScreen(socket);
  } catch (error) {
    // It ended between the two looks.
    if (!(await isThere())) return undefined;
    throw error;
  }
}
