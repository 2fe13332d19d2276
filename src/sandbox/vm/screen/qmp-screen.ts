import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../../contract/ale-error.ts";
import type { Clock } from "../../../contract/clock.ts";
import type { JsonValue } from "../../../contract/json-value.ts";
import { checkPoint } from "../../frame/check-point.ts";
import { untilQuiet } from "../../frame/quiet-frames.ts";
import { frameFromPixmap, type RgbFrame } from "../../frame/rgb-frame.ts";
import { screenshotOf } from "../../frame/screenshot-of.ts";
import type {
  PointerButton,
  Screen,
  ScreenPoint,
  Screenshot,
  ScreenshotOptions,
  ScreenWindow,
} from "../../screen.ts";
import type { QmpClient } from "../qemu/qmp-client.ts";
import type { GuestDesktop } from "./guest-desktop.ts";
import { qcodeOf, strokeFor } from "./qcode-of.ts";

/** The range of an absolute pointer in QEMU. */
const pointerRange = 0x7fff;

export interface QmpScreenParts {
  readonly monitor: QmpClient;
  readonly clock: Clock;
  /** The machine's folder, where pictures pass through. */
  readonly folder: string;
  /** Absent for guests whose desktop cannot be asked. */
  readonly desktop?: GuestDesktop;
}

/** A virtual machine's screen, pointer and keyboard as its hardware sees them: no program in the guest is needed. */
export class QmpScreen implements Screen {
  readonly width: number;
  readonly height: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly isBare?: true;
  readonly #parts: QmpScreenParts;
  #pointer: ScreenPoint;
  #pictures = 0;

  private constructor(parts: QmpScreenParts, first: RgbFrame) {
    this.#parts = parts;
    this.width = first.width;
    this.height = first.height;
    if (parts.desktop !== undefined) {
      this.env = parts.desktop.env;
      if (parts.desktop.isBare === true) this.isBare = true;
    }
    this.#pointer = { x: Math.floor(first.width / 2), y: Math.floor(first.height / 2) };
  }

  static async open(parts: QmpScreenParts): Promise<QmpScreen> {
    const screen = new QmpScreen(parts, await dump(parts, join(parts.folder, "first.ppm")));
    await screen.move(screen.#pointer);
    return screen;
  }

  async screenshot(options: ScreenshotOptions = {}): Promise<Screenshot> {
    return screenshotOf(await this.#frame(), options);
  }

  /** Where it was last put: a guest's own programs cannot be asked by the hardware. */
  async cursor(): Promise<ScreenPoint> {
    return this.#pointer;
  }

  async move({ x, y }: ScreenPoint): Promise<void> {
    checkPoint({ x, y }, this);
    await this.#send([
      { type: "abs", data: { axis: "x", value: scaled(x, this.width) } },
      { type: "abs", data: { axis: "y", value: scaled(y, this.height) } },
    ]);
    this.#pointer = { x, y };
  }

  async button(button: PointerButton, action: "down" | "up"): Promise<void> {
    await this.#send([{ type: "btn", data: { button, down: action === "down" } }]);
  }

  async scroll({ x, y }: { readonly x: number; readonly y: number }): Promise<void> {
    await this.#turn(y > 0 ? "wheel-down" : "wheel-up", Math.abs(y));
    await this.#turn(x > 0 ? "wheel-right" : "wheel-left", Math.abs(x));
  }

  async key(key: string, action: "down" | "up"): Promise<void> {
    await this.#key(qcodeOf(key), action === "down");
  }

  async type(text: string): Promise<void> {
    const lines = text.replaceAll(/\r\n?/g, "\n");
    const { desktop } = this.#parts;
    const foreign = [...lines].find((character) => strokeFor(character) === undefined);
    if (foreign !== undefined) {
      if (desktop === undefined) {
        const message = `This machine's keyboard has no key for ${JSON.stringify(foreign)}.`;
        throw new AleError({ code: "screen-unsupported", message });
      }
      await desktop.type(lines);
      return;
    }
    for (const character of lines) {
      const stroke = strokeFor(character);
      if (stroke === undefined) continue;
      if (stroke.shift) await this.#key("shift", true);
      await this.#key(stroke.qcode, true);
      await this.#key(stroke.qcode, false);
      if (stroke.shift) await this.#key("shift", false);
      // The guest's queue of keys is short, and what does not fit is lost.
      await this.#parts.clock.sleep(8);
    }
  }

  async readClipboard(): Promise<string> {
    return this.#desktop("its clipboard").readClipboard();
  }

  async writeClipboard(text: string): Promise<void> {
    await this.#desktop("its clipboard").writeClipboard(text);
  }

  async windows(): Promise<readonly ScreenWindow[]> {
    return this.#desktop("its windows").windows();
  }

  async focus(window: string): Promise<void> {
    await this.#desktop("its windows").focus(window);
  }

  async quiet({
    quietMs,
    limitMs,
  }: {
    readonly quietMs: number;
    readonly limitMs: number;
  }): Promise<boolean> {
    return untilQuiet({ frame: () => this.#frame(), clock: this.#parts.clock, quietMs, limitMs });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The screen is the machine's, and goes with it.
  }

  #frame(): Promise<RgbFrame> {
    return dump(this.#parts, join(this.#parts.folder, `screen-${this.#pictures++ % 8}.ppm`));
  }

  async #turn(button: string, notches: number): Promise<void> {
    for (let notch = 0; notch < notches; notch++) {
      await this.#send([{ type: "btn", data: { button, down: true } }]);
      await this.#send([{ type: "btn", data: { button, down: false } }]);
    }
  }

  async #key(qcode: string, down: boolean): Promise<void> {
    await this.#send([{ type: "key", data: { down, key: { type: "qcode", data: qcode } } }]);
  }

  async #send(events: readonly JsonValue[]): Promise<void> {
    await gone(this.#parts.monitor.run("input-send-event", { events: [...events] }));
  }

  #desktop(what: string): GuestDesktop {
    if (this.#parts.desktop !== undefined) return this.#parts.desktop;
    const message = `The screen of this machine does not tell ${what}.`;
    throw new AleError({ code: "screen-unsupported", message });
  }
}

/** Middle of the pixel, so that the guest's rounding finds it again. */
function scaled(at: number, size: number): number {
  return Math.min(pointerRange, Math.round(((at + 0.5) / size) * pointerRange));
}

async function dump({ monitor }: QmpScreenParts, path: string): Promise<RgbFrame> {
  await gone(monitor.run("screendump", { filename: path }));
  const frame = frameFromPixmap(await readFile(path));
  await rm(path);
  return frame;
}

/** A machine that has ended has no screen any more. */
async function gone<T>(act: Promise<T>): Promise<T> {
  try {
    return await act;
  } catch (error) {
    if (!AleError.isInstance(error) || error.code !== "sandbox-gone") throw error;
    const message = "The screen is gone: the virtual machine has ended.";
    throw new AleError({ code: "screen-gone", message, cause: error });
  }
}
