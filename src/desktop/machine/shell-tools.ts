import { z } from "zod";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import { type CommandEnd, type CommandResult, describeEnd, exitOf } from "../../sandbox/command.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { type AgentTool, defineTool, failure, success, type ToolOutcome } from "../tools/agent-tool.ts";
import { type BackgroundCommands, createBackgroundCommands } from "./background-commands.ts";
import { type ShellLine, shellsOf } from "./shells-of.ts";

export interface ShellTools extends AsyncDisposable {
  readonly tools: readonly AgentTool[];
}

const command = z
  .string()
  .min(1)
  .describe("A line for the machine's shell: bash or sh, in Windows PowerShell.");
const cwd = z.string().min(1).exactOptional().describe("Working folder; default your home.");

/** Tools to run commands, to their end or in the background. @param maxText characters kept of each output. */
export function shellTools(sandbox: Sandbox, maxText: number): ShellTools {
  const shells = shellsOf(sandbox);
  let shell: ShellLine | undefined;
  const background: BackgroundCommands = createBackgroundCommands(sandbox, maxText);

  /** Runs with the shell that is there. A command that did not start has done nothing, so trying the next is safe. */
  async function run(line: string, options: Parameters<Sandbox["exec"]>[1]): Promise<CommandResult> {
    if (shell !== undefined) return sandbox.exec(shell(line), options);
    for (const candidate of shells) {
      const result = await sandbox.exec(candidate(line), options);
      if (result.end.kind === "not-started") continue;
      shell = candidate;
      return result;
    }
    return sandbox.exec(shells[0](line), options);
  }

  const tools = [
    defineTool({
      name: "run",
      description:
        "Runs a command to its end and gives its output and exit status. Long output loses its middle. Each call has a fresh shell: nothing but files stays.",
      input: z.strictObject({
        command,
        timeout_seconds: z.int().min(1).max(3600).default(120).describe("It is killed after that."),
        cwd,
      }),
      async run(input, signal) {
        const result = await run(input.command, {
          cwd: input.cwd ?? sandboxLayout.home,
          timeoutMs: input.timeout_seconds * 1000,
          maxOutputBytes: maxText,
          signal,
        });
        signal.throwIfAborted();
        return told(result);
      },
    }),
    defineTool({
      name: "background",
      description:
        "Commands that go on while you do other things: start one (gives its id), look at its status, take its output since you last asked, stop it.",
      input: z.strictObject({
        action: z.enum(["start", "status", "output", "stop"]),
        command: command.exactOptional(),
        id: z
          .string()
          .min(1)
          .exactOptional()
          .describe("Of a started command; status without it tells of all."),
        cwd,
      }),
      async run(input) {
        if (input.action === "start") {
          if (input.command === undefined) return failure("start needs a command");
          shell ??= (await findShell(sandbox)) ?? shells[0];
          const id = await background.start(shell(input.command), input.cwd ?? sandboxLayout.home);
          return success(`started as ${id}`, { id });
        }
        if (input.action === "status" && input.id === undefined) return success(background.overview());
        const one = input.id === undefined ? undefined : background.find(input.id);
        if (one === undefined) return failure(`no such command; there are: ${background.overview()}`);
        if (input.action === "stop") await one.stop();
        if (input.action === "output") return success(`${one.takeOutput()}\n[${one.state()}]`);
        return success(one.state());
      },
    }),
  ];
  return { tools, [Symbol.asyncDispose]: () => background[Symbol.asyncDispose]() };
}

async function findShell(sandbox: Sandbox): Promise<ShellLine | undefined> {
  for (const shell of shellsOf(sandbox)) {
    const { end } = await sandbox.exec(shell("exit 0"), { timeoutMs: 30_000 });
    if (end.kind !== "not-started") return shell;
  }
  return undefined;
}

function told(result: CommandResult): ToolOutcome {
  const stdout = Buffer.from(result.stdout).toString("utf8");
  const stderr = Buffer.from(result.stderr).toString("utf8");
  const seconds = Math.round(result.wallMs / 100) / 10;
  const parts = [
    stdout.trimEnd(),
    ...(stderr.trim() === "" ? [] : [`[stderr]\n${stderr.trimEnd()}`]),
    `[${describeEnd(result.end)}, ${seconds} s]`,
  ];
  return {
    content: [{ type: "text", text: parts.filter((part) => part !== "").join("\n") }],
    failed: !isSuccess(result.end),
    data: { exit: exitOf(result.end), seconds },
  };
}

function isSuccess(end: CommandEnd): boolean {
  return end.kind === "exited" && end.code === 0;
}
