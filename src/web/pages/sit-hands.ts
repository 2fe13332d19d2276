import type { ScreenInput } from "../../contract/screen-input.ts";
import { askJson, problemOf } from "../data/requests.ts";

type Tell = (problem: string | undefined) => void;

/** Sends what the hands do, in order, one request at a time; what comes meanwhile goes together. */
export interface Hands {
  push(input: ScreenInput): void;
}

export function openHands(tell: Tell): Hands {
  let waiting: ScreenInput[] = [];
  let isSending = false;

  async function send(): Promise<void> {
    isSending = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, 1000);
      waiting = waiting.slice(batch.length);
      try {
        await askJson("/api/sit/screen", batch);
      } catch (error) {
        tell(problemOf(error).message);
      }
    }
    isSending = false;
  }

  return {
    push(input) {
      const last = waiting.at(-1);
      // Only where the pointer comes to matters, and text is text.
      if (input.kind === "move" && last?.kind === "move") waiting[waiting.length - 1] = input;
      else if (input.kind === "type" && last?.kind === "type")
        waiting[waiting.length - 1] = { kind: "type", text: `${last.text}${input.text}` };
      else waiting.push(input);
      if (!isSending) void send();
    },
  };
}
