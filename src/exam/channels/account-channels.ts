import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { known } from "../../contract/absence.ts";
import type { ChannelUse } from "../../contract/channel-use.ts";
import { type ScreenActionLine, screenActionLineSchema } from "../../contract/screen-action-line.ts";
import type { Channel } from "../../contract/task-manifest.ts";
import { channelUse } from "../../desktop/channels/channel-use.ts";
import { systemCode } from "../../files/system-code.ts";
import type { Harness } from "../../harness/harness.ts";
import { readEvents } from "../../record/read-events.ts";
import { attemptFiles } from "../../record/run-layout.ts";
import { readCallSteps } from "./read-call-steps.ts";
import { stepsOfPerson } from "./steps-of-person.ts";

export interface AttemptToAccount {
  /** The attempt's folder, everything of the agent's phase written. */
  readonly dir: string;
  readonly harness: Pick<Harness, "outside" | "wires">;
  readonly required: Channel | undefined;
}

/** Through which channels an attempt worked, from its trajectory and the record of its screen. */
export async function accountChannels({ dir, harness, required }: AttemptToAccount): Promise<ChannelUse> {
  const told = await readCallSteps(dir);
  const isPerson = harness.outside === true && harness.wires === undefined;
  const steps =
    isPerson && !told.known ? known(await stepsOfPerson(readEvents(join(dir, attemptFiles.events)))) : told;
  const actions = await Array.fromAsync(readActions(join(dir, "actions.jsonl")));
  return channelUse({ steps, actions, ...(required === undefined ? {} : { required }) });
}

/** The lines that can be read; the last may be torn where the phase was given up on. */
async function* readActions(path: string): AsyncGenerator<ScreenActionLine> {
  const input = createReadStream(path, "utf8");
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const action = readAction(line);
      if (action !== undefined) yield action;
    }
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
}

function readAction(line: string): ScreenActionLine | undefined {
  try {
    return screenActionLineSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
