import { AleError } from "../../contract/ale-error.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { encodeFrame } from "../../sandbox/frame/encode-frame.ts";
import type { RgbFrame } from "../../sandbox/frame/rgb-frame.ts";
import type {
  PointerButton,
  Screen,
  ScreenPoint,
  ScreenRegion,
  Screenshot,
  ScreenshotOptions,
  ScreenWindow,
} from "../../sandbox/screen.ts";
import { keysymOf, keysymsOfText } from "../keys/keysym-of.ts";
import type { DriverLink } from "./driver-link.ts";
import { HeldFrame } from "./held-frame.ts";

const buttons: Readonly<Record<PointerButton, number>> = { left: 1, middle: 2, right: 3 };
/** A wheel's notches are buttons: up, down, left, right. */
const wheel = { up: 4, down: 5, left: 6, right: 7 };
/** More than any hand turns; what is asked beyond it is a mistake. */
const mostNotches = 1000;
const keptPictures = 4;

/** A screen by way of the program beside its X server. */
export class X11Screen implements Screen {
  readonly width: number;
  readonly height: number;
  readonly #link: DriverLink;
  readonly #isPacked: boolean;
  readonly #frame: HeldFrame;
  readonly #close: () => Promise<void>;
  /** By options: what is asked for again while nothing has changed is not encoded again. */
  readonly #pictures = new Map<string, Screenshot>();
  #updated: Promise<unknown> = Promise.resolve();

  constructor(parts: {
    readonly link: DriverLink;
    readonly width: number;
    readonly height: number;
    readonly isPacked: boolean;
    readonly close: () => Promise<void>;
  }) {
    this.#link = parts.link;
    this.width = parts.width;
    this.height = parts.height;
    this.#isPacked = parts.isPacked;
    this.#frame = new HeldFrame(parts.width, parts.height);
    this.#close = parts.close;
  }

  async screenshot(options: ScreenshotOptions = {}): Promise<Screenshot> {
    const region = options.region ?? { x: 0, y: 0, width: this.width, height: this.height };
    this.#checkRegion(region);
    const key = JSON.stringify([region, options.fit, options.format, options.quality]);
    const taken = await this.#capture(region, key);
    if ("bytes" in taken) return taken;
    const { picture, revision } = taken;
    const shot = { ...(await encodeFrame(picture, options)), revision };
    this.#pictures.delete(key);
    this.#pictures.set(key, shot);
    for (const old of [...this.#pictures.keys()].slice(0, -keptPictures)) this.#pictures.delete(old);
    return shot;
  }

  async cursor(): Promise<ScreenPoint> {
    const { head } = await this.#link.ask("pointer");
    return { x: Number(head["x"]), y: Number(head["y"]) };
  }

  async move(to: ScreenPoint): Promise<void> {
    const { x, y } = to;
    const inside = x >= 0 && y >= 0 && x < this.width && y < this.height;
    if (!inside || !Number.isInteger(x) || !Number.isInteger(y)) throw this.#outside(`${x}, ${y}`);
    await this.#link.ask("move", { x, y });
  }

  async button(button: PointerButton, action: "down" | "up"): Promise<void> {
    await this.#link.ask("button", { button: buttons[button], down: action === "down" });
  }

  async scroll({ x, y }: { readonly x: number; readonly y: number }): Promise<void> {
    if (!(Math.abs(x) <= mostNotches && Math.abs(y) <= mostNotches)) {
      throw new AleError({
        code: "screen-unsupported",
        message: `Scrolling by ${x}, ${y} notches: the most in one go is ${mostNotches}.`,
      });
    }
    const turns = [
      [y > 0 ? wheel.down : wheel.up, Math.abs(Math.round(y))],
      [x > 0 ? wheel.right : wheel.left, Math.abs(Math.round(x))],
    ] as const;
    const notches = turns.flatMap(([button, count]) => Array<number>(count).fill(button));
    const asked = notches.flatMap((button) => [
      this.#link.ask("button", { button, down: true }),
      this.#link.ask("button", { button, down: false }),
    ]);
    await Promise.all(asked);
  }

  async key(key: string, action: "down" | "up"): Promise<void> {
    await this.#link.ask("key", { keysym: keysymOf(key), down: action === "down" });
  }

  async type(text: string): Promise<void> {
    await this.#link.ask("type", { keysyms: keysymsOfText(text) });
  }

  async readClipboard(): Promise<string> {
    return String((await this.#link.ask("clipboard-read")).head["text"]);
  }

  async writeClipboard(text: string): Promise<void> {
    await this.#link.ask("clipboard-write", { text });
  }

  async windows(): Promise<readonly ScreenWindow[]> {
    const { head } = await this.#link.ask("windows");
    return head["windows"] as JsonValue as unknown as readonly ScreenWindow[];
  }

  async focus(window: string): Promise<void> {
    await this.#link.ask("focus", { window });
  }

  async quiet(options: { readonly quietMs: number; readonly limitMs: number }): Promise<boolean> {
    return (await this.#link.ask("quiet", { ...options })).head["quiet"] === true;
  }

  /** Resolves when a window manager has taken the screen; rejects with `screen-window` when none does in time. */
  async managed(limitMs: number): Promise<void> {
    await this.#link.ask("managed", { limitMs });
  }

  /** How the kernel has the X server, by its letter: `T` or `t` for one that is stopped; empty where it is not found. */
  async serverState(): Promise<string> {
    return String((await this.#link.ask("server")).head["state"]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }

  /** Brings the frame up to date, in the order asked; gives its region, or the kept screenshot that shows the same. */
  #capture(
    region: ScreenRegion,
    key: string,
  ): Promise<Screenshot | { readonly picture: RgbFrame; readonly revision: string }> {
    const asked = this.#link.ask("frame");
    const updated = Promise.allSettled([this.#updated, asked]).then(async () => {
      this.#frame.update(await asked, this.#isPacked);
      const { revision } = this.#frame;
      const known = this.#pictures.get(key);
      return known?.revision === revision ? known : { picture: this.#frame.picture(region), revision };
    });
    this.#updated = updated;
    return updated;
  }

  #checkRegion({ x, y, width, height }: ScreenRegion): void {
    const whole = [x, y, width, height].every(Number.isInteger) && width > 0 && height > 0;
    if (whole && x >= 0 && y >= 0 && x + width <= this.width && y + height <= this.height) return;
    throw this.#outside(`the region ${x}, ${y}, ${width} × ${height}`);
  }

  #outside(what: string): AleError {
    return new AleError({
      code: "screen-point",
      message: `${what} is not on the screen of ${this.width} × ${this.height} pixels.`,
      remedy: "Use whole pixels from the upper left corner, which is 0, 0.",
    });
  }
}
