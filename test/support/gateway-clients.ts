import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import type { TrialGrant } from "../../src/gateway/gateway.ts";

interface Question {
  readonly role: "user";
  readonly content: string;
}

const messages: Question[] = [{ role: "user", content: "Say it." }];

/** A request in Anthropic's form. */
export const ask: { readonly model: string; readonly max_tokens: number; readonly messages: Question[] } = {
  model: "scripted",
  max_tokens: 64,
  messages,
};

/** The same as a chat completion. */
export const chat: { readonly model: string; readonly messages: Question[] } = { model: "gpt", messages };

export function anthropic({ token, endpoints }: TrialGrant): Anthropic {
  return new Anthropic({ apiKey: token, baseURL: endpoints["anthropic-messages"] });
}

export function openai({ token, endpoints }: TrialGrant): OpenAI {
  return new OpenAI({ apiKey: token, baseURL: endpoints["openai-chat"] });
}

export function gemini({ token, endpoints }: TrialGrant, verb: string): Promise<Response> {
  return fetch(`${endpoints.gemini}/v1beta/models/scripted:${verb}`, {
    method: "POST",
    headers: { "x-goog-api-key": token },
    body: JSON.stringify({ contents: [{ role: "user", parts: [{ text: "Say it." }] }] }),
  });
}
