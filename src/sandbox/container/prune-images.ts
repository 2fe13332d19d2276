import { type Engine, statusOf } from "./engine.ts";

export interface PrunedImages {
  /** Ids of the images removed. */
  readonly removed: readonly string[];
  readonly bytes: number;
}

/** Removes images of ours that a later build has taken the name of. What a container still stands on stays. */
export async function pruneImages(engine: Engine): Promise<PrunedImages> {
  const images = await engine.docker.listImages({ filters: { label: ["ale.image"], dangling: ["true"] } });
  const removed: string[] = [];
  let bytes = 0;
  for (const image of images) {
    try {
      await engine.docker.getImage(image.Id).remove();
    } catch (error) {
      if (statusOf(error) === 409 || statusOf(error) === 404) continue;
      throw error;
    }
    removed.push(image.Id);
    bytes += image.Size;
  }
  return { removed, bytes };
}
