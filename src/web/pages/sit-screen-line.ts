import type { ScreenInput } from "../../contract/screen-input.ts";
import { ask, askJson, problemOf } from "./sit-requests.ts";

type Tell = (problem: string | undefined) => void;

const restMs = 1000;

/** Draws each new frame until the signal is aborted or the work is over. The server answers when something has changed. */
export async function watchScreen(canvas: HTMLCanvasElement, signal: AbortSignal, tell: Tell): Promise<void> {
  let revision: string | undefined;
  while (!signal.aborted) {
    try {
      const query = revision === undefined ? "" : `?after=${encodeURIComponent(revision)}`;
      const response = await ask(`/api/sit/screen${query}`, { signal });
      if (response.headers.has("X-Over")) return;
      if (response.status === 204) continue;
      const picture = await createImageBitmap(await response.blob());
      if (signal.aborted) return;
      canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
      picture.close();
      revision = response.headers.get("X-Revision") ?? undefined;
      canvas.dataset["revision"] = revision ?? "";
      tell(undefined);
    } catch (error) {
      if (signal.aborted) return;
      tell(problemOf(error).message);
      await new Promise((resolve) => setTimeout(resolve, restMs));
    }
  }
}

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
