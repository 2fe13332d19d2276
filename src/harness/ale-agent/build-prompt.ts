import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from "@ai-sdk/provider";
import type { ToolContent } from "../../desktop/tools/agent-tool.ts";
import type { CallResult, Conversation } from "./conversation.ts";

export interface PromptOptions {
  /** The newest images that are sent; the others' places say that there was one. */
  readonly keepImages: number;
  /** Whether images may stand in a tool's result; else they follow it as the user's. */
  readonly imagesInResults: boolean;
}

/** Where Anthropic may keep what comes before for the next call; other providers do not look at it. */
const cachePoint = { anthropic: { cacheControl: { type: "ephemeral" } } };

type ResultContent = Extract<LanguageModelV4Message, { role: "tool" }>["content"][number];
type UserContent = Extract<LanguageModelV4Message, { role: "user" }>["content"];

/** The conversation in the words of the model's client. Pure: the same conversation gives the same prompt. */
export function buildPrompt(
  { system, entries }: Conversation,
  { keepImages, imagesInResults }: PromptOptions,
): LanguageModelV4Prompt {
  const images = entries
    .flatMap((entry) => (entry.kind === "turn" ? entry.results : []))
    .flatMap((result) => result.content)
    .filter((part) => part.type === "image");
  const kept = new Set<ToolContent>(keepImages === 0 ? [] : images.slice(-keepImages));
  const messages: LanguageModelV4Message[] = [];
  for (const entry of entries) {
    if (entry.kind === "user") {
      messages.push({ role: "user", content: [{ type: "text", text: entry.text }] });
      continue;
    }
    messages.push(entry.answer);
    if (entry.results.length === 0) continue;
    messages.push({
      role: "tool",
      content: entry.results.map((result) => resultPart(result, kept, imagesInResults)),
    });
    const shown = imagesInResults ? [] : shownImages(entry.results, kept);
    if (shown.length > 0) messages.push({ role: "user", content: shown });
  }
  const last = messages.at(-1);
  return [
    { role: "system", content: system, providerOptions: cachePoint },
    ...messages.slice(0, -1),
    ...(last === undefined ? [] : [{ ...last, providerOptions: cachePoint }]),
  ];
}

function resultPart(result: CallResult, kept: ReadonlySet<ToolContent>, withImages: boolean): ResultContent {
  const { id: toolCallId, name: toolName, content, failed } = result;
  const isPlain = content.every((part) => part.type === "text") || !withImages;
  const text = content.map((part) => (part.type === "text" ? part.text : imageNote(part, kept, withImages)));
  const value = text.filter((piece) => piece !== "").join("\n") || "(nothing)";
  if (isPlain) {
    return {
      type: "tool-result",
      toolCallId,
      toolName,
      output: { type: failed ? "error-text" : "text", value },
    };
  }
  return {
    type: "tool-result",
    toolCallId,
    toolName,
    output: {
      type: "content",
      value: content.map((part) => {
        if (part.type === "text") return { type: "text", text: part.text };
        return kept.has(part) ? imagePart(part) : { type: "text", text: imageNote(part, kept, true) };
      }),
    },
  };
}

function imageNote(part: ToolContent, kept: ReadonlySet<ToolContent>, inPlace: boolean): string {
  if (!kept.has(part)) return "[an image was here; it is no longer shown]";
  return inPlace ? "" : "[an image: it follows]";
}

function shownImages(results: readonly CallResult[], kept: ReadonlySet<ToolContent>): UserContent {
  return results.flatMap(({ name, content }) =>
    content.flatMap(
      (part): UserContent =>
        part.type === "image" && kept.has(part)
          ? [{ type: "text", text: `The image that ${name} gave:` }, imagePart(part)]
          : [],
    ),
  );
}

function imagePart({ mediaType, data }: Extract<ToolContent, { type: "image" }>): LanguageModelV4FilePart {
  return { type: "file", mediaType, data: { type: "data", data } };
}
