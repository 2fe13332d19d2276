import { Buffer } from "node:buffer";
import { AleError } from "../../../contract/ale-error.ts";
import type { Clock } from "../../../contract/clock.ts";
import { numberAt, textAt } from "../../../contract/json-fields.ts";
import type { JsonValue } from "../../../contract/json-value.ts";
import { checkPoint } from "../../frame/check-point.ts";
import { untilQuiet } from "../../frame/quiet-frames.ts";
import { frameFromPicture, type RgbFrame } from "../../frame/rgb-frame.ts";
import { screenshotOf } from "../../frame/screenshot-of.ts";
import type {
  PointerButton,
  Screen,
  ScreenPoint,
  Screenshot,
  ScreenshotOptions,
  ScreenWindow,
} from "../../screen.ts";
import type { CuaClient } from "./cua-client.ts";
import { cuaKey } from "./cua-key.ts";
import { listWindows } from "./list-windows.ts";

/**
 * Tells the display that the server works at, and lets the agent's programs show on it where access is controlled. The server
 * types by events that xterm alone of common programs takes only when told to.
 */
const admitAgent = [
  'test -n "$DISPLAY" || exit 0',
  "xhost +si:localuser:agent > /dev/null 2>&1",
  "echo 'XTerm*allowSendEvents: true' | xrdb -merge > /dev/null 2>&1",
  'printf %s "$DISPLAY"',
].join("; ");

/** The screen of a machine as its computer-server shows and drives it. */
export class CuaScreen implements Screen {
  readonly width: number;
  readonly height: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly #client: CuaClient;
  readonly #clock: Clock;

  private constructor(client: CuaClient, clock: Clock, width: number, height: number, display: string) {
    this.#client = client;
    this.#clock = clock;
    this.width = width;
    this.height = height;
    if (display !== "") this.env = { DISPLAY: display };
  }

  static async open(client: CuaClient, clock: Clock): Promise<CuaScreen> {
    const told = await client.command("get_screen_size");
    const width = numberAt(told, "size", "width");
    const height = numberAt(told, "size", "height");
    if (width === undefined || height === undefined) {
      throw new AleError({
        code: "screen-gone",
        message: `The machine ${client.name} does not tell the size of its screen.`,
      });
    }
    const shown = await client.command("run_command", { command: admitAgent });
    return new CuaScreen(client, clock, width, height, (textAt(shown, "stdout") ?? "").trim());
  }

  async screenshot(options: ScreenshotOptions = {}): Promise<Screenshot> {
    return screenshotOf(await this.#frame(), options);
  }

  async cursor(): Promise<ScreenPoint> {
    const told = await this.#client.command("get_cursor_position");
    return { x: numberAt(told, "position", "x") ?? 0, y: numberAt(told, "position", "y") ?? 0 };
  }

  async move({ x, y }: ScreenPoint): Promise<void> {
    checkPoint({ x, y }, this);
    await this.#client.command("move_cursor", { x, y });
  }

  async button(button: PointerButton, action: "down" | "up"): Promise<void> {
    await this.#client.command(action === "down" ? "mouse_down" : "mouse_up", { button });
  }

  /** The server's wheel turns up for positive numbers, ours down. */
  async scroll({ x, y }: { readonly x: number; readonly y: number }): Promise<void> {
    await this.#client.command("scroll", { x, y: y === 0 ? 0 : -y });
  }

  async key(key: string, action: "down" | "up"): Promise<void> {
    await this.#client.command(action === "down" ? "key_down" : "key_up", { key: cuaKey(key) });
  }

  async type(text: string): Promise<void> {
    for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
      if (index > 0) await this.#client.command("press_key", { key: "enter" });
      if (line !== "") await this.#client.command("type_text", { text: line });
    }
  }

  async readClipboard(): Promise<string> {
    return textAt(await this.#client.command("copy_to_clipboard"), "content") ?? "";
  }

  async writeClipboard(text: string): Promise<void> {
    await this.#client.command("set_clipboard", { text });
  }

  async windows(): Promise<readonly ScreenWindow[]> {
    const ids = await listWindows(this.#client);
    const focused = await this.#client.command("get_current_window_id").then(
      (told) => String((told as { window_id?: JsonValue }).window_id),
      () => "",
    );
    const windows = await Promise.all(ids.map((id) => this.#window(id, focused)));
    return windows.filter((window) => window !== undefined);
  }

  async focus(window: string): Promise<void> {
    const number = Number(window);
    await this.#client.command("activate_window", {
      window_id: Number.isSafeInteger(number) ? number : window,
    });
  }

  async quiet({
    quietMs,
    limitMs,
  }: {
    readonly quietMs: number;
    readonly limitMs: number;
  }): Promise<boolean> {
    return untilQuiet({ frame: () => this.#frame(), clock: this.#clock, quietMs, limitMs });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is kept open: every act is a request of its own.
  }

  async #frame(): Promise<RgbFrame> {
    const told = await this.#client.command("screenshot");
    return frameFromPicture(Buffer.from(textAt(told, "image_data") ?? "", "base64"));
  }

  /** `undefined` when it was closed meanwhile. */
  async #window(window_id: number, focused: string): Promise<ScreenWindow | undefined> {
    try {
      const [name, size, position] = await Promise.all(
        ["get_window_name", "get_window_size", "get_window_position"].map((command) =>
          this.#client.command(command, { window_id }),
        ),
      );
      return {
        id: String(window_id),
        title: textAt(name, "name") ?? "",
        program: "",
        focused: String(window_id) === focused,
        x: numberAt(position, "x") ?? 0,
        y: numberAt(position, "y") ?? 0,
        width: numberAt(size, "width") ?? 0,
        height: numberAt(size, "height") ?? 0,
      };
    } catch (error) {
      if (AleError.isInstance(error) && error.code === "machine-command") return undefined;
      throw error;
    }
  }
}
