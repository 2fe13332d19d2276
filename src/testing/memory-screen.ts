import { AleError } from "../contract/ale-error.ts";
import { encodeFrame } from "../sandbox/frame/encode-frame.ts";
import type { Screen, ScreenPoint, Screenshot, ScreenshotOptions, ScreenWindow } from "../sandbox/screen.ts";

/** How a screen fails: it is lost, or it does not answer. */
export type ScreenFailure = "screen-gone" | "screen-stuck";

/** A public double: a small screen of one colour, without programs, that fails when it is told to. */
export class MemoryScreen implements Screen {
  readonly width = 320;
  readonly height = 200;
  /** Of every pixel, from 0 to 255. */
  shade = 0;
  /** Every look and act is refused so, from when it is set until it is set back. */
  failure: ScreenFailure | undefined;
  /** Looks so far, those in vain included. */
  looks = 0;
  #cursor: ScreenPoint = { x: 0, y: 0 };
  #clipboard = "";

  async screenshot(options: ScreenshotOptions = {}): Promise<Screenshot> {
    this.looks++;
    this.#meet();
    const { width, height } = options.region ?? this;
    const pixels = new Uint8Array(width * height * 3).fill(this.shade);
    const picture = await encodeFrame({ width, height, pixels }, options);
    return { ...picture, revision: String(this.shade) };
  }

  async cursor(): Promise<ScreenPoint> {
    this.#meet();
    return this.#cursor;
  }

  async move(to: ScreenPoint): Promise<void> {
    this.#meet();
    this.#cursor = to;
  }

  async button(): Promise<void> {
    this.#meet();
  }

  async scroll(): Promise<void> {
    this.#meet();
  }

  async key(): Promise<void> {
    this.#meet();
  }

  async type(): Promise<void> {
    this.#meet();
  }

  async readClipboard(): Promise<string> {
    this.#meet();
    return this.#clipboard;
  }

  async writeClipboard(text: string): Promise<void> {
    this.#meet();
    this.#clipboard = text;
  }

  async windows(): Promise<readonly ScreenWindow[]> {
    this.#meet();
    return [];
  }

  async focus(window: string): Promise<void> {
    this.#meet();
    throw new AleError({ code: "screen-window", message: `There is no window ${window}.` });
  }

  async quiet(): Promise<boolean> {
    this.#meet();
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #meet(): void {
    if (this.failure !== undefined) {
      throw new AleError({
        code: this.failure,
        message: `The screen fails as it was told to: ${this.failure}.`,
      });
    }
  }
}
