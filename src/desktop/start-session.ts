import { AleError } from "../contract/ale-error.ts";
import { sandboxLayout } from "../contract/sandbox-layout.ts";
import { describeEnd, succeeded } from "../sandbox/command.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { switchAccessibilityOn } from "./accessibility/read-accessibility-tree.ts";
import { notStarted } from "./not-started.ts";
import { applicationsMenu } from "./profile/applications-menu.ts";
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

/**
 * Starts the agent's session on a display that is there: session bus, window manager with taskbar and menu. `managed`
 * resolves when a window manager has the screen, and rejects when none comes; its signal is aborted when nobody waits any more.
 * Rejects with `desktop-start` when none comes, or ours ends.
 */
export async function startSession(
  sandbox: Sandbox,
  options: SessionOptions,
  managed: (over: AbortSignal) => Promise<void>,
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
  const over = new AbortController();
  try {
    await Promise.race([managed(over.signal), ended]);
  } catch (cause) {
    await manager.stop(0);
    throw notStarted("its window manager never took the screen", undefined, cause);
  } finally {
    over.abort();
  }
  return { env, [Symbol.asyncDispose]: () => manager.stop(0) };
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
