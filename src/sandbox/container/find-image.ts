import { AleError } from "../../contract/ale-error.ts";
import { type Engine, statusOf } from "./engine.ts";
import { type PullOptions, pullImage } from "./registry/pull-image.ts";

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

/** As {@link findImage}; fetches what has a registry's name. Rejects as {@link pullImage} does, or with a `no-image`. */
export async function getImage(engine: Engine, options: PullOptions): Promise<FoundImage> {
  const { image } = options;
  const found = await findImage(engine, image);
  if (found !== undefined) return found;
  if (isOfRegistry(image)) await pullImage(engine, options);
  const pulled = isOfRegistry(image) ? await findImage(engine, image) : undefined;
  if (pulled !== undefined) return pulled;
  throw missingImage(image);
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
