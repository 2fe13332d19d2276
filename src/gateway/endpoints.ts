import type { WireName } from "../contract/wire.ts";

/** Base URLs below an origin, as each wire's official client takes them. For a sandbox: the forwarder's origin. */
export function endpointsAt(origin: string): Readonly<Record<WireName, string>> {
  return {
    "anthropic-messages": origin,
    "openai-chat": `${origin}/v1`,
    "openai-responses": `${origin}/v1`,
    gemini: origin,
  };
}
