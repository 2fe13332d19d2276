import { chmodSync, closeSync, constants, mkdirSync, openSync, unlinkSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import type { HostTools } from "./host-tools.ts";
import { runHostProgram } from "./run-host-program.ts";

export interface Pipe {
  readonly readEnd: number;
  readonly writeEnd: number;
}

const batch = 48;

/**
 * Real pipes, which Node cannot make: its own are sockets, on which a program cannot open `/dev/stdout`.
 * Named ones are made in batches, opened at both ends and unlinked.
 */
export class PipePool {
  readonly #folder: string;
  readonly #tools: HostTools;
  readonly #names: string[] = [];
  #made = 0;
  #refill: Promise<void> | undefined;

  constructor(folder: string, tools: HostTools) {
    this.#folder = folder;
    this.#tools = tools;
  }

  /** Both ends are ours to close. */
  async open(): Promise<Pipe> {
    let name = this.#names.pop();
    while (name === undefined) {
      this.#refill ??= this.#makeBatch().finally(() => {
        this.#refill = undefined;
      });
      await this.#refill;
      name = this.#names.pop();
    }
    const path = join(this.#folder, name);
    // Opened for both first, so that neither of the two opens that follow waits for the other.
    const both = openSync(path, constants.O_RDWR);
    const opened: number[] = [];
    try {
      opened.push(openSync(path, constants.O_RDONLY), openSync(path, constants.O_WRONLY));
      const [readEnd = -1, writeEnd = -1] = opened;
      return { readEnd, writeEnd };
    } catch (error) {
      for (const end of opened) closeSync(end);
      throw error;
    } finally {
      closeSync(both);
      unlinkSync(path);
    }
  }

  /**
   * A file without a name that holds the content, open for reading. For input known beforehand it is better
   * than a named pipe, which nobody could open by name again once its writer is done.
   */
  async store(content: Uint8Array | string): Promise<number> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, `input-${this.#made++}`);
    try {
      await writeFile(path, content);
      chmodSync(path, 0o444);
      return openSync(path, constants.O_RDONLY);
    } finally {
      unlinkSync(path);
    }
  }

  async #makeBatch(): Promise<void> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const names = Array.from({ length: batch }, () => `pipe-${this.#made++}`);
    const result = await runHostProgram([this.#tools.path("mkfifo"), "-m", "666", ...names], this.#folder);
    if (result.code !== 0) {
      throw new AleError({
        code: "sandbox-pipes",
        message: `No pipes could be made: ${result.stderr.trim()}`,
      });
    }
    this.#names.push(...names);
  }
}
