import type { Effort } from "../../contract/contestant.ts";
import type { WireName } from "../../contract/wire.ts";
import type { CliLaunch } from "../program/cli-program.ts";
import { modelRoom } from "../program/model-room.ts";

/** What pi, and whoever builds on its core, calls each wire, and what it wants after the official client's base URL. */
export const piApis: Readonly<Record<WireName, { readonly api: string; readonly path: string }>> = {
  "anthropic-messages": { api: "anthropic-messages", path: "" },
  "openai-responses": { api: "openai-responses", path: "" },
  "openai-chat": { api: "openai-completions", path: "" },
  gemini: { api: "google-generative-ai", path: "/v1beta" },
};

/** The Responses API's levels; the key is ours. */
export const piLevels: Readonly<Record<Effort, string>> = {
  none: "off",
  minimal: "minimal",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "xhigh",
  max: "xhigh",
};

/**
 * Whether it is told that the model reasons. Where it is not it asks for no reasoning, and the gateway asks for it in the
 * form this very model takes. Only Responses must be told: with it the encrypted reasoning is asked for without which a
 * turn forgets the last.
 */
export function piIsToldToReason({ wire, effort }: Pick<CliLaunch, "wire" | "effort">): boolean {
  return wire === "openai-responses" && effort !== "none";
}

/** The model as its configuration lists it. */
export function piModelEntry(launch: CliLaunch): {
  readonly [field: string]: string | number | boolean | readonly string[];
} {
  const { context, output } = modelRoom(launch.contestant);
  return {
    id: launch.model,
    name: launch.model,
    reasoning: piIsToldToReason(launch),
    input: ["text", "image"],
    contextWindow: context,
    maxTokens: output,
  };
}
