import type { CliContext, TextSink } from "./cli-context.ts";
import { createSystemClock } from "./system-clock.ts";

/** Surroundings that touch nothing: for reading the command tree, as the reference pages and tests do. */
export function createSilentContext(): CliContext {
  const sink: TextSink = { write: () => undefined, isTerminal: false, columns: 100 };
  return {
    out: sink,
    err: sink,
    cwd: "/",
    folders: { cache: "/nonexistent", state: "/nonexistent", config: "/nonexistent" },
    clock: createSystemClock(),
    pid: 0,
    nodeBinary: "/nonexistent/node",
    environment: {},
    secrets: {},
    invocation: [],
    interrupted: new AbortController().signal,
    atOnce: new AbortController().signal,
    closing: new AsyncDisposableStack(),
    setExitStatus: () => undefined,
  };
}
