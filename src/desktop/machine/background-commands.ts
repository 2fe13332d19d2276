import { describeEnd } from "../../sandbox/command.ts";
import type { Sandbox, SandboxProcess } from "../../sandbox/sandbox.ts";

/** A command that goes on by itself. */
export interface BackgroundCommand {
  /** `running`, or how it ended. */
  state(): string;
  /** What it printed since the last time; of too much, the newest. */
  takeOutput(): string;
  stop(): Promise<void>;
}

/** Commands that were started and not waited for; disposing of it ends them. */
export interface BackgroundCommands extends AsyncDisposable {
  /** Returns its id. */
  start(argv: readonly string[], cwd: string): Promise<string>;
  find(id: string): BackgroundCommand | undefined;
  /** One line for all. */
  overview(): string;
}

/** @param maxText characters kept of what was not yet asked for. */
export function createBackgroundCommands(sandbox: Sandbox, maxText: number): BackgroundCommands {
  const commands = new Map<string, BackgroundCommand>();
  return {
    async start(argv, cwd) {
      const id = `bg${commands.size + 1}`;
      commands.set(id, follow(await sandbox.spawn(argv, { cwd }), maxText));
      return id;
    },
    find: (id) => commands.get(id),
    overview() {
      const lines = [...commands].map(([id, command]) => `${id} ${command.state()}`);
      return lines.length === 0 ? "none were started" : lines.join("; ");
    },
    async [Symbol.asyncDispose]() {
      // A machine that is lost has ended them, and quiesce ends what is left.
      await Promise.allSettled([...commands.values()].map((command) => command.stop()));
    },
  };
}

function follow(running: SandboxProcess, maxText: number): BackgroundCommand {
  let output = "";
  let dropped = 0;
  let ended: string | undefined;
  for (const stream of [running.stdout, running.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => {
      output += text;
      if (output.length <= 2 * maxText) return;
      dropped += output.length - maxText;
      output = output.slice(-maxText);
    });
  }
  running.stdin.on("error", () => undefined);
  running.stdin.end();
  const over = running.ended.then(
    ({ end }) => {
      ended = describeEnd(end);
    },
    (error: unknown) => {
      ended = error instanceof Error ? error.message : String(error);
    },
  );
  return {
    state: () => (ended === undefined ? "running" : `ended: ${ended}`),
    takeOutput() {
      const kept = output.slice(-maxText);
      const missing = dropped + output.length - kept.length;
      output = "";
      dropped = 0;
      return missing > 0 ? `[${missing} characters before this are lost]\n${kept}` : kept;
    },
    async stop() {
      if (ended === undefined) await running.stop(2000);
      await over;
    },
  };
}
