import type { Effort } from "../../../contract/contestant.ts";
import type { ModelSpec } from "../../../contract/models-file.ts";
import { nearestEffort } from "../effort-scale.ts";

const levels: readonly Effort[] = ["none", "minimal", "low", "medium", "high", "xhigh"];

/** The word of both OpenAI wires for an effort; they take no number of tokens. */
export function openaiEffort(effort: Effort, model: ModelSpec): Effort {
  return nearestEffort(effort, model.efforts.length > 0 ? model.efforts : levels);
}
