import { AleError } from "../../../contract/ale-error.ts";
import { type fieldAt, parseJson, textAt } from "../../../contract/json-fields.ts";
import type { JsonValue } from "../../../contract/json-value.ts";
import type { AttachedCua } from "../attached-machine.ts";

type Told = Exclude<Parameters<typeof fieldAt>[0], undefined>;

/** The HTTP side of a computer-server: its status, and commands that are answered by one event each. */
export class CuaClient {
  readonly #machine: AttachedCua;

  constructor(machine: AttachedCua) {
    this.#machine = machine;
  }

  get name(): string {
    return this.#machine.name;
  }

  /** `linux`, `darwin`, `windows`… as the server names it. */
  async system(): Promise<string> {
    const told = parseJson(await this.#text("/status", { method: "GET" }));
    if (textAt(told, "status") !== "ok") throw this.#odd("/status", "does not say that it is ok");
    return textAt(told, "os_type") ?? textAt(told, "platform") ?? "linux";
  }

  /** Rejects with `machine-command` where the server says that it failed. */
  async command(command: string, params: Readonly<Record<string, JsonValue>> = {}): Promise<Told> {
    const text = await this.#text("/cmd", { method: "POST", body: JSON.stringify({ command, params }) });
    const event = text.split("\n").find((line) => line.startsWith("data:"));
    const told = event === undefined ? undefined : parseJson(event.slice("data:".length));
    if (told === undefined || told === null) throw this.#odd("/cmd", `gave no event for ${command}`);
    if ((told as { success?: JsonValue }).success === true) return told;
    throw new AleError({
      code: "machine-command",
      message: `The computer-server of ${this.name} failed at ${command}: ${textAt(told, "error") ?? "it does not say why"}.`,
      fields: { machine: this.name, command },
    });
  }

  /** Starts a program on a terminal; gives its number. */
  async openTerminal(command: string): Promise<number> {
    const body = JSON.stringify({ command, cols: 80, rows: 24 });
    const told = parseJson(await this.#text("/pty", { method: "POST", body }));
    const pid = (told as { pid?: JsonValue } | undefined)?.pid;
    if (typeof pid === "number") return pid;
    throw this.#odd("/pty", "gave no number for a new terminal");
  }

  async closeTerminal(pid: number): Promise<void> {
    await this.#text(`/pty/${pid}`, { method: "DELETE" });
  }

  /** Where a terminal's bytes pass. */
  terminalUrl(pid: number): string {
    const url = new URL(`/pty/${pid}/ws`, this.#machine.address);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const { key, containerName } = this.#machine;
    if (key !== undefined) url.searchParams.set("api_key", key);
    if (containerName !== undefined) url.searchParams.set("container_name", containerName);
    return url.href;
  }

  async #text(path: string, init: RequestInit): Promise<string> {
    const { address, key, containerName } = this.#machine;
    const headers = {
      "content-type": "application/json",
      ...(key === undefined ? {} : { "X-API-Key": key }),
      ...(containerName === undefined ? {} : { "X-Container-Name": containerName }),
    };
    let response: Response;
    try {
      response = await fetch(new URL(path, address), { ...init, headers });
      if (response.ok) return await response.text();
    } catch (error) {
      throw new AleError({
        code: "machine-unreachable",
        message: `The computer-server of ${this.name} at ${address} cannot be reached: ${(error as Error).message}.`,
        remedy: `Try: curl ${new URL("/status", address).href}`,
        fields: { machine: this.name },
        cause: error,
      });
    }
    if (response.status === 401 || response.status === 403) {
      throw new AleError({
        code: "machine-unreachable",
        message: `The computer-server of ${this.name} refuses the key it was given.`,
        remedy: "Set key_env and container_name of the machine as the server wants them.",
        fields: { machine: this.name },
      });
    }
    if (response.status === 404 && path === "/pty") {
      throw new AleError({
        code: "machine-unreachable",
        message: `The computer-server of ${this.name} has no terminals (POST /pty is not found).`,
        remedy: "Upgrade it on the machine: pip install --upgrade cua-computer-server",
        fields: { machine: this.name },
      });
    }
    throw this.#odd(path, `answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
  }

  #odd(path: string, what: string): AleError {
    return new AleError({
      code: "machine-protocol",
      message: `The computer-server of ${this.name} ${what} (${path}).`,
      remedy: "Check that address is that of a CUA computer-server.",
      fields: { machine: this.name },
    });
  }
}
