import type { PullProgress } from "../container-options.ts";
import { type Engine, reason } from "../engine.ts";
import { imageReference } from "./image-reference.ts";
import { pullFailure } from "./pull-failure.ts";
import { type PullEvent, PullMeter } from "./pull-meter.ts";
import { registryAccess } from "./registry-access.ts";

export interface PullOptions {
  readonly image: string;
  /** Where logins to registries are kept; see `registryCredentials`. */
  readonly credentialFiles: readonly string[];
  readonly onPull: (progress: PullProgress) => void;
  readonly signal: AbortSignal;
}

/**
 * Has the daemon fetch an image. Rejects with what {@link pullFailure} makes of the daemon's words, or with the signal's
 * reason when it is aborted: the daemon then drops what it has not all of.
 */
export async function pullImage(engine: Engine, options: PullOptions): Promise<void> {
  const { image, credentialFiles, onPull, signal } = options;
  const reference = imageReference(image);
  const { credentials, problem } = await registryAccess(reference, credentialFiles);
  const meter = new PullMeter(image, onPull);
  try {
    signal.throwIfAborted();
    const query = { fromImage: reference.name, tag: reference.version, abortSignal: signal };
    const stream = await engine.docker.createImage(credentials, query);
    // A stream that has begun does not end with the call's signal.
    const abort = (): void =>
      void (stream as unknown as NodeJS.ReadableStream & Destroyable).destroy(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      await new Promise<void>((resolve, reject) => {
        const progress = (event: PullEvent): void => {
          if (event.error !== undefined) reject(new Error(event.error));
          meter.take(event);
        };
        stream.once("error", reject);
        engine.docker.modem.followProgress(stream, (error) => (error ? reject(error) : resolve()), progress);
      });
    } finally {
      signal.removeEventListener("abort", abort);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw pullFailure(engine, image, reference, reason(error), problem);
  }
}

interface Destroyable {
  destroy(error?: Error): void;
}
