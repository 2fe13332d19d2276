import { once } from "node:events";
import { AleError } from "../contract/ale-error.ts";
import type { JsonValue } from "../contract/json-value.ts";
import { sandboxLayout } from "../contract/sandbox-layout.ts";
import { describeEnd, succeeded } from "../sandbox/command.ts";
import type { Sandbox, SandboxProcess } from "../sandbox/sandbox.ts";
import type { Screen } from "../sandbox/screen.ts";
import { switchAccessibilityOn } from "./accessibility/read-accessibility-tree.ts";
import type { DesktopOptions, ResolvedDesktopOptions } from "./desktop-options.ts";
import { type DisplayState, judgeDisplayEnd, judgeStuckDisplay, type LostDisplay } from "./display-state.ts";
import { applicationsMenu } from "./profile/applications-menu.ts";
import { desktopProfile } from "./profile/desktop-profile.ts";
import { layOutKicadLibraries } from "./profile/kicad-libraries.ts";
import { createX11Screen } from "./x11/create-x11-screen.ts";

/** A desktop that runs inside a sandbox. Disposing of it ends the display, and with it the programs that show on it. */
export interface Desktop extends AsyncDisposable {
  readonly screen: Screen;
  /** For every program that is to show on it. */
  readonly env: Readonly<Record<string, string>>;
  /** How the display is doing now. */
  readonly state: () => DisplayState;
  /** Resolves when the display has ended, whoever ended it. */
  readonly ended: Promise<LostDisplay>;
  /** Whose doing it is that the screen answers nothing. Rejects with `screen-gone` where it is lost altogether. */
  readonly judgeStuck: () => Promise<LostDisplay>;
  /** Size, dots per inch, server: equal for equal desktops. */
  readonly fingerprint: JsonValue;
}

const smallestSide = 200;
const largestSide = 4096;
const managerLimitMs = 15_000;
const busAddress = "unix:path=/tmp/.ale-session-bus";

/**
 * Starts a display of the agent's own: X server, window manager with taskbar, session bus, profiles without first-run
 * boxes. The agent may end it, which is told apart. Rejects with `desktop-start` when a program is missing or does not
 * come up; nothing is left running then.
 */
export async function startDesktop(sandbox: Sandbox, options: DesktopOptions = {}): Promise<Desktop> {
  const wanted = resolved(options);
  await requirePrograms(sandbox);
  await using cleanup = new AsyncDisposableStack();
  await layOutProfile(sandbox);
  await layOutKicadLibraries(sandbox);
  await setChromiumFlags(sandbox, wanted);
  const server = cleanup.use(await startServer(sandbox, wanted));
  const env = environmentOf(wanted, await startBus(sandbox));
  if (wanted.accessibility) await switchAccessibilityOn(sandbox, env);
  const screen = cleanup.use(await createX11Screen(sandbox, wanted));
  const menu = `${sandboxLayout.home}/.config/openbox/menu.xml`;
  await sandbox.writeFile(menu, applicationsMenu(await screen.applications()));
  // Last in, first out: programs of the session end before the display they show on.
  const manager = await sandbox.spawn(["openbox", "--startup", "tint2"], {
    // At each change of the keyboard's layout it reads the file of compose sequences anew, for 20 ms.
    env: { ...env, XCOMPOSEFILE: "/dev/null" },
  });
  cleanup.defer(() => manager.stop(0));
  manager.stdout.resume();
  manager.stderr.resume();
  const managerEnded = manager.ended.then(({ end }): never => {
    throw new AleError({ code: "desktop-start", message: `openbox ended: ${describeEnd(end)}` });
  });
  await Promise.race([screen.managed(managerLimitMs), managerEnded]).catch(async (cause: unknown) => {
    const shot = await screen.screenshot({ format: "jpeg" }).catch(() => undefined);
    if (shot !== undefined) options.onFailure?.(shot);
    throw notStarted("its window manager never took the screen", undefined, cause);
  });
  await screen.quiet({ quietMs: 150, limitMs: 3000 });
  const kept = cleanup.move();
  let isOurs = false;
  return {
    screen,
    env,
    state: () => (isOurs ? endedByOwner : server.state()),
    ended: server.ended.then((state) => (isOurs ? endedByOwner : state)),
    judgeStuck: async () => judgeStuckDisplay(await screen.serverState()),
    fingerprint: {
      server: "Xvfb",
      width: wanted.width,
      height: wanted.height,
      dpi: wanted.dpi,
      display: wanted.display,
      // Programs start otherwise with it.
      ...(wanted.accessibility ? { accessibility: true } : {}),
    },
    async [Symbol.asyncDispose]() {
      if (server.state().state === "running") isOurs = true;
      await kept.disposeAsync();
    },
  };
}

const endedByOwner: LostDisplay = { state: "ended", by: "owner", message: "the desktop was closed" };

function resolved(options: DesktopOptions): ResolvedDesktopOptions {
  const { width = 1280, height = 800, dpi = 96, display = 1 } = options;
  for (const side of [width, height]) {
    if (Number.isInteger(side) && side >= smallestSide && side <= largestSide) continue;
    throw new AleError({
      code: "desktop-options",
      message: `A screen of ${width} × ${height} pixels cannot be made.`,
      remedy: `Each side is a whole number from ${smallestSide} to ${largestSide}.`,
    });
  }
  return {
    width,
    height,
    dpi,
    display,
    node: options.node ?? sandboxLayout.node,
    isFar: options.isFar ?? false,
    accessibility: options.accessibility ?? false,
  };
}

async function layOutProfile(sandbox: Sandbox): Promise<void> {
  // Files the task has put there before are left as they are.
  const argv = ["tar", "--extract", "--file=-", "--skip-old-files", `--directory=${sandboxLayout.home}`];
  const result = await sandbox.exec(argv, { stdin: await desktopProfile() });
  if (!succeeded(result)) {
    throw notStarted(
      `its profiles could not be laid out: ${Buffer.from(result.stderr).toString("utf8").trim()}`,
    );
  }
}

/** Read by the start script of Debian's Chromium. Where the system cannot be written to, it starts as it always does. */
async function setChromiumFlags(sandbox: Sandbox, { accessibility }: ResolvedDesktopOptions): Promise<void> {
  const flags = ["--no-first-run", "--password-store=basic", "--disable-gpu"];
  if (accessibility) flags.push("--force-renderer-accessibility");
  const stdin = `CHROMIUM_FLAGS="$CHROMIUM_FLAGS ${flags.join(" ")}"\n`;
  await sandbox.exec(["tee", "/etc/chromium.d/ale-desktop"], { user: "root", stdin });
}

interface DisplayServer extends AsyncDisposable {
  readonly state: () => DisplayState;
  readonly ended: Promise<LostDisplay>;
}

async function startServer(sandbox: Sandbox, options: ResolvedDesktopOptions): Promise<DisplayServer> {
  // Only the administrator's folder of sockets is trusted by X programs.
  await sandbox.exec(["install", "-d", "-m", "1777", "/tmp/.X11-unix"], { user: "root" });
  const { width, height, dpi, display } = options;
  const running = await sandbox.spawn([
    ...["Xvfb", `:${display}`, "-screen", "0", `${width}x${height}x24`, "-dpi", String(dpi)],
    // A socket in a folder of the machine's own; an abstract one is shared wherever the network is.
    ...["-nolisten", "tcp", "-nolisten", "local", "-noreset", "-displayfd", "1"],
  ]);
  let complaint = "";
  running.stderr.on("data", (chunk: Buffer) => {
    complaint = `${complaint}${chunk.toString("utf8")}`.slice(-4000);
  });
  let state: DisplayState = { state: "running" };
  const ended = running.ended.then(({ end }) => {
    const lost = judgeDisplayEnd(end, complaint);
    state = lost;
    return lost;
  });
  if (await isReady(running)) {
    return { state: () => state, ended, [Symbol.asyncDispose]: () => running.stop(2000) };
  }
  await running.ended;
  throw notStarted(`the display server did not come up: ${complaint.trim()}`);
}

/** Without these no window ever comes, and nothing says why. */
async function requirePrograms(sandbox: Sandbox): Promise<void> {
  const programs = ["Xvfb", "openbox", "tint2"];
  const { stdout } = await sandbox.exec(["which", ...programs]);
  const found = Buffer.from(stdout).toString("utf8").trim().split("\n");
  const missing = programs.filter((program) => !found.some((path) => path.endsWith(`/${program}`)));
  if (missing.length === 0) return;
  throw notStarted(
    `there is no program ${missing.join(", ")} on the machine`,
    "Install the packages xvfb, openbox, tint2 and xterm on it.",
  );
}

/** Its number on standard output means that it takes connections. */
async function isReady(running: SandboxProcess): Promise<boolean> {
  const ready = once(running.stdout, "data").then(() => true);
  const first = await Promise.race([ready, running.ended.then(() => false)]);
  running.stdout.resume();
  return first;
}

/** Programs find each other over it; without the package they do without. */
async function startBus(sandbox: Sandbox): Promise<boolean> {
  const argv = ["dbus-daemon", "--session", `--address=${busAddress}`, "--fork", "--nosyslog"];
  return succeeded(await sandbox.exec(argv));
}

function environmentOf(
  { display, accessibility }: ResolvedDesktopOptions,
  hasBus: boolean,
): Readonly<Record<string, string>> {
  return {
    DISPLAY: `:${display}`,
    GDK_BACKEND: "x11",
    QT_QPA_PLATFORM: "xcb",
    LIBGL_ALWAYS_SOFTWARE: "1",
    ...(hasBus ? { DBUS_SESSION_BUS_ADDRESS: busAddress } : {}),
    ...(accessibility
      ? { GTK_MODULES: "gail:atk-bridge", QT_LINUX_ACCESSIBILITY_ALWAYS_ON: "1" }
      : { NO_AT_BRIDGE: "1" }),
  };
}

function notStarted(message: string, remedy?: string, cause?: unknown): AleError {
  return new AleError({
    code: "desktop-start",
    message: `The desktop could not be started: ${message}.`,
    ...(remedy === undefined ? {} : { remedy }),
    ...(cause === undefined ? {} : { cause }),
  });
}
