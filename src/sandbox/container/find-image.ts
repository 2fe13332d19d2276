import { AleError } from "../../contract/ale-error.ts";
import type { PullProgress } from "./container-options.ts";
import { type Engine, reason, statusOf } from "./engine.ts";

/** An image as the daemon has it. */
export interface FoundImage {
  /** Digest of its configuration: what a machine is made from, whatever the name means later. */
  readonly id: string;
  /** Its own variables; they come before ours. */
  readonly env: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  /** Digests it has in registries. */
  readonly digests: readonly string[];
}

/** The repository our own images are in. */
export const houseRepository = "ale";

/** Names an image may have here: one of our own first, for a plain name. */
export function imageNames(name: string): readonly string[] {
  return /^[a-z0-9-]+$/.test(name) ? [`${houseRepository}/${name}`, name] : [name];
}

/** The image of that name, digest or id that the daemon has; `undefined` when it has none. */
export async function findImage(engine: Engine, name: string): Promise<FoundImage | undefined> {
  for (const candidate of imageNames(name)) {
    try {
      const image = await engine.docker.getImage(candidate).inspect();
      const variables = (image.Config?.Env ?? []).map((entry) => entry.split(/=(.*)/s).slice(0, 2));
      return {
        id: image.Id,
        env: Object.fromEntries(variables) as Record<string, string>,
        labels: image.Config?.Labels ?? {},
        digests: (image.RepoDigests ?? []).toSorted(),
      };
    } catch (error) {
      if (statusOf(error) !== 404) throw error;
    }
  }
  return undefined;
}

/** As {@link findImage}; fetches what has a registry's name. Throws an `AleError` coded `no-image`. */
export async function getImage(
  engine: Engine,
  name: string,
  onPull: (progress: PullProgress) => void,
): Promise<FoundImage> {
  const found = await findImage(engine, name);
  if (found !== undefined) return found;
  if (isOfRegistry(name)) await pull(engine, name, onPull);
  const pulled = isOfRegistry(name) ? await findImage(engine, name) : undefined;
  if (pulled !== undefined) return pulled;
  throw missingImage(name);
}

export function missingImage(name: string): AleError {
  return new AleError({
    code: "no-image",
    message: `the daemon has no image ${name}`,
    remedy: /^[a-z0-9-]+$/.test(name) ? `ale sandboxes build ${name}` : `docker pull ${name}`,
    fields: { image: name },
  });
}

/** A name that tells where to fetch it from: `python:3.12`, `ghcr.io/x/y@sha256:…`; not a bare id, and none of ours. */
export function isOfRegistry(name: string): boolean {
  return /[/:]/.test(name) && !name.startsWith("sha256:") && !name.startsWith(`${houseRepository}/`);
}

interface PullEvent {
  readonly id?: string;
  readonly error?: string;
  readonly progressDetail?: { readonly current?: number; readonly total?: number };
}

async function pull(engine: Engine, image: string, onPull: (progress: PullProgress) => void): Promise<void> {
  const layers = new Map<string, { readonly current: number; readonly total: number }>();
  try {
    const stream = await engine.docker.pull(image.includes(":") ? image : `${image}:latest`);
    await new Promise<void>((resolve, reject) => {
      const progress = (event: PullEvent): void => {
        if (event.error !== undefined) reject(new Error(event.error));
        const { current, total } = event.progressDetail ?? {};
        if (event.id === undefined || current === undefined || total === undefined) return;
        layers.set(event.id, { current, total });
        const all = [...layers.values()];
        onPull({
          image,
          bytes: all.reduce((sum, layer) => sum + layer.current, 0),
          totalBytes: all.reduce((sum, layer) => sum + layer.total, 0),
        });
      };
      engine.docker.modem.followProgress(stream, (error) => (error ? reject(error) : resolve()), progress);
    });
  } catch (error) {
    throw new AleError({
      code: "no-image",
      message: `the image ${image} could not be fetched: ${reason(error)}`,
      remedy: `look whether docker pull ${image} works`,
      fields: { image },
      cause: error,
    });
  }
}
