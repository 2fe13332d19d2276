import * as fs from "node:fs";
import { coreRequest, DriverError, type XConnection } from "./connection.ts";
import { clientMessage, type Display, readNumbers, readProperty, sendEvent } from "./display.ts";

export interface WindowFacts {
  readonly id: string;
  readonly title: string;
  readonly program: string;
  readonly focused: boolean;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What a window manager listens to on the root: SubstructureNotify and SubstructureRedirect. */
const toWindowManager = 0x180000;
const clientMessageType = 33;
/** Not black: a screen on which nothing works is black. */
const background = 0x4a6178;
const focusLimitMs = 2000;
const wantedSleeps = 4;
const sleepSampleMs = 5;

/** Windows as the window manager tells of them (Extended Window Manager Hints 1.5). */
export class Windows {
  readonly #display: Display;
  #pings = 0;

  constructor(display: Display) {
    this.#display = display;
    const { x, root } = display;
    // Answers to pings come to whoever selects SubstructureNotify on the root.
    const select = coreRequest(2, 0, 12);
    select.writeUInt32LE(root, 4);
    select.writeUInt32LE(0x800, 8);
    select.writeUInt32LE(0x80000, 12);
    x.send(select);
  }

  /** Topmost last. */
  async list(): Promise<readonly WindowFacts[]> {
    const { x, root } = this.#display;
    const [stacked, active] = await Promise.all([
      readNumbers(x, root, "_NET_CLIENT_LIST_STACKING"),
      this.#active(),
    ]);
    const facts = await Promise.all(stacked.map((window) => this.#describe(window, window === active)));
    return facts.filter((item) => item !== undefined);
  }

  /** Colours the empty screen, and resolves when a window manager runs. */
  async managed(limitMs: number): Promise<void> {
    const { x, root, width, height } = this.#display;
    const colour = coreRequest(2, 0, 12);
    colour.writeUInt32LE(root, 4);
    colour.writeUInt32LE(2, 8);
    colour.writeUInt32LE(background, 12);
    x.send(colour);
    const clear = coreRequest(61, 0, 12);
    clear.writeUInt32LE(root, 4);
    clear.writeUInt16LE(width, 12);
    clear.writeUInt16LE(height, 14);
    x.send(clear);
    for (const end = Date.now() + limitMs; Date.now() < end; ) {
      const [check = 0] = await readNumbers(x, root, "_NET_SUPPORTING_WM_CHECK");
      // What an earlier one has left on the root leads to a window that is gone.
      if (check !== 0 && (await readNumbers(x, check, "_NET_SUPPORTING_WM_CHECK"))[0] === check) return;
      await pause(10);
    }
    throw new DriverError("screen-window", "no window manager has taken the screen");
  }

  async focus(id: string): Promise<void> {
    const { x, root } = this.#display;
    const window = (await readNumbers(x, root, "_NET_CLIENT_LIST_STACKING")).find(
      (item) => String(item) === id,
    );
    if (window === undefined) throw new DriverError("screen-window", `there is no window ${id}`);
    // Source 2: a pager, whose wish is not refused.
    const message = clientMessage(window, await x.atom("_NET_ACTIVE_WINDOW"), [2, 0, 0]);
    sendEvent(x, root, toWindowManager, message);
    for (const end = Date.now() + focusLimitMs; Date.now() < end; ) {
      if ((await this.#active()) === window) return;
      await pause(10);
    }
    throw new DriverError("screen-window", `window ${id} was not given the focus`);
  }

  /**
   * Resolves when the program with the focus has read all it was sent so far, at most after `limitMs`. One that answers no
   * such question is looked at from the outside; where even its process is unknown, after `pauseMs`.
   */
  async settled(limitMs: number, pauseMs: number): Promise<void> {
    const { x } = this.#display;
    const active = await this.#active();
    const [protocols, ping] = await Promise.all([x.atom("WM_PROTOCOLS"), x.atom("_NET_WM_PING")]);
    const answers = active === 0 ? [] : await readNumbers(x, active, "WM_PROTOCOLS");
    if (!answers.includes(ping)) {
      const [pid] = active === 0 ? [] : await readNumbers(x, active, "_NET_WM_PID");
      return pid === undefined ? pause(pauseMs) : untilAsleep(x, pid, limitMs);
    }
    const number = ++this.#pings;
    const answered = new Promise<void>((resolve) => {
      const stop = x.listen((event) => {
        const isAnswer =
          (event.readUInt8(0) & 0x7f) === clientMessageType &&
          event.readUInt32LE(12) === ping &&
          event.readUInt32LE(16) === number;
        if (isAnswer) done();
      });
      const timer = setTimeout(() => done(), limitMs);
      const done = (): void => {
        clearTimeout(timer);
        stop();
        resolve();
      };
    });
    sendEvent(x, active, 0, clientMessage(active, protocols, [ping, number, active]));
    await answered;
  }

  async #active(): Promise<number> {
    const { x, root } = this.#display;
    return (await readNumbers(x, root, "_NET_ACTIVE_WINDOW"))[0] ?? 0;
  }

  /** `undefined` for one that has gone meanwhile, and for the desktop's own furniture. */
  async #describe(window: number, focused: boolean): Promise<WindowFacts | undefined> {
    const { x, root } = this.#display;
    const geometry = coreRequest(14, 0, 4);
    geometry.writeUInt32LE(window, 4);
    const translate = coreRequest(40, 0, 12);
    translate.writeUInt32LE(window, 4);
    translate.writeUInt32LE(root, 8);
    try {
      const [types, dock, desktop, size, place, frame, title, classes] = await Promise.all([
        readNumbers(x, window, "_NET_WM_WINDOW_TYPE"),
        x.atom("_NET_WM_WINDOW_TYPE_DOCK"),
        x.atom("_NET_WM_WINDOW_TYPE_DESKTOP"),
        x.ask(geometry),
        x.ask(translate),
        readNumbers(x, window, "_NET_FRAME_EXTENTS"),
        this.#title(window),
        readProperty(x, window, "WM_CLASS"),
      ]);
      if (types.includes(dock) || types.includes(desktop)) return undefined;
      const [left = 0, right = 0, top = 0, bottom = 0] = frame;
      const names = classes.value.toString("latin1").split("\0");
      return {
        id: String(window),
        title,
        program: names[1] || (names[0] ?? ""),
        focused,
        x: place.readInt16LE(12) - left,
        y: place.readInt16LE(14) - top,
        width: size.readUInt16LE(16) + left + right,
        height: size.readUInt16LE(18) + top + bottom,
      };
    } catch (error) {
      if (error instanceof DriverError && error.code === "display-error") return undefined;
      throw error;
    }
  }

  async #title(window: number): Promise<string> {
    const { x } = this.#display;
    const name = await readProperty(x, window, "_NET_WM_NAME");
    if (name.format === 8) return name.value.toString("utf8");
    return (await readProperty(x, window, "WM_NAME")).value.toString("latin1");
  }
}

/**
 * A process that has something to read runs, or waits for its turn, or has asked the server and waits for its answer. One
 * that sleeps, and has not been awake since it was last looked at though the server has served everybody meanwhile, time
 * and again, has read all.
 */
async function untilAsleep(x: XConnection, pid: number, limitMs: number): Promise<void> {
  const end = Date.now() + limitMs;
  let last: string | undefined;
  for (let asleep = 0; asleep < wantedSleeps && Date.now() < end; ) {
    await pause(sleepSampleMs);
    await x.sync();
    const turns = turnsOfSleeper(pid);
    if (turns === "gone") return;
    asleep = turns !== undefined && turns === last ? asleep + 1 : 0;
    last = turns;
  }
}

/** How often each thread of a sleeping process has had its turn; `undefined` while one has it or wants it. */
function turnsOfSleeper(pid: number): string | "gone" | undefined {
  const folder = `/proc/${pid}/task`;
  try {
    const threads = fs
      .readdirSync(folder)
      .map((thread) => [thread, fs.readFileSync(`${folder}/${thread}/status`, "utf8")] as const);
    if (threads.some(([, status]) => !/^State:\s+S/m.test(status))) return undefined;
    return threads
      .map(([thread, status]) => [thread, ...(status.match(/(?<=ctxt_switches:\s+)\d+/g) ?? [])].join(" "))
      .join("\n");
  } catch {
    return fs.existsSync(folder) ? undefined : "gone";
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
