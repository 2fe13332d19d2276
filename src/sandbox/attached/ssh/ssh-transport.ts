import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Duplex } from "node:stream";
import type { Client, ClientChannel } from "ssh2";
import { AleError } from "../../../contract/ale-error.ts";
import { serverProgram } from "../../served/server-program.ts";
import type { AttachedSsh, MachineTransport } from "../attached-machine.ts";

/** Reads a program of so many bytes from standard input, then becomes it: nothing is left on the machine. */
const bootstrap = (bytes: number): string =>
  `python3 -c 'exec("import os\\nt=b\\"\\"\\nwhile len(t)<${bytes}: t+=os.read(0,${bytes}-len(t)) or exit(1)\\nexec(compile(t,\\"ale\\",\\"exec\\"))")'`;

/** A kept SSH connection. Made anew for a new link only when the last one is lost. */
export class SshTransport implements MachineTransport {
  readonly #machine: AttachedSsh;
  #client: Client | undefined;

  constructor(machine: AttachedSsh) {
    this.#machine = machine;
  }

  async link(signal?: AbortSignal): Promise<Duplex> {
    signal?.throwIfAborted();
    this.#client?.destroy();
    const client = await this.#connect(signal);
    this.#client = client;
    try {
      const program = Buffer.from(await serverProgram());
      const isRoot = (await outputOf(client, "id -u")).trim() === "0";
      if (!isRoot) await this.#checkSudo(client);
      const stream = await execute(client, `${isRoot ? "" : "sudo -n "}${bootstrap(program.length)}`);
      // What the program says of its own failure comes here; without a reader it would hold the link up.
      stream.stderr.resume();
      client.once("close", () => stream.destroy());
      stream.write(program);
      return stream;
    } catch (error) {
      client.destroy();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client?.end();
    this.#client?.destroy();
  }

  async #checkSudo(client: Client): Promise<void> {
    if ((await outputOf(client, "sudo -n id -u")).trim() === "0") return;
    const { name, user } = this.#machine;
    throw new AleError({
      code: "machine-root",
      message: `On the machine ${name}, ${user} is not root and may not use sudo without a password.`,
      remedy: `Log in as root, or add "${user} ALL=(ALL) NOPASSWD: ALL" to its sudoers.`,
      fields: { machine: name },
    });
  }

  async #connect(signal: AbortSignal | undefined): Promise<Client> {
    const ssh2 = await loadSsh2();
    const { name, address, port, user, privateKey, hostKey } = this.#machine;
    const client = new ssh2.Client();
    let seen = "";
    const ready = Promise.withResolvers<void>();
    client.once("ready", () => ready.resolve());
    client.on("error", (error) => ready.reject(error));
    client.once("close", () => ready.reject(new Error("the connection was closed")));
    const abort = (): void => ready.reject(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      client.connect({
        host: address,
        port,
        username: user,
        privateKey,
        readyTimeout: 20_000,
        keepaliveInterval: 5000,
        keepaliveCountMax: 3,
        hostVerifier: (key: Buffer) => {
          seen = `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;
          return seen === hostKey?.replace(/=+$/, "");
        },
      });
      await ready.promise;
      return client;
    } catch (error) {
      client.destroy();
      signal?.throwIfAborted();
      if (seen !== "" && seen !== hostKey?.replace(/=+$/, "")) {
        throw new AleError({
          code: "machine-host-key",
          message:
            hostKey === undefined
              ? `No host key is written down for the machine ${name}; it shows ${seen}.`
              : `The machine ${name} shows the host key ${seen}, not ${hostKey}.`,
          remedy: `If it is the machine's own (ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub there), set host_key: ${seen}`,
          fields: { machine: name, hostKey: seen },
        });
      }
      throw new AleError({
        code: "machine-unreachable",
        message: `The machine ${name} at ${address}:${port} cannot be reached as ${user}: ${(error as Error).message}.`,
        remedy: `Try: ssh -p ${port} ${user}@${address}`,
        fields: { machine: name },
        cause: error,
      });
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }
}

async function loadSsh2(): Promise<typeof import("ssh2")> {
  // The package is CommonJS: its names are there by way of the default.
  const loaded = (await import("ssh2")) as unknown as { readonly default: typeof import("ssh2") };
  return loaded.default;
}

function execute(client: Client, command: string): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    client.exec(command, (error, stream) => (error === undefined ? resolve(stream) : reject(error)));
  });
}

async function outputOf(client: Client, command: string): Promise<string> {
  const stream = await execute(client, command);
  stream.stderr.resume();
  stream.end();
  let text = "";
  for await (const piece of stream) text += String(piece);
  return text;
}
