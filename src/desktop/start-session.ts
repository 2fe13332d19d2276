import { AleError } from "../contract/ale-error.ts";
import type { Clock } from "../contract/clock.ts";
import { sandboxLayout } from "../contract/sandbox-layout.ts";
import { describeEnd, succeeded } from "../sandbox/command.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Screen } from "../sandbox/screen.ts";
import { switchAccessibilityOn } from "./accessibility/read-accessibility-tree.ts";
import { applicationsMenu } from "./profile/applications-menu.ts";
import { desktopProfile } from "./profile/desktop-profile.ts";
import { layOutKicadLibraries } from "./profile/kicad-libraries.ts";
import { listApplications } from "./profile/list-applications.ts";

export interface SessionOptions {
  /** For programs that are to show on the display: `DISPLAY`. */
  readonly display: Readonly<Record<string, string>>;
  /** Lets programs tell what they show (AT-SPI), where the machine has it. */
  readonly accessibility: boolean;
}

/** What whoever works at a display works with. Disposing of it ends the window manager. */
export interface DesktopSession extends AsyncDisposable {
  /** For every program that is to show on the display. */
  readonly env: Readonly<Record<string, string>>;
}

const busAddress = "unix:path=/tmp/.ale-session-bus";

/** Profiles without first-run boxes, in the agent's home. Before the display is shown to anybody. */
export async function layOutProfiles(sandbox: Sandbox, accessibility: boolean): Promise<void> {
  // Files the task has put there before are left as they are.
  const argv = ["tar", "--extract", "--file=-", "--skip-old-files", `--directory=${sandboxLayout.home}`];
  const result = await sandbox.exec(argv, { stdin: await desktopProfile() });
  if (!succeeded(result)) {
    throw notStarted(
      `its profiles could not be laid out: ${Buffer.from(result.stderr).toString("utf8").trim()}`,
    );
  }
  await layOutKicadLibraries(sandbox);
  await setChromiumFlags(sandbox, accessibility);
}

/**
 * Starts the agent's session on a display that is there: session bus, window manager with taskbar and menu. `managed`
 * resolves when a window manager has the screen, and rejects when none comes. Rejects with `desktop-start` then.
 */
export async function startSession(
  sandbox: Sandbox,
  options: SessionOptions,
  managed: () => Promise<void>,
): Promise<DesktopSession> {
  const env = environmentOf(options, await startBus(sandbox));
  if (options.accessibility) await switchAccessibilityOn(sandbox, env);
  const menu = `${sandboxLayout.home}/.config/openbox/menu.xml`;
  await sandbox.writeFile(menu, applicationsMenu(await listApplications(sandbox)));
  const manager = await sandbox.spawn(["openbox", "--startup", "tint2"], {
    // At each change of the keyboard's layout it reads the file of compose sequences anew, for 20 ms.
    env: { ...env, XCOMPOSEFILE: "/dev/null" },
  });
  manager.stdout.resume();
  manager.stderr.resume();
  const ended = manager.ended.then(({ end }): never => {
    throw new AleError({ code: "desktop-start", message: `openbox ended: ${describeEnd(end)}` });
  });
  try {
    await Promise.race([managed(), ended]);
  } catch (cause) {
    await manager.stop(0);
    throw notStarted("its window manager never took the screen", undefined, cause);
  }
  ended.catch(() => undefined);
  return { env, [Symbol.asyncDispose]: () => manager.stop(0) };
}

/**
 * Starts the session of a machine's own screen on which nothing runs. `limitMs` is for the window manager, and again for the
 * taskbar, in milliseconds. Rejects with `desktop-start`.
 */
export async function startSessionOn(
  screen: Screen,
  sandbox: Sandbox,
  options: SessionOptions & { readonly limitMs: number; readonly clock: Pick<Clock, "monotonic"> },
): Promise<DesktopSession> {
  await requirePrograms(sandbox, ["openbox", "tint2"]);
  await layOutProfiles(sandbox, options.accessibility);
  const until = options.clock.monotonic() + options.limitMs;
  const session = await startSession(sandbox, options, async () => {
    for (;;) {
      try {
        // Without a window manager there are no windows to be told of.
        await screen.windows();
        return;
      } catch (error) {
        if (options.clock.monotonic() >= until) throw error;
      }
    }
  });
  // The taskbar comes last, and a slow machine takes seconds for it. Where the tool is missing, it comes when it comes.
  await sandbox.exec(["xdotool", "search", "--sync", "--onlyvisible", "--class", "tint2"], {
    env: options.display,
    timeoutMs: options.limitMs,
  });
  await screen.quiet({ quietMs: 500, limitMs: options.limitMs });
  return session;
}

/** Without these no window ever comes, and nothing says why. Rejects with `desktop-start` when one is missing. */
export async function requirePrograms(sandbox: Sandbox, programs: readonly string[]): Promise<void> {
  const { stdout } = await sandbox.exec(["which", ...programs]);
  const found = Buffer.from(stdout).toString("utf8").trim().split("\n");
  const missing = programs.filter((program) => !found.some((path) => path.endsWith(`/${program}`)));
  if (missing.length === 0) return;
  throw notStarted(
    `there is no program ${missing.join(", ")} on the machine`,
    `Install the packages ${[...programs, "xterm"].join(", ").toLowerCase()} on it.`,
  );
}

/** `The desktop could not be started: …`, coded `desktop-start`. */
export function notStarted(message: string, remedy?: string, cause?: unknown): AleError {
  return new AleError({
    code: "desktop-start",
    message: `The desktop could not be started: ${message}.`,
    ...(remedy === undefined ? {} : { remedy }),
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Read by the start script of Debian's Chromium. Where the system cannot be written to, it starts as it always does. */
async function setChromiumFlags(sandbox: Sandbox, accessibility: boolean): Promise<void> {
  const flags = ["--no-first-run", "--password-store=basic", "--disable-gpu"];
  if (accessibility) flags.push("--force-renderer-accessibility");
  const stdin = `CHROMIUM_FLAGS="$CHROMIUM_FLAGS ${flags.join(" ")}"\n`;
  await sandbox.exec(["tee", "/etc/chromium.d/ale-desktop"], { user: "root", stdin });
}

/** Programs find each other over it; without the package they do without. */
async function startBus(sandbox: Sandbox): Promise<boolean> {
  const argv = ["dbus-daemon", "--session", `--address=${busAddress}`, "--fork", "--nosyslog"];
  return succeeded(await sandbox.exec(argv));
}

function environmentOf(
  { display, accessibility }: SessionOptions,
  hasBus: boolean,
): Readonly<Record<string, string>> {
  return {
    ...display,
    GDK_BACKEND: "x11",
    QT_QPA_PLATFORM: "xcb",
    LIBGL_ALWAYS_SOFTWARE: "1",
    ...(hasBus ? { DBUS_SESSION_BUS_ADDRESS: busAddress } : {}),
    ...(accessibility
      ? { GTK_MODULES: "gail:atk-bridge", QT_LINUX_ACCESSIBILITY_ALWAYS_ON: "1" }
      : { NO_AT_BRIDGE: "1" }),
  };
}
