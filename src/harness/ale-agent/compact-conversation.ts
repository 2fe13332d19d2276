import { type Conversation, type ConversationEntry, estimateTokens } from "./conversation.ts";

/** What the model is asked for before its conversation is cut. */
export const summaryRequest: string = [
  "This conversation is about to be cut: only the task, your notes and what you write now will stay.",
  "Write down for yourself all you need to go on: what is done, what you found out (numbers, paths, decisions), what failed, what remains.",
  "Answer with that text alone; call no tool.",
].join("\n");

export interface CompactionOptions {
  /** Tokens that the newest turns may take of what is kept. */
  readonly keepTokens: number;
  readonly keepImages: number;
  /** What the agent has written down; empty = nothing. */
  readonly notes: string;
  /** The model's own summary; `undefined` where it could give none. */
  readonly summary: string | undefined;
}

/** The task, what the model wrote down, and the newest turns. At least the last entry stays. */
export function compactConversation(
  { system, entries }: Conversation,
  { keepTokens, keepImages, notes, summary }: CompactionOptions,
): Conversation {
  const [task, ...rest] = entries;
  if (task === undefined) return { system, entries };
  let from = Math.max(0, rest.length - 1);
  while (from > 0 && estimateTokens(rest.slice(from - 1), keepImages) <= keepTokens) from -= 1;
  const dropped = rest.slice(0, from);
  if (dropped.length === 0) return { system, entries: [task, ...rest] };
  const text = [
    `[${dropped.length} earlier parts of this conversation were cut.]`,
    summary === undefined ? "No summary of them could be made." : `Your summary of them:\n${summary}`,
    ...(notes === "" ? [] : [`Your notes:\n${notes}`]),
    "Go on with the task.",
  ].join("\n\n");
  return { system, entries: [task, userText(text), ...rest.slice(from)] };
}

function userText(text: string): ConversationEntry {
  return { kind: "user", text };
}
