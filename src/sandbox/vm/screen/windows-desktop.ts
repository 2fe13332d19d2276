import { Buffer } from "node:buffer";
import { z } from "zod";
import { AleError } from "../../../contract/ale-error.ts";
import { parseJson } from "../../../contract/json-fields.ts";
import { type CommandResult, describeEnd, succeeded } from "../../command.ts";
import type { Sandbox } from "../../sandbox.ts";
import type { ScreenWindow } from "../../screen.ts";
import { serveProgram } from "../windows/serve-program.ts";
import type { GuestDesktop } from "./guest-desktop.ts";

const windowsSchema: z.ZodType<readonly ScreenWindow[]> = z.array(
  z.strictObject({
    id: z.string().min(1),
    title: z.string(),
    program: z.string(),
    focused: z.boolean(),
    x: z.int(),
    y: z.int(),
    width: z.int(),
    height: z.int(),
  }),
);

/** The desktop of the agent's session in Windows, by our own program in it (`data/machine/windows`). */
export class WindowsDesktop implements GuestDesktop {
  readonly env: Readonly<Record<string, string>> = {};
  readonly #sandbox: Pick<Sandbox, "exec">;

  constructor(sandbox: Pick<Sandbox, "exec">) {
    this.#sandbox = sandbox;
  }

  async type(text: string): Promise<void> {
    await this.#ask(["type"], text);
  }

  async readClipboard(): Promise<string> {
    return this.#ask(["read-clipboard"]);
  }

  async writeClipboard(text: string): Promise<void> {
    await this.#ask(["write-clipboard"], text);
  }

  async windows(): Promise<readonly ScreenWindow[]> {
    const told = windowsSchema.safeParse(parseJson(await this.#ask(["windows"])));
    if (told.success) return told.data;
    throw new AleError({
      code: "screen-unsupported",
      message: `The machine's program tells of its windows what cannot be read: ${told.error.message}`,
      remedy: "Build the image again, with this release's program: ale sandboxes build windows",
    });
  }

  async focus(window: string): Promise<void> {
    if ((await this.windows()).every(({ id }) => id !== window)) {
      throw new AleError({ code: "screen-window", message: `There is no window ${window}.` });
    }
    await this.#ask(["focus", window]);
  }

  async #ask(words: readonly string[], input?: string): Promise<string> {
    const argv = [serveProgram, "--desktop", ...words];
    const result = await this.#sandbox.exec(argv, {
      timeoutMs: 60_000,
      ...(input === undefined ? {} : { stdin: input }),
    });
    if (succeeded(result)) return Buffer.from(result.stdout).toString("utf8");
    const said = Buffer.from(result.stderr).toString("utf8").trim().slice(-300);
    const message = `The machine's desktop did not do it (${words[0]}): ${describeEnd(result.end)}: ${said}`;
    throw new AleError({ ...whyNot(result.end), message });
  }
}

/** What a failure means: only a desktop on which nothing can be started is lost. */
function whyNot(end: CommandResult["end"]): { readonly code: string; readonly remedy: string } {
  if (end.kind === "exited") {
    return { code: "screen-refused", remedy: "Try again: a program may hold the clipboard or the focus." };
  }
  if (end.kind === "not-started") {
    return { code: "screen-gone", remedy: "Is the account agent still logged on at the machine's console?" };
  }
  return { code: "screen-stuck", remedy: "Look at a screenshot: a program may hold up the whole desktop." };
}
