import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { known, type Maybe, unknown } from "../../contract/absence.ts";
import { listAt, textAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import type { CallStep } from "../../desktop/channels/channel-use.ts";
import { systemCode } from "../../files/system-code.ts";

/** A longer trajectory is not taken into memory for this alone. */
const mostBytes = 128 * 1024 * 1024;

/** What an attempt's trajectory says was called and when; absence, size and damage are reasons, never a throw. */
export async function readCallSteps(dir: string): Promise<Maybe<readonly CallStep[]>> {
  const path = join(dir, "trajectory.json");
  try {
    const { size } = await stat(path);
    if (size > mostBytes) return unknown(`the trajectory is too long to be looked through: ${size} bytes`);
    return known(listAt(JSON.parse(await readFile(path, "utf8")), "steps").map(callStep));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return unknown("the harness told no trajectory");
    return unknown(
      `the trajectory cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** The step without its results and pictures. */
function callStep(step: JsonValue): CallStep {
  const timestamp = textAt(step, "timestamp");
  return {
    ...(timestamp === undefined ? {} : { timestamp }),
    tool_calls: listAt(step, "tool_calls").map((call) => ({
      tool_call_id: textAt(call, "tool_call_id") ?? "",
      function_name: textAt(call, "function_name") ?? "",
      arguments: {},
    })),
  };
}
