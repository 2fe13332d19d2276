import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { Readable, Writable } from "node:stream";

/** The program that serves a Windows machine, in a Wine of its own. It ends with the process that started it. */
export interface WineGuest {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly ended: Promise<void>;
}

/** Starts it with its frames on the streams. @param log takes what Wine and the program say. */
export function runInWine(prefix: string, log: string): WineGuest {
  const argv = ["--pdeathsig", "KILL", "/usr/bin/wine", "C:\\ale\\ale-serve.exe", "--same-user"];
  const child = spawn("/usr/bin/setpriv", argv, {
    env: wineEnvironment(prefix),
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stderr.pipe(createWriteStream(log, { flags: "a" }));
  child.stdin.on("error", () => undefined);
  const ended = once(child, "close").then(() => undefined);
  return { stdin: child.stdin, stdout: child.stdout, ended };
}

/** Nothing of the caller's; no display, and no programs of the web. */
export function wineEnvironment(prefix: string): Readonly<Record<string, string>> {
  return {
    PATH: "/usr/bin:/bin",
    HOME: prefix,
    WINEPREFIX: prefix,
    WINEDEBUG: "-all",
    WINEDLLOVERRIDES: "mscoree,mshtml=",
  };
}
