import type { AuthConfig } from "dockerode";
import type { AleError } from "../../../contract/ale-error.ts";
import type { Clock } from "../../../contract/clock.ts";
import { type Engine, reason, statusOf } from "../engine.ts";
import { imageReference } from "./image-reference.ts";
import { pullFailure } from "./pull-failure.ts";
import { registryAccess } from "./registry-access.ts";

/** What a registry says of an image, without any of it being fetched. */
export type RegistryAnswer =
  | { readonly kind: "there"; readonly digest: string }
  | { readonly kind: "failed"; readonly error: AleError }
  /** This daemon cannot ask (Podman), or the registry has not answered in time. */
  | { readonly kind: "unknown" };

const patienceMs = 15_000;

/** Has the daemon ask, as it would to fetch: network, proxies and certificates are its own. */
export async function askRegistry(
  engine: Engine,
  image: string,
  credentialFiles: readonly string[],
  clock: Clock,
): Promise<RegistryAnswer> {
  if (engine.facts.name === "podman") return { kind: "unknown" };
  const reference = imageReference(image);
  const { credentials, problem } = await registryAccess(reference, credentialFiles);
  const over = new AbortController();
  const late = clock.sleep(patienceMs, over.signal).then(
    () => undefined,
    () => undefined,
  );
  try {
    const asked = engine.docker.getImage(image).distribution({ authconfig: credentials as AuthConfig });
    const answer = await Promise.race([asked, late]);
    return answer === undefined ? { kind: "unknown" } : { kind: "there", digest: answer.Descriptor.digest };
  } catch (error) {
    // Something that speaks the Engine API and does not have this part of it.
    if (statusOf(error) === 404 && /page not found/i.test(reason(error))) return { kind: "unknown" };
    return { kind: "failed", error: pullFailure(engine, image, reference, reason(error), problem) };
  } finally {
    over.abort();
  }
}
