import { createHash } from "node:crypto";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../../contract/ale-error.ts";
import { packagesLabel } from "../container-fingerprint.ts";
import { type Engine, reason } from "../engine.ts";
import { findImage, houseRepository, missingImage } from "../find-image.ts";
import { buildWithDaemon } from "./build-with-daemon.ts";
import { buildWithDebian, hasDebianBuilder } from "./build-with-debian.ts";
import { allPackages, compatible, type ImageRecipe, lockDifferences } from "./image-recipe.ts";

export interface BuildImageOptions {
  readonly engine: Engine;
  readonly recipe: ImageRecipe;
  /** Holds `finish.sh`. */
  readonly imagesDir: string;
  /** Where a temporary folder may be made. */
  readonly tempDir: string;
  /** Debian packages on top of the recipe's. */
  readonly extraPackages: readonly string[];
  /** `debian`: from packages alone, with mmdebstrap. `dockerfile`: by the daemon, which fetches from a registry. */
  readonly method: "auto" | "debian" | "dockerfile";
  /** Told each line the builder prints. */
  readonly onLine: (line: string) => void;
  readonly signal?: AbortSignal;
}

export interface BuiltImage {
  readonly name: string;
  readonly id: string;
  readonly method: "debian" | "dockerfile";
  /** `name=version` of all that is installed, sorted. */
  readonly installed: readonly string[];
  /** Digest of that list, in the image's label {@link packagesLabel} and in every fingerprint. */
  readonly packages: string;
  /** See {@link lockDifferences}; always empty where more packages were asked for than the recipe has. */
  readonly differences: readonly string[];
}

/** Builds an image of ours. Rejects with an `AleError` coded `image-build`; the image of that name is then as before. */
export async function buildImage(options: BuildImageOptions): Promise<BuiltImage> {
  const { engine, recipe, extraPackages } = options;
  const method =
    options.method === "auto" ? ((await hasDebianBuilder()) ? "debian" : "dockerfile") : options.method;
  const work = await mkdtemp(join(options.tempDir, "ale-image-"));
  try {
    const installed = await (method === "debian" ? withDebian(options, work) : withDaemon(options, work));
    const image = await findImage(engine, recipe.name);
    if (image === undefined) throw missingImage(recipe.name);
    return {
      name: `${houseRepository}/${recipe.name}`,
      id: image.id,
      method,
      installed,
      packages: image.labels[packagesLabel] ?? "",
      differences: extraPackages.length > 0 ? [] : lockDifferences(recipe.locked, installed),
    };
  } catch (error) {
    if (AleError.isInstance(error)) throw error;
    throw new AleError({
      code: "image-build",
      message: `the image ${recipe.name} could not be built: ${reason(error)}`,
      remedy:
        method === "debian"
          ? "look whether the host reaches the Debian mirror, and at the lines above"
          : "look whether the daemon reaches its registry, or build with --method debian",
      cause: error,
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The digest of a list of packages, as a label has it. */
export function digestOf(installed: readonly string[]): string {
  return `sha256:${createHash("sha256").update(installed.join("\n")).digest("hex")}`;
}

async function withDebian(options: BuildImageOptions, work: string): Promise<readonly string[]> {
  const { recipe, engine, extraPackages, imagesDir, onLine, signal } = options;
  const packages = compatible([...allPackages(recipe), ...extraPackages]);
  const finish = join(imagesDir, "finish.sh");
  const { tarball, installed } = await buildWithDebian({ packages, finish, work, onLine, signal });
  const labels = { [packagesLabel]: digestOf(installed), "ale.image": recipe.name };
  const stream = await engine.docker.importImage(tarball, {
    repo: `${houseRepository}/${recipe.name}`,
    tag: "latest",
    changes: Object.entries(labels).map(([name, value]) => `LABEL ${name}="${value}"`),
  });
  await new Promise<void>((resolve, reject) => {
    engine.docker.modem.followProgress(stream, (error) => (error ? reject(error) : resolve()));
  });
  return installed;
}

async function withDaemon(options: BuildImageOptions, work: string): Promise<readonly string[]> {
  const { recipe, engine, extraPackages, imagesDir, onLine } = options;
  if (recipe.parent !== undefined && (await findImage(engine, recipe.parent.name)) === undefined) {
    await buildImage({ ...options, recipe: recipe.parent, extraPackages: [], method: "dockerfile" });
  }
  await cp(join(recipe.dir, "Dockerfile"), join(work, "Dockerfile"));
  await cp(join(imagesDir, "finish.sh"), join(work, "finish.sh"));
  await writeFile(
    join(work, "packages.txt"),
    `${compatible([...recipe.packages, ...extraPackages]).join("\n")}\n`,
  );
  return buildWithDaemon({ engine, context: work, name: recipe.name, onLine, label: digestOf });
}
