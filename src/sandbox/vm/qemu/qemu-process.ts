import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { AleError } from "../../../contract/ale-error.ts";
import type { Clock } from "../../../contract/clock.ts";
import { fieldAt, textAt } from "../../../contract/json-fields.ts";
import type { JsonValue } from "../../../contract/json-value.ts";
import { hostEnvironment } from "../../local/run-host-program.ts";
import { machineFiles, type QemuArgumentsOptions, qemuArguments } from "./qemu-arguments.ts";
import { QmpClient, type QmpEvent } from "./qmp-client.ts";

export interface QemuStart extends QemuArgumentsOptions {
  /** Absolute path of qemu-system-x86_64. */
  readonly program: string;
  readonly clock: Clock;
}

/** A running QEMU with its monitor. It ends with the process that started it, however that ends. */
export class QemuProcess {
  readonly pid: number;
  readonly monitor: QmpClient;
  /** Resolves when it has ended, with what it said. */
  readonly ended: Promise<string>;
  /** Called before it is ended for a reason of ours, with the reason. */
  onGivenUp: (why: string) => void = () => undefined;
  /** The machine's folder: sockets, log, disk. */
  readonly folder: string;
  readonly #child: ChildProcess;
  #gone = false;
  #why: string | undefined;

  private constructor(child: ChildProcess, monitor: QmpClient, ended: Promise<string>, folder: string) {
    this.#child = child;
    this.pid = child.pid ?? 0;
    this.monitor = monitor;
    this.folder = folder;
    this.ended = ended;
    ended.then(() => {
      this.#gone = true;
    });
    // QEMU stops a machine whose writes the host cannot keep, and waits for somebody to come.
    monitor.event(isStopOfDisk).then(
      ({ data }) => this.giveUp(troubleOfDisk(data)),
      () => undefined,
    );
  }

  /** Why it was given up, if it was. */
  get why(): string | undefined {
    return this.#why;
  }

  get gone(): boolean {
    return this.#gone;
  }

  /** Starts it and resolves when its monitor answers: booting, or stopped before its state. */
  static async start(start: QemuStart, signal?: AbortSignal): Promise<QemuProcess> {
    signal?.throwIfAborted();
    const argv = ["--pdeathsig", "KILL", start.program, ...qemuArguments(start)];
    const child = spawn("setpriv", argv, {
      cwd: start.folder,
      env: hostEnvironment,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr?.on("data", (piece: Buffer) => {
      said = `${said}${piece.toString()}`.slice(-4000);
    });
    const ended = new Promise<string>((resolve) => {
      child.once("close", () => resolve(said.trim()));
      child.once("error", (error) => resolve(error.message));
    });
    let over = false;
    ended.then(() => {
      over = true;
    });
    const path = join(start.folder, machineFiles.monitor);
    try {
      let monitor: QmpClient | undefined;
      while (monitor === undefined) {
        signal?.throwIfAborted();
        if (over) throw notStarted(await ended);
        monitor = existsSync(path) ? await reach(path) : undefined;
        if (monitor === undefined) await start.clock.sleep(5);
      }
      return new QemuProcess(child, monitor, ended, start.folder);
    } catch (error) {
      child.kill("SIGKILL");
      const words = await ended;
      signal?.throwIfAborted();
      throw AleError.isInstance(error) && error.code === "sandbox-gone" ? notStarted(words) : error;
    }
  }

  /** Restores a saved state into the machine that waits for it, and lets it run. */
  async restore(state: string): Promise<void> {
    const running = this.monitor.event((event) => event.name === "RESUME");
    running.catch(() => undefined);
    await this.monitor.run("migrate-incoming", { uri: `exec:cat ${quote(state)}` });
    await this.#migrated();
    await this.monitor.run("cont");
    await running;
  }

  /** Stops the machine and writes its state; its disk is then as the state expects it. It does not run on. */
  async save(state: string): Promise<void> {
    await this.monitor.run("stop");
    await this.monitor.run("migrate-set-parameters", { "max-bandwidth": 4_000_000_000 });
    await this.monitor.run("migrate", { uri: `exec:cat > ${quote(state)}` });
    await this.#migrated();
  }

  /** A connection to one of the machine's sockets. */
  port(name: keyof typeof machineFiles): Socket {
    return connect({ path: join(this.folder, machineFiles[name]) });
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    this.monitor.close();
    if (!this.#gone) this.#child.kill("SIGKILL");
    await this.ended;
  }

  /** Ends it at once for what has befallen it. */
  async giveUp(why: string): Promise<void> {
    if (this.#gone || this.#why !== undefined) return;
    this.#why = why;
    this.onGivenUp(why);
    await this.kill();
  }

  /** Lets the guest shut down by itself for a while, then ends it. */
  async shutDown(limitMs: number, clock: Clock): Promise<void> {
    const waiting = new AbortController();
    await this.monitor.run("system_powerdown").catch(() => undefined);
    await Promise.race([this.ended, clock.sleep(limitMs, waiting.signal).catch(() => undefined)]);
    waiting.abort();
    await this.kill();
  }

  async #migrated(): Promise<void> {
    for (let wait = 5; ; wait = Math.min(wait * 2, 100)) {
      const told = await this.monitor.run("query-migrate");
      const status = textAt(told, "status");
      if (status === "completed") return;
      if (status === "failed" || status === "cancelled") {
        const why = textAt(told, "error-desc") ?? "QEMU does not say why";
        throw new AleError({ code: "vm-state", message: `The machine's state could not be moved: ${why}.` });
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

function isStopOfDisk({ name, data }: QmpEvent): boolean {
  return name === "BLOCK_IO_ERROR" && textAt(data, "action") === "stop";
}

function troubleOfDisk(data: JsonValue): string {
  if (fieldAt(data, "nospace") === true) return "the host's disk is full, and what the guest wrote was lost";
  return `the host cannot keep what the guest writes: ${textAt(data, "reason") ?? "QEMU does not say why"}`;
}

/** QEMU hands the command to a shell. */
function quote(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

/** The monitor; `undefined` as long as its socket is there but nobody listens at it, which QEMU does a moment later. */
async function reach(path: string): Promise<QmpClient | undefined> {
  try {
    return await QmpClient.connect(path);
  } catch (error) {
    const { cause } = error as Error;
    if ((cause as NodeJS.ErrnoException | undefined)?.code === "ECONNREFUSED") return undefined;
    throw error;
  }
}

function notStarted(words: string): AleError {
  return new AleError({
    code: "sandbox-create",
    message: `QEMU did not start: ${words || "it ended at once"}.`,
    remedy: "ale sandboxes doctor",
  });
}
