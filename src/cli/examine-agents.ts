import { known, type Maybe, unknown } from "../contract/absence.ts";
import { AleError } from "../contract/ale-error.ts";
import type { WireName } from "../contract/wire.ts";
import type { Harness } from "../harness/harness.ts";
import type { CliProgram } from "../harness/program/cli-program.ts";
import { programFolder } from "../harness/program/create-cli-harness.ts";
import { versionCommand } from "../harness/program/version-command.ts";
import { describeEnd, succeeded } from "../sandbox/command.ts";
import type { Mount, SandboxProvider } from "../sandbox/provider.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { mapLimited } from "../task/map-limited.ts";
import type { Harnesses } from "./create-harnesses.ts";
import type { ListedModel } from "./models-of-file.ts";

/** Where a harness's program is. */
export type ProgramState =
  /** It is in this package. */
  | { readonly kind: "built-in"; readonly version: string }
  | { readonly kind: "in-image" }
  | { readonly kind: "installed"; readonly version: string; readonly digest: string; readonly dir: string }
  | { readonly kind: "not-installed"; readonly version: string };

/** Whether its program starts in a sandbox without a network; unknown with the reason. */
export type StartState = Maybe<{ readonly starts: boolean; readonly said: string }>;

export interface AgentReport {
  readonly name: string;
  readonly summary: string;
  readonly program: ProgramState;
  readonly start: StartState;
  /** Absent: it drives no model. */
  readonly wires?: readonly WireName[];
  /** Models it can drive as they are: a wire in common, the key set. */
  readonly drives: readonly string[];
}

/** Where this harness's program is. */
export async function programState(harness: Harness, { programs, store }: Harnesses): Promise<ProgramState> {
  const program = programs.get(harness.name);
  if (program === undefined) return { kind: "built-in", version: await harness.version() };
  if (program.inImage === true) return { kind: "in-image" };
  const installed = await store.find(harness.name);
  if (installed === undefined) return { kind: "not-installed", version: await harness.version() };
  const { version, digest, dir } = installed;
  return { kind: "installed", version, digest, dir };
}

export interface ExamineOptions {
  readonly harnesses: Harnesses;
  readonly chosen: readonly Harness[];
  readonly models: readonly ListedModel[];
  /** Of the sandbox in which they are started; absent: they are not. */
  readonly provider: SandboxProvider | undefined;
  /** Shown inside for harnesses that are scripts. */
  readonly mounts: readonly Mount[];
}

/** Looks at harnesses one after another: whether each is there, starts, and which of the models it can drive. */
export async function examineAgents(options: ExamineOptions): Promise<readonly AgentReport[]> {
  const { harnesses, chosen, models } = options;
  const states = new Map<string, ProgramState>();
  for (const harness of chosen) states.set(harness.name, await programState(harness, harnesses));
  const starts = await startAll(options, states);
  return chosen.map(({ name, summary, wires }) => ({
    name,
    summary,
    program: states.get(name) as ProgramState,
    start: starts.get(name) ?? unknown("there is nothing to start"),
    ...(wires === undefined ? {} : { wires }),
    drives: models
      .filter(({ key, wires: spoken }) => key !== "missing" && wires?.some((wire) => spoken.includes(wire)))
      .map(({ model }) => model),
  }));
}

async function startAll(
  { harnesses, provider, mounts }: ExamineOptions,
  states: ReadonlyMap<string, ProgramState>,
): Promise<ReadonlyMap<string, StartState>> {
  const installed = [...states].flatMap(([name, state]) => {
    const program = harnesses.programs.get(name);
    return state.kind === "installed" && program !== undefined ? [{ program, dir: state.dir }] : [];
  });
  if (installed.length === 0) return new Map();
  if (provider === undefined) {
    return new Map(installed.map(({ program }) => [program.name, unknown("no sandbox can be made here")]));
  }
  try {
    await using sandbox = await provider.create({
      labels: { run: "doctor", trial: "agents", attempt: 1, role: "test" },
      leaseSeconds: 600,
      cpus: 2,
      memoryMb: 3072,
      diskMb: 512,
      maxProcesses: 256,
      network: "off",
      mounts: [
        ...mounts,
        ...installed.map(({ program, dir }) => ({ source: dir, target: programFolder(program.name) })),
      ],
      env: {},
    });
    const starts = await mapLimited(installed, atOnce, async ({ program }) => {
      return [program.name, known(await startOne(sandbox, program))] as const;
    });
    return new Map(starts);
  } catch (error) {
    if (!AleError.isInstance(error)) throw error;
    const reason = error.message;
    return new Map(installed.map(({ program }) => [program.name, unknown(reason)]));
  }
}

/** Programs that are started together: most of their time goes into reading themselves. */
const atOnce = 3;

/** For one program to tell its version, in milliseconds. */
const startMs = 60_000;

async function startOne(
  sandbox: Sandbox,
  program: CliProgram,
): Promise<{ readonly starts: boolean; readonly said: string }> {
  const { argv, env, files } = versionCommand(program);
  for (const { path, content } of files) await sandbox.writeFile(path, content);
  const result = await sandbox.exec(argv, { env, timeoutMs: startMs });
  const [out, err] = [result.stdout, result.stderr].map((bytes) =>
    Buffer.from(bytes).toString("utf8").trim(),
  );
  if (succeeded(result)) return { starts: true, said: firstLine(out || err) };
  return { starts: false, said: [describeEnd(result.end), firstLine(err || out)].filter(Boolean).join(": ") };
}

function firstLine(text: string | undefined): string {
  return text?.split("\n")[0]?.slice(0, 120) ?? "";
}
