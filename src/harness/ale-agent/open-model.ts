import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { WireName } from "../../contract/wire.ts";
import type { ModelAccess } from "../harness.ts";

/** A model on one wire, and what of the wire the loop must know. */
export interface OpenedModel {
  readonly model: LanguageModelV4;
  readonly name: string;
  /** Whether a tool's result may hold images; where not, they follow as the user's. */
  readonly imagesInResults: boolean;
  /** Asked for where the wire must be told; absent = the provider's own. */
  readonly maxOutputTokens?: number;
}

/** What fits every model of today that is asked over this wire. */
const anthropicOutputTokens = 16_000;

/** The client of the model over the wire, through the gateway. Its libraries are loaded when first needed. */
export async function openModel(access: ModelAccess, wire: WireName, name: string): Promise<OpenedModel> {
  const { token: apiKey, hostEndpoints } = access;
  const baseURL = hostEndpoints[wire];
  switch (wire) {
    case "anthropic-messages": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      const model = createAnthropic({ apiKey, baseURL: `${baseURL}/v1` })(name);
      return { model, name, imagesInResults: true, maxOutputTokens: anthropicOutputTokens };
    }
    case "openai-responses": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return { model: createOpenAI({ apiKey, baseURL }).responses(name), name, imagesInResults: true };
    }
    case "openai-chat": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return { model: createOpenAI({ apiKey, baseURL }).chat(name), name, imagesInResults: false };
    }
    case "gemini": {
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
      const model = createGoogleGenerativeAI({ apiKey, baseURL: `${baseURL}/v1beta` })(name);
      return { model, name, imagesInResults: false };
    }
  }
}
