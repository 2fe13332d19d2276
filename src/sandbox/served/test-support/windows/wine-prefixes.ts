import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

export const wine = "/usr/lib/wine/wine64";

const run = promisify(execFile);

/** A Wine of its own: its drive, its registry, its processes. */
export interface WinePrefix {
  readonly env: Readonly<Record<string, string>>;
  /** Where drive C: is on this host. */
  readonly drive: string;
}

/** Prefixes of Wine, each lent to one machine at a time. All are copies of one, as making one takes long. */
export class WinePrefixes implements AsyncDisposable {
  readonly #folder: string;
  readonly #probe: string;
  readonly #free: WinePrefix[] = [];
  readonly #all: WinePrefix[] = [];
  #template: Promise<string> | undefined;

  /** @param folder is filled with prefixes. @param probe a program that each of them has as `C:\ale\bin\probe.exe`. */
  constructor(folder: string, probe: string) {
    this.#folder = folder;
    this.#probe = probe;
  }

  /** One that nobody has; to be given back by {@link release}. */
  async take(): Promise<WinePrefix> {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    this.#template ??= this.#make();
    const template = await this.#template;
    const place = join(this.#folder, `prefix${this.#all.length}`);
    const prefix = prefixAt(place);
    this.#all.push(prefix);
    // Links suffice: Wine replaces the files that it changes.
    await run("cp", ["-al", template, place]);
    // It stays between two machines, and would keep a pipe of ours open.
    await once(spawn(server, ["-p"], { env: prefix.env, stdio: "ignore" }), "exit");
    return prefix;
  }

  release(prefix: WinePrefix): void {
    this.#free.push(prefix);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#all.map(({ env }) => stop(env)));
  }

  async #make(): Promise<string> {
    const place = join(this.#folder, "template");
    const { env, drive } = prefixAt(place);
    await run(wine, ["wineboot", "--init"], { env });
    await stop(env);
    await mkdir(join(drive, "ale", "bin"), { recursive: true });
    await cp(this.#probe, join(drive, "ale", "bin", "probe.exe"));
    return place;
  }
}

const server = "/usr/lib/wine/wineserver64";

function prefixAt(place: string): WinePrefix {
  const env = {
    PATH: "/usr/bin:/bin",
    HOME: place,
    LC_ALL: "C.UTF-8",
    WINEPREFIX: place,
    WINEARCH: "win64",
    WINEDEBUG: "-all",
    // Neither .NET nor a browser, which take longer than all the rest, and no screen.
    WINEDLLOVERRIDES: "mscoree=;mshtml=",
    DISPLAY: "",
  };
  return { env, drive: join(place, "drive_c") };
}

/** Ends all that runs in it; that nothing runs any more is said by failing. */
async function stop(env: WinePrefix["env"]): Promise<void> {
  await run(server, ["-k"], { env }).catch(() => undefined);
  await run(server, ["-w"], { env }).catch(() => undefined);
}
