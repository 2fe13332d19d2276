import { Buffer } from "node:buffer";

type Params = Readonly<Record<string, unknown>>;

/** Windows of the double, by number. */
const titles: Readonly<Record<number, string>> = { 1: "Editor", 2: "Files" };

/** What a desktop command answers; `undefined`: there is no such command. */
export type DesktopAnswer = Readonly<Record<string, unknown>> | undefined;

/** A desktop for the double: it draws the pointer and the typed text, and remembers every act. */
export class CuaDesktop {
  readonly width: number = 1024;
  readonly height: number = 768;
  /** Every act in order: `move_cursor 10,20`, `key_down enter`, `type_text hello`. */
  readonly acts: string[] = [];
  #x = 512;
  #y = 384;
  #text = "";
  #clipboard = "";
  #focused = 1;

  /** The pictures of screens are PNG; who makes them is given, as that takes a library. */
  readonly #encode: (pixels: Uint8Array, width: number, height: number) => Promise<Uint8Array>;

  constructor(encode: (pixels: Uint8Array, width: number, height: number) => Promise<Uint8Array>) {
    this.#encode = encode;
  }

  async answer(command: string, params: Params): Promise<DesktopAnswer> {
    switch (command) {
      case "screenshot": {
        const picture = await this.#encode(this.#pixels(), this.width, this.height);
        return { image_data: Buffer.from(picture).toString("base64") };
      }
      case "get_screen_size":
        return { size: { width: this.width, height: this.height } };
      case "get_cursor_position":
        return { position: { x: this.#x, y: this.#y } };
      case "copy_to_clipboard":
        return { content: this.#clipboard };
      case "get_application_windows":
        return { windows: this.#windowsTitled(String(params["app"]).toLowerCase()) };
      case "get_current_window_id":
        return { window_id: this.#focused };
      case "get_window_name":
        return { name: titles[Number(params["window_id"])] };
      case "get_window_size":
        return { width: 400, height: 300 };
      case "get_window_position":
        return { x: params["window_id"] === 1 ? 10 : 500, y: 20 };
      default:
        return this.#act(command, params);
    }
  }

  /** What a program prints that is run on the machine to ask the display, which is none of X; `undefined` for others. */
  printed(line: string): string | undefined {
    const script = /^echo (\S+) \| base64 -d \| python3 -$/.exec(line)?.[1];
    if (script === undefined || !Buffer.from(script, "base64").includes("_NET_CLIENT_LIST")) return undefined;
    return this.#windowsTitled("e")
      .toSorted((a, b) => Number(a === this.#focused) - Number(b === this.#focused))
      .join("\n");
  }

  /** As the server finds them: by a part of their titles, and none for an empty one. */
  #windowsTitled(part: string): readonly number[] {
    const found = (title: string): boolean => part !== "" && title.toLowerCase().includes(part);
    return Object.entries(titles)
      .filter(([, title]) => found(title))
      .map(([number]) => Number(number));
  }

  #act(command: string, params: Params): DesktopAnswer {
    const said = Object.values(params).map(String).join(",");
    switch (command) {
      case "move_cursor":
        this.#x = Number(params["x"]);
        this.#y = Number(params["y"]);
        break;
      case "type_text":
        this.#text += String(params["text"]);
        break;
      case "press_key":
      case "key_down":
        if (!/^(.|[a-z0-9_]+)$/u.test(String(params["key"]))) {
          return { success: false, error: `Unknown key: ${String(params["key"])}` };
        }
        if (params["key"] === "enter") this.#text += "\n";
        break;
      case "set_clipboard":
        this.#clipboard = String(params["text"]);
        break;
      case "activate_window":
        this.#focused = Number(params["window_id"]);
        break;
      case "key_up":
      case "mouse_down":
      case "mouse_up":
      case "scroll":
        break;
      default:
        return undefined;
    }
    this.acts.push(`${command} ${said}`);
    return {};
  }

  #pixels(): Uint8Array {
    const pixels = new Uint8Array(this.width * this.height * 3).fill(200);
    const dot = (x: number, y: number, shade: number): void => {
      if (x < this.width && y < this.height)
        pixels.fill(shade, (y * this.width + x) * 3, (y * this.width + x) * 3 + 3);
    };
    for (let step = 0; step < 12; step++) dot(this.#x + step, this.#y + step, 0);
    // Each character is a column whose shade tells which it is.
    [...this.#text].forEach((character, index) => {
      for (let y = 0; y < 10; y++) dot(5 + index, 700 + y, (character.codePointAt(0) ?? 0) % 200);
    });
    return pixels;
  }
}
