import { once } from "node:events";
import { AleError } from "../contract/ale-error.ts";
import type { JsonValue } from "../contract/json-value.ts";
import { sandboxLayout } from "../contract/sandbox-layout.ts";
import type { Sandbox, SandboxProcess } from "../sandbox/sandbox.ts";
import type { Screen } from "../sandbox/screen.ts";
import type { DesktopOptions, ResolvedDesktopOptions } from "./desktop-options.ts";
import { type DisplayState, judgeDisplayEnd, judgeStuckDisplay, type LostDisplay } from "./display-state.ts";
import { notStarted } from "./not-started.ts";
import { layOutProfiles } from "./profile/lay-out-profiles.ts";
import { requirePrograms } from "./require-programs.ts";
import { startSession } from "./start-session.ts";
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

/**
 * Starts a display of the agent's own: X server, window manager with taskbar, session bus, profiles without first-run
 * boxes. The agent may end it, which is told apart. Rejects with `desktop-start` when a program is missing or does not
 * come up; nothing is left running then.
 */
export async function startDesktop(sandbox: Sandbox, options: DesktopOptions = {}): Promise<Desktop> {
  const wanted = resolved(options);
  await requirePrograms(sandbox, ["Xvfb", "openbox", "tint2"]);
  await using cleanup = new AsyncDisposableStack();
  await layOutProfiles(sandbox, wanted.accessibility);
  const server = cleanup.use(await startServer(sandbox, wanted));
  const screen = cleanup.use(await createX11Screen(sandbox, wanted));
  const { display, accessibility } = wanted;
  // Last in, first out: programs of the session end before the display they show on.
  const session = await startSession(sandbox, { display: { DISPLAY: `:${display}` }, accessibility }, () =>
    screen.managed(managerLimitMs),
  ).catch(async (error: unknown) => {
    const shot = await screen.screenshot({ format: "jpeg" }).catch(() => undefined);
    if (shot !== undefined) options.onFailure?.(shot);
    throw error;
  });
  cleanup.use(session);
  await screen.quiet({ quietMs: 150, limitMs: 3000 });
  const kept = cleanup.move();
  let isOurs = false;
  return {
    screen,
    env: session.env,
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

/** Its number on standard output means that it takes connections. */
async function isReady(running: SandboxProcess): Promise<boolean> {
  const ready = once(running.stdout, "data").then(() => true);
  const first = await Promise.race([ready, running.ended.then(() => false)]);
  running.stdout.resume();
  return first;
}
