import type { Clock } from "../contract/clock.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Screen } from "../sandbox/screen.ts";
import { layOutProfiles } from "./profile/lay-out-profiles.ts";
import { requirePrograms } from "./require-programs.ts";
import { type DesktopSession, type SessionOptions, startSession } from "./start-session.ts";

/** A machine that has ended answers at once, and must not be asked without a rest. */
const askEveryMs = 100;

/**
 * Starts the session of a machine's own screen on which nothing runs. `limitMs` is for the window manager, and again for the
 * taskbar, in milliseconds. Rejects with `desktop-start`.
 */
export async function startSessionOn(
  screen: Screen,
  sandbox: Sandbox,
  options: SessionOptions & { readonly limitMs: number; readonly clock: Clock },
): Promise<DesktopSession> {
  await requirePrograms(sandbox, ["openbox", "tint2"]);
  await layOutProfiles(sandbox, options.accessibility);
  const { clock, limitMs, display } = options;
  const until = clock.monotonic() + limitMs;
  const session = await startSession(sandbox, options, async (over) => {
    for (;;) {
      try {
        // Without a window manager there are no windows to be told of.
        await screen.windows();
        return;
      } catch (error) {
        if (clock.monotonic() >= until) throw error;
      }
      await clock.sleep(askEveryMs, over);
    }
  });
  // The taskbar comes last, and a slow machine takes seconds for it. Where the tool is missing, it comes when it comes.
  await sandbox.exec(["xdotool", "search", "--sync", "--onlyvisible", "--class", "tint2"], {
    env: display,
    timeoutMs: limitMs,
  });
  await screen.quiet({ quietMs: 500, limitMs });
  return session;
}
