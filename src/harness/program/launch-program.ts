import { open } from "node:fs/promises";
import { join } from "node:path";
import { unknown } from "../../contract/absence.ts";
import { AleError } from "../../contract/ale-error.ts";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import { type CommandEnd, describeEnd, exitOf, succeeded } from "../../sandbox/command.ts";
import type { HarnessOutcome, HarnessSession } from "../harness.ts";
import { openTrajectoryWriter } from "../trajectory/open-trajectory-writer.ts";
import { claimRequest } from "../trajectory/parse-claim.ts";
import { recordStream } from "../trajectory/record-stream.ts";
import type { ProcessEnd } from "../trajectory/stream-reader.ts";
import type { CliLaunch, CliProgram, CliStart } from "./cli-program.ts";
import { keepOutput } from "./keep-output.ts";
import { outcomeOfStream } from "./outcome-of-stream.ts";

/** Milliseconds a program has to end by itself, unless it says otherwise. */
const defaultGraceMs = 10_000;

/** For one command that runs before the program, in milliseconds. */
const beforeMs = 120_000;

interface Launched {
  readonly program: CliProgram;
  readonly version: string;
  readonly launch: CliLaunch;
  readonly start: CliStart;
}

/** Runs a command line harness to its end, its output kept and read as it comes. */
export async function launchProgram(
  program: CliProgram,
  { folder, version }: { readonly folder: string; readonly version: string },
  session: HarnessSession,
): Promise<HarnessOutcome> {
  const launch = launchOf(program, folder, session);
  if (launch === undefined) return failed("its model speaks no wire that it does");
  try {
    const start = program.start(launch);
    const unready = await prepare(session, start);
    if (unready !== undefined) return failed(unready);
    return await run({ program, version, launch, start }, session);
  } catch (error) {
    if (!AleError.isInstance(error) || error.code === "bad-trajectory-step") throw error;
    const untold = unknown("the machine was lost");
    return { kind: "env-error", reason: error.message, usage: untold, costUsd: untold, claim: untold };
  }
}

function launchOf(program: CliProgram, folder: string, session: HarnessSession): CliLaunch | undefined {
  const { model: access, trial } = session;
  const { contestant, limits, instruction } = trial;
  const wire = program.wires.find((candidate) => access?.wires.includes(candidate));
  if (access === undefined || contestant.model === undefined || wire === undefined) return undefined;
  return {
    contestant,
    prompt: `${instruction.trimEnd()}\n\n${claimRequest}\n`,
    home: sandboxLayout.home,
    program: folder,
    node: sandboxLayout.node,
    model: contestant.model,
    ...(contestant.effort === undefined ? {} : { effort: contestant.effort }),
    wire,
    baseUrl: access.endpoints[wire],
    token: access.token,
    mcp: program.mcp ? access.mcp.map(({ name, url }) => ({ name, url })) : [],
    limits,
  };
}

/** Writes its files and runs what comes before it; says what failed. */
async function prepare(session: HarnessSession, start: CliStart): Promise<string | undefined> {
  const { sandbox, signal } = session;
  for (const { path, content } of start.files) {
    await sandbox.writeFile(`${sandboxLayout.home}/${path}`, content, { mode: 0o600 });
  }
  for (const argv of start.before ?? []) {
    const result = await sandbox.exec(argv, { env: start.env, timeoutMs: beforeMs, signal });
    session.emit({ type: "command", phase: "agent", argv, exit: exitOf(result.end), wallMs: result.wallMs });
    if (succeeded(result)) continue;
    const said = Buffer.from(result.stderr).toString("utf8").trim().slice(-500);
    return `${argv.slice(0, 3).join(" ")} … before its start: ${describeEnd(result.end)}${said === "" ? "" : `: ${said}`}`;
  }
  return undefined;
}

async function run(
  { program, version, launch, start }: Launched,
  session: HarnessSession,
): Promise<HarnessOutcome> {
  const { sandbox, signal, logs, record, trial, clock } = session;
  const running = await sandbox.spawn(start.argv, { env: start.env });
  const graceMs = program.stopGraceMs ?? defaultGraceMs;
  const stop = (): void => void running.stop(graceMs);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  // A program need not read what it is given; a closed pipe is its right.
  running.stdin.on("error", () => undefined);
  running.stdin.end(start.input ?? "");
  await using writer = await openTrajectoryWriter(
    record,
    {
      session_id: `${trial.contestant.name}/${trial.instance}`,
      agent: {
        name: program.name,
        version,
        ...(trial.contestant.model === undefined ? {} : { model_name: trial.contestant.model }),
      },
    },
    session.redact,
  );
  const stderrLog = join(logs, "agent.stderr.log");
  const [recorded] = await Promise.all([
    recordStream(
      keepOutput(running.stdout, join(logs, "agent.stdout.log")),
      program.reader(),
      writer,
      () => clock.now(),
      async () => processEnd((await running.ended).end, signal),
      launch.prompt,
    ),
    drain(keepOutput(running.stderr, stderrLog)),
  ]);
  const { end, wallMs } = await running.ended;
  signal.removeEventListener("abort", stop);
  session.emit({ type: "command", phase: "agent", argv: start.argv, exit: exitOf(end), wallMs });
  if (end.kind === "not-started") return failed(`it could not be started: ${end.message}`);
  return outcomeOfStream(recorded.facts, await tailOf(stderrLog));
}

/** A launch that never came to a stream. */
function failed(reason: string): HarnessOutcome {
  const untold = unknown("it never ran");
  return { kind: "agent-error", reason, usage: untold, costUsd: untold, claim: untold };
}

function processEnd(end: CommandEnd, signal: AbortSignal): ProcessEnd {
  if (signal.aborted) {
    const why: unknown = signal.reason;
    return { kind: "killed", reason: why instanceof Error ? why.message : "ended from outside" };
  }
  return end.kind === "exited" && end.outOfMemory === undefined
    ? { kind: "exited", code: end.code }
    : { kind: "killed", reason: describeEnd(end) };
}

async function drain(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of chunks);
}

/** Read of the end of standard error for its last words, in bytes. */
const tailBytes = 4096;

async function tailOf(path: string): Promise<string> {
  await using file = await open(path, "r");
  const { size } = await file.stat();
  const tail = Buffer.alloc(Math.min(size, tailBytes));
  await file.read(tail, 0, tail.byteLength, size - tail.byteLength);
  return tail.toString("utf8");
}
