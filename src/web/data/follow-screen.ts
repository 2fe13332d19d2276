import { ask, problemOf } from "./requests.ts";

export interface FollowScreenOptions {
  readonly canvas: HTMLCanvasElement;
  /** Where frames are asked for; the server answers when something has changed. */
  readonly address: string;
  readonly signal: AbortSignal;
  /** Called with what is wrong, and with `undefined` when a frame has come. */
  readonly tell: (problem: string | undefined) => void;
}

const restMs = 1000;

/** Draws each new frame until the signal is aborted or there is nothing more to be seen. A page that nobody sees asks for none. */
export async function followScreen({ canvas, address, signal, tell }: FollowScreenOptions): Promise<void> {
  let revision: string | undefined;
  while (!signal.aborted) {
    try {
      await untilVisible(signal);
      const query = revision === undefined ? "" : `?after=${encodeURIComponent(revision)}`;
      const response = await ask(`${address}${query}`, { signal });
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

function untilVisible(signal: AbortSignal): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (!document.hidden) resolve();
    };
    document.addEventListener("visibilitychange", look, { signal });
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
