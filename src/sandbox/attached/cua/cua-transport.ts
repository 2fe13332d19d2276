import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";
import { AleError } from "../../../contract/ale-error.ts";
import type { Clock } from "../../../contract/clock.ts";
import { textAt } from "../../../contract/json-fields.ts";
import type { Screen } from "../../screen.ts";
import { serverProgram } from "../../served/server-program.ts";
import type { AttachedCua, MachineTransport } from "../attached-machine.ts";
import { CuaClient } from "./cua-client.ts";
import { CuaScreen } from "./cua-screen.ts";
import { TerminalStream } from "./terminal-stream.ts";

/** A machine behind a CUA computer-server: our program runs on one of its terminals, its screen is the server's. */
export class CuaTransport implements MachineTransport {
  readonly #client: CuaClient;
  readonly #clock: Clock;
  #terminal: number | undefined;

  constructor(machine: AttachedCua, clock: Clock) {
    this.#client = new CuaClient(machine);
    this.#clock = clock;
  }

  readonly screen = (): Promise<Screen> => CuaScreen.open(this.#client, this.#clock);

  async link(signal?: AbortSignal): Promise<Duplex> {
    signal?.throwIfAborted();
    const system = await this.#client.system();
    if (system !== "linux") {
      throw new AleError({
        code: "machine-system",
        message: `The machine ${this.#client.name} runs ${system}; attached machines are Linux so far.`,
        remedy: "Name a Linux machine, or run the task in a virtual machine (provider vm).",
        fields: { machine: this.#client.name },
      });
    }
    const become = await this.#administrator();
    await this.#close();
    const nonce = randomBytes(8).toString("hex");
    // Known to this process alone until it is there, and gone as soon as it runs.
    const path = `/tmp/ale-${nonce}.py`;
    const content = Buffer.from(await serverProgram()).toString("base64");
    await this.#client.command("write_bytes", { path, content_b64: content });
    try {
      this.#terminal = await this.#client.openTerminal(`${become}python3 ${path} --lines ${nonce}`);
      return await this.#open(this.#terminal, nonce, signal);
    } finally {
      await this.#client.command("delete_file", { path });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }

  async #open(pid: number, nonce: string, signal: AbortSignal | undefined): Promise<Duplex> {
    const limit = AbortSignal.any([AbortSignal.timeout(30_000), ...(signal === undefined ? [] : [signal])]);
    const late = new Promise<never>((_, reject) => {
      limit.addEventListener("abort", () => reject(limit.reason), { once: true });
    });
    try {
      return await Promise.race([TerminalStream.open(this.#client.terminalUrl(pid), nonce), late]);
    } catch (error) {
      signal?.throwIfAborted();
      throw new AleError({
        code: "machine-unreachable",
        message: `Our program did not start on a terminal of ${this.#client.name}: ${(error as Error).message}.`,
        remedy: "It needs python3 on the machine, and root: log in there and try sudo -n python3 --version",
        fields: { machine: this.#client.name },
        cause: error,
      });
    }
  }

  /** What goes before a command to run it as root. */
  async #administrator(): Promise<string> {
    const uid = async (command: string): Promise<string> =>
      (textAt(await this.#client.command("run_command", { command }), "stdout") ?? "").trim();
    if ((await uid("id -u")) === "0") return "";
    if ((await uid("sudo -n id -u")) === "0") return "sudo -n ";
    throw new AleError({
      code: "machine-root",
      message: `The computer-server of ${this.#client.name} is not root and may not use sudo without a password.`,
      remedy: "Give its user NOPASSWD in sudoers, or start the server as root.",
      fields: { machine: this.#client.name },
    });
  }

  async #close(): Promise<void> {
    if (this.#terminal === undefined) return;
    const pid = this.#terminal;
    this.#terminal = undefined;
    // The machine may be gone by now, and its terminals with it.
    await this.#client.closeTerminal(pid).catch(() => undefined);
  }
}
