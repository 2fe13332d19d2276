import type { Clock } from "../../contract/clock.ts";
import type { Finding } from "../../contract/finding.ts";
import { findingOf } from "../../contract/finding-of.ts";
import type { SandboxSpec } from "../provider.ts";
import type { Engine } from "./engine.ts";
import { type FoundImage, findImage, isOfRegistry, missingImage } from "./find-image.ts";
import { askRegistry } from "./registry/ask-registry.ts";
import { imageReference } from "./registry/image-reference.ts";

export interface ImageFindingsOptions {
  readonly image: string;
  readonly credentialFiles: readonly string[];
  readonly clock: Clock;
  /** `undefined`: nobody asks for the image yet. */
  readonly spec: SandboxSpec | undefined;
}

/** Whether the daemon has the image, or can have it; and whether its name means another one by now. */
export async function imageFindings(
  engine: Engine,
  options: ImageFindingsOptions,
): Promise<readonly Finding[]> {
  const { image, credentialFiles, clock, spec } = options;
  const found = await findImage(engine, image);
  if (found !== undefined && !canMove(image, found)) return [];
  if (!isOfRegistry(image)) {
    const missing = findingOf(missingImage(image));
    if (spec !== undefined) return [missing];
    // Who names an image in every task needs no other.
    const message = `${missing.message}, which tasks that name no image need`;
    return [{ ...missing, severity: "warning", message }];
  }
  const answer = await askRegistry(engine, image, credentialFiles, clock);
  // A registry that is away is nothing to who has the image.
  if (found !== undefined) return answer.kind === "there" ? moved(engine, image, found, answer.digest) : [];
  if (answer.kind === "failed") return [findingOf(answer.error)];
  if (engine.facts.name === "podman") return [notLookedUp(image)];
  const which = answer.kind === "there" ? ` (${answer.digest})` : "";
  return [
    {
      severity: "note",
      code: "image-to-pull",
      message: `the image ${image}${which} is fetched on first use`,
    },
  ];
}

/** Podman's API has no question for registries. */
function notLookedUp(image: string): Finding {
  return {
    severity: "warning",
    code: "image-not-looked-up",
    message: `Podman cannot ask ${imageReference(image).registry} for the image ${image} beforehand: it is fetched on first use, and when it cannot be, every trial that needs it ends in env_error.`,
    remedy: `podman pull ${image}`,
  };
}

/** One that was built or loaded here has no digest of a registry. */
function canMove(image: string, found: FoundImage): boolean {
  return isOfRegistry(image) && !imageReference(image).pinned && found.digests.length > 0;
}

function moved(engine: Engine, image: string, found: FoundImage, digest: string): readonly Finding[] {
  if (found.digests.some((entry) => entry.endsWith(`@${digest}`))) return [];
  const { registry, name } = imageReference(image);
  return [
    {
      severity: "warning",
      code: "image-moved",
      message: `${registry} calls another image ${image} by now: the daemon here has an older one, which machines are made of.`,
      remedy: `${engine.facts.name} pull ${image}; or name one for good, as ${name}@${digest}`,
    },
  ];
}
