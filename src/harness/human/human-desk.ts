import { AleError } from "../../contract/ale-error.ts";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import type { DeskFolder, SittingDesk } from "../../contract/sitting-desk.ts";
import { shellsOf } from "../../desktop/machine/shells-of.ts";
import { describeEnd, exitOf } from "../../sandbox/command.ts";
import type { HarnessSession } from "../harness.ts";
import { createDeskScreen } from "./desk-screen.ts";
import { listFiles } from "./list-files.ts";

export interface HumanDesk {
  readonly desk: SittingDesk;
  /** From then on nothing can be done at the desk; resolves when what was under way has ended. */
  close(): Promise<void>;
}

const msPerMinute = 60_000;
const longestCommandMs = 10 * msPerMinute;
const mostOutputBytes = 64 * 1024;
const mostFileBytes = 256 * 1024 * 1024;

const folders: Readonly<Record<DeskFolder, string>> = {
  input: sandboxLayout.input,
  output: sandboxLayout.output,
};

/** The desk of a person who sits this session's trial. What they do is told as events. */
export function createHumanDesk(session: HarnessSession): HumanDesk {
  const { sandbox, trial, clock, screen, screenBridge, emit } = session;
  const closing = new AbortController();
  const over = AbortSignal.any([session.signal, closing.signal]);
  const underWay = new Set<Promise<unknown>>();
  const startedAt = clock.now();
  const minutes = [trial.limits.wall_minutes, trial.limits.working_minutes].filter(
    (limit) => limit !== undefined,
  );

  /** Refuses work after the end, and lets the end wait for work. */
  async function work<T>(task: () => Promise<T>): Promise<T> {
    if (over.aborted) throw new AleError({ code: "desk-closed", message: "the work has been handed in" });
    const working = task();
    underWay.add(working);
    try {
      return await working;
    } finally {
      underWay.delete(working);
    }
  }

  const desk: SittingDesk = {
    instruction: trial.instruction,
    outputs: trial.outputs,
    startedAt,
    ...(minutes.length === 0 ? {} : { deadline: startedAt + Math.min(...minutes) * msPerMinute }),
    ...(screen === undefined || screenBridge === undefined
      ? {}
      : { screen: createDeskScreen({ screen, bridge: screenBridge, clock, over }) }),
    files: (folder) => work(() => listFiles(sandbox, folders[folder])),
    read: (folder, path) =>
      work(() => sandbox.readFile(`${folders[folder]}/${plainPath(path)}`, { maxBytes: mostFileBytes })),
    handIn: (path, content) =>
      work(async () => {
        await sandbox.writeFile(`${sandboxLayout.output}/${plainPath(path)}`, content);
        emit({ type: "agent", kind: "human.hand-in", data: { path, bytes: content.byteLength } });
      }),
    withdraw: (path) =>
      work(async () => {
        await sandbox.remove(`${sandboxLayout.output}/${plainPath(path)}`);
        emit({ type: "agent", kind: "human.withdraw", data: { path } });
      }),
    run: (line, signal) =>
      work(async () => {
        // The person's own line for the shell, as they would type it at its prompt.
        const argv = sandbox.os === undefined ? ["sh", "-c", line] : shellsOf(sandbox)[0](line);
        const { end, stdout, stderr, wallMs } = await sandbox.exec(argv, {
          timeoutMs: longestCommandMs,
          maxOutputBytes: mostOutputBytes,
          signal: AbortSignal.any([over, signal]),
        });
        emit({ type: "command", phase: "agent", argv, exit: exitOf(end), wallMs });
        const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
        return { end: describeEnd(end), stdout: text(stdout), stderr: text(stderr), wallMs };
      }),
  };
  return {
    desk,
    async close() {
      closing.abort(new DOMException("the work has been handed in", "AbortError"));
      await Promise.allSettled(underWay);
    },
  };
}

/** The path, when it leads straight below the folder it is joined to. */
function plainPath(path: string): string {
  const names = path.split("/");
  const isPlain = names.every((name) => name !== "" && name !== "." && name !== "..") && !path.includes("\0");
  if (isPlain && path.length <= 1000) return path;
  throw new AleError({
    code: "desk-path",
    message: `${JSON.stringify(path)} is no path of a file in this folder`,
    remedy: "give a name such as report.pdf or evidence/notes.txt",
    fields: { path },
  });
}
