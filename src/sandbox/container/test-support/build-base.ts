import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectEngine } from "../engine.ts";
import { type BuiltImage, buildImage } from "../images/build-image.ts";
import { readRecipe } from "../images/image-recipe.ts";

const imagesDir = join(import.meta.dirname, "../../../../images");

/** Builds `base` for the daemon from Debian packages alone. */
export async function buildBase(socket: string, extraPackages: readonly string[] = []): Promise<BuiltImage> {
  return buildImage({
    engine: await connectEngine([socket]),
    recipe: await readRecipe(imagesDir, "base"),
    imagesDir,
    tempDir: tmpdir(),
    extraPackages,
    method: "debian",
    onLine: () => undefined,
  });
}
