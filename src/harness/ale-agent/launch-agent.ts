import { known, type Maybe, unknown } from "../../contract/absence.ts";
import { AleError } from "../../contract/ale-error.ts";
import type { Claim } from "../../contract/claim.ts";
import { createMachine } from "../../desktop/machine/create-machine.ts";
import type { HarnessOutcome, HarnessSession, ModelAccess } from "../harness.ts";
import { openTrajectoryWriter } from "../trajectory/open-trajectory-writer.ts";
import { claimRequest, parseClaim } from "../trajectory/parse-claim.ts";
import { type AgentSettings, agentSettingsSchema } from "./agent-settings.ts";
import { type ConnectedServer, connectServer } from "./connect-servers.ts";
import { createNotes } from "./notes-tool.ts";
import { type OpenedModel, openModel } from "./open-model.ts";
import { type LoopEnd, runLoop } from "./run-loop.ts";
import { screenAgentTool } from "./screen-agent-tool.ts";
import { createStepRecorder } from "./step-recorder.ts";
import { systemPrompt } from "./system-prompt.ts";
import { createReminder } from "./time-reminder.ts";

/** A trial's way to its model, with everything there. */
export interface AgentModel {
  readonly access: ModelAccess;
  readonly opened: OpenedModel;
  /** Does the work at the screen, where the model itself cannot see. */
  readonly seeing: OpenedModel | undefined;
}

/** The wires it speaks, best first. */
export const agentWires = ["anthropic-messages", "openai-responses", "gemini", "openai-chat"] as const;

/** Sits one trial: connects, works, writes the trajectory, and says how it ended. */
export async function launchAgent(version: string, session: HarnessSession): Promise<HarnessOutcome> {
  const { contestant } = session.trial;
  const settings = agentSettingsSchema.parse(contestant.settings);
  const model = await modelOf(session, settings);
  if (model === undefined) return notRun("agent-error", "its model speaks no wire that it does");
  await using servers = new AsyncDisposableStack();
  const connected: ConnectedServer[] = [];
  try {
    // The machine's own tools are used directly: the same ones, without the way over HTTP.
    for (const endpoint of model.access.mcp.filter(({ name }) => name !== "machine")) {
      const access = { token: model.access.token, version };
      connected.push(servers.use(await connectServer(endpoint, access, session.signal)));
    }
  } catch (error) {
    return notRun("env-error", `an MCP server of ours could not be reached: ${String(error)}`);
  }
  return await work(version, session, settings, model, connected);
}

async function modelOf(session: HarnessSession, settings: AgentSettings): Promise<AgentModel | undefined> {
  const { model: access, trial } = session;
  const name = trial.contestant.model;
  const wire = agentWires.find((candidate) => access?.wires.includes(candidate));
  if (access === undefined || name === undefined || wire === undefined) return undefined;
  const opened = await openModel(access, wire, name);
  const { vision } = settings;
  const seeing = typeof vision === "string" ? await openModel(access, wire, vision) : undefined;
  return { access, opened, seeing };
}

async function work(
  version: string,
  session: HarnessSession,
  settings: AgentSettings,
  { opened, seeing }: AgentModel,
  servers: readonly ConnectedServer[],
): Promise<HarnessOutcome> {
  const { trial, clock, signal } = session;
  await using machine = createMachine(session.sandbox);
  const notes = createNotes();
  const keepImages = settings.vision === true ? settings.keep_images : 0;
  const contextTokens = settings.context_tokens;
  const screenTools = servers.filter(({ name }) => name === "screen").flatMap((server) => server.tools);
  const otherTools = servers.filter(({ name }) => name !== "screen").flatMap((server) => server.tools);
  const screen = screenTools.length === 0 ? "none" : seeing === undefined ? "tools" : "helper";
  const plainTools = [
    ...machine.tools,
    notes.tool,
    ...otherTools,
    ...(screen === "tools" ? screenTools : []),
  ];

  await using writer = await openTrajectoryWriter(
    session.record,
    {
      session_id: `${trial.contestant.name}/${trial.instance}`,
      agent: {
        name: "ale-agent",
        version,
        model_name: opened.name,
        tool_definitions: plainTools.map(({ name, description, schema }) => ({
          name,
          description,
          parameters: schema,
        })),
      },
    },
    session.redact,
  );
  const recorder = createStepRecorder(writer, session);
  let currentCall = "";
  const helper =
    seeing === undefined || screen !== "helper"
      ? []
      : [
          screenAgentTool({
            opened: seeing,
            tools: screenTools,
            keepImages: settings.keep_images,
            contextTokens,
            clock,
            recorder,
            currentCall: () => currentCall,
          }),
        ];
  const system = systemPrompt({ screen });
  await recorder.say("system", system);
  await recorder.say("user", trial.instruction);
  const end = await runLoop({
    opened,
    tools: [...plainTools, ...helper],
    system,
    task: trial.instruction,
    maxTurns: settings.max_turns,
    contextTokens,
    keepImages,
    clock,
    signal,
    recorder,
    notes: notes.text,
    review: (message) =>
      parseClaim(known(message)).claim.known
        ? undefined
        : `Your last message does not end in the form that was asked for. If the work is done, say so in that form; if not, go on.\n\n${claimRequest}`,
    remind: createReminder(trial.limits, clock, () => recorder.usage),
    onCall: (call) => {
      currentCall = call;
    },
  }).catch((error: unknown): LoopEnd | AleError => {
    if (AleError.isInstance(error) && error.code === "sandbox-gone") return error;
    throw error;
  });

  const message: Maybe<string> =
    AleError.isInstance(end) || end.message === "" ? unknown("it said nothing") : known(end.message);
  const { claim, files } = parseClaim(message);
  const ending = AleError.isInstance(end) ? "machine-lost" : end.kind;
  const { usage } = recorder;
  await writer.finish({
    final_metrics: {
      total_prompt_tokens: usage.input,
      total_completion_tokens: usage.output,
      total_cached_tokens: usage.cached,
    },
    extra: {
      ale: {
        ending,
        ...(claim.known
          ? { claim: { kind: claim.value.kind, files: files.map((file) => ({ ...file })) } }
          : {}),
      },
    },
  });
  const told = { usage: known(usage), costUsd: unknown("the gateway prices its calls"), claim };
  if (AleError.isInstance(end)) return { kind: "env-error", reason: end.message, ...told };
  return outcomeOf(end, told);
}

interface Told {
  readonly usage: HarnessOutcome["usage"];
  readonly costUsd: HarnessOutcome["costUsd"];
  readonly claim: Maybe<Claim>;
}

function outcomeOf(end: LoopEnd, told: Told): HarnessOutcome {
  switch (end.kind) {
    case "finished":
    case "out-of-turns":
      return { kind: "completed", ...told };
    case "refused":
      return { kind: "refused", reason: end.reason, ...told };
    case "failed": {
      const { kind, message } = end.failure;
      const isOurs = kind === "upstream" || kind === "cut";
      return { kind: isOurs ? "env-error" : "agent-error", reason: message, ...told };
    }
  }
}

function notRun(kind: "agent-error" | "env-error", reason: string): HarnessOutcome {
  const untold = unknown("it never ran");
  return { kind, reason, usage: untold, costUsd: untold, claim: untold };
}
