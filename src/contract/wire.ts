import { z } from "zod";

/** A protocol that models are spoken to in. */
export type WireName = "anthropic-messages" | "openai-chat" | "openai-responses" | "gemini";

export const wireNames: readonly WireName[] = [
  "anthropic-messages",
  "openai-chat",
  "openai-responses",
  "gemini",
];

export const wireNameSchema: z.ZodType<WireName> = z.enum(wireNames as [WireName, ...WireName[]]);
