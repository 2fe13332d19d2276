import { AleError } from "../../../contract/ale-error.ts";
import { type CommandResult, describeEnd, succeeded } from "../../command.ts";
import type { Sandbox } from "../../sandbox.ts";
import type { ScreenWindow } from "../../screen.ts";
import type { GuestDesktop } from "./guest-desktop.ts";
import { strokeFor } from "./qcode-of.ts";

/** Codes of keys that no keyboard of a guest has. */
const spareKeys = [248, 249, 250, 251, 252, 253, 254, 255] as const;

/** The X display of the Linux guest, by the usual small programs. */
export class LinuxDesktop implements GuestDesktop {
  readonly env: Readonly<Record<string, string>> = { DISPLAY: ":0" };
  readonly isBare = true as const;
  readonly #sandbox: Pick<Sandbox, "exec">;

  constructor(sandbox: Pick<Sandbox, "exec">) {
    this.#sandbox = sandbox;
  }

  /** Characters that no key has are put on spare ones first, and stay there: a slow program looks them up late. */
  async type(text: string): Promise<void> {
    let piece = "";
    const foreign = new Set<string>();
    for (const character of text) {
      if (strokeFor(character) === undefined) {
        if (!foreign.has(character) && foreign.size === spareKeys.length) {
          await this.#typeWith(piece, [...foreign]);
          piece = "";
          foreign.clear();
        }
        foreign.add(character);
      }
      piece += character;
    }
    await this.#typeWith(piece, [...foreign]);
  }

  async #typeWith(text: string, foreign: readonly string[]): Promise<void> {
    const keys = new Map(foreign.map((character, index) => [character, spareKeys[index] as number]));
    if (keys.size > 0) {
      const lines = [...keys].map(([character, key]) => {
        const name = `U${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0").toUpperCase()}`;
        return `keycode ${key} = ${name} ${name}\n`;
      });
      await this.#run(["xmodmap", "-"], lines.join(""));
      await this.#run(["sleep", "0.5"]);
    }
    for (const run of runsOf(text, (character) => keys.has(character))) {
      const first = keys.get([...run][0] ?? "");
      if (first === undefined) {
        await this.#run(["xdotool", "type", "--delay", "12", "--file", "-"], run);
      } else {
        const numbers = [...run].map((character) => String(keys.get(character)));
        await this.#run(["xdotool", "key", "--delay", "12", ...numbers]);
      }
    }
  }

  async readClipboard(): Promise<string> {
    const result = await this.#exec(["xclip", "-selection", "clipboard", "-out"]);
    // Nobody owns the clipboard until something is put there.
    return succeeded(result) ? textOf(result) : "";
  }

  async writeClipboard(text: string): Promise<void> {
    // Its child stays to hand the text out: it must not hold our streams.
    await this.#run(["sh", "-c", "exec xclip -selection clipboard -in > /dev/null 2>&1"], text);
  }

  async windows(): Promise<readonly ScreenWindow[]> {
    const lines = (await this.#run(["wmctrl", "-l", "-G", "-x"])).split("\n").filter(Boolean);
    const active = Number((await this.#exec(["xdotool", "getactivewindow"]).then(textOf)).trim());
    const windows = lines.map((line) => windowOf(line, active)).filter((window) => window !== undefined);
    return windows.toSorted((a, b) => Number(a.focused) - Number(b.focused));
  }

  async focus(window: string): Promise<void> {
    await this.#run(["wmctrl", "-i", "-a", window]);
  }

  async #run(argv: readonly string[], input?: string): Promise<string> {
    const result = await this.#exec(argv, input);
    if (succeeded(result)) return textOf(result);
    const said = Buffer.from(result.stderr).toString("utf8").trim().slice(-300);
    throw new AleError({
      code: "screen-gone",
      message: `${argv[0]} on the machine failed: ${describeEnd(result.end)}: ${said}`,
    });
  }

  #exec(argv: readonly string[], input?: string): Promise<CommandResult> {
    return this.#sandbox.exec(argv, {
      user: "root",
      env: this.env,
      timeoutMs: 60_000,
      ...(input === undefined ? {} : { stdin: input }),
    });
  }
}

/** Splits a text where the property of its characters changes. */
function runsOf(text: string, has: (character: string) => boolean): readonly string[] {
  const runs: string[] = [];
  let last: boolean | undefined;
  for (const character of text) {
    if (has(character) === last) runs.push((runs.pop() ?? "") + character);
    else runs.push(character);
    last = has(character);
  }
  return runs;
}

/** A line of wmctrl: id, desktop, x, y, width, height, program, host, title. */
function windowOf(line: string, active: number): ScreenWindow | undefined {
  const match = /^(0x[0-9a-f]+)\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+\S+ ?(.*)$/.exec(
    line,
  );
  if (match === null) return undefined;
  const [, id = "", desktop, x, y, width, height, program = "", title = ""] = match;
  if (desktop === "-1") return undefined;
  return {
    id,
    title,
    program: program === "N/A" ? "" : (program.split(".").at(-1) ?? ""),
    focused: Number(id) === active,
    x: Number(x),
    y: Number(y),
    width: Number(width),
    height: Number(height),
  };
}

function textOf(result: CommandResult): string {
  return Buffer.from(result.stdout).toString("utf8");
}
