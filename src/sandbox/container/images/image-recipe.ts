import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../../contract/ale-error.ts";
import { houseRepository } from "../find-image.ts";

/** What an image of ours consists of, as its folder says. */
export interface ImageRecipe {
  readonly name: string;
  readonly dir: string;
  /** Debian packages of its own, sorted. */
  readonly packages: readonly string[];
  /** The image it stands on, when that is one of ours. */
  readonly parent?: ImageRecipe;
  /** `name=version` of everything that was installed when the recipe was last locked; empty before that. */
  readonly locked: readonly string[];
}

/** Reads `<imagesDir>/<name>` and what it stands on. Throws an `AleError` coded `unknown-image`. */
export async function readRecipe(imagesDir: string, name: string): Promise<ImageRecipe> {
  const dir = join(imagesDir, name);
  let dockerfile: string;
  try {
    dockerfile = await readFile(join(dir, "Dockerfile"), "utf8");
  } catch (error) {
    throw new AleError({
      code: "unknown-image",
      message: `there is no recipe for an image called ${name}`,
      remedy: `take one of: ${(await recipeNames(imagesDir)).join(", ")}`,
      cause: error,
    });
  }
  const packages = readLines(await readFile(join(dir, "packages.txt"), "utf8"));
  const locked = readLines(await readFile(join(dir, "packages.lock"), "utf8").catch(() => ""));
  const parent = new RegExp(`^FROM ${houseRepository}/([a-z0-9-]+)`, "m").exec(dockerfile)?.[1];
  return {
    name,
    dir,
    packages,
    locked,
    ...(parent === undefined ? {} : { parent: await readRecipe(imagesDir, parent) }),
  };
}

/** Images of containers there are recipes for, sorted; those of virtual machines are made otherwise. */
export async function recipeNames(imagesDir: string): Promise<readonly string[]> {
  const entries = await readdir(imagesDir, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && existsSync(join(imagesDir, entry.name, "Dockerfile")))
    .map((entry) => entry.name)
    .sort();
}

/** All packages it names, with those of what it stands on. */
export function allPackages(recipe: ImageRecipe): readonly string[] {
  const inherited = recipe.parent === undefined ? [] : allPackages(recipe.parent);
  return [...new Set([...inherited, ...recipe.packages])].sort();
}

/** Each once, sorted; of a program with and without windows (`-nogui`), which exclude each other, the one with. */
export function compatible(packages: readonly string[]): readonly string[] {
  const names = new Set(packages);
  const isLesser = (name: string): boolean =>
    name.endsWith("-nogui") && names.has(name.slice(0, -"-nogui".length));
  return [...names].filter((name) => !isLesser(name)).sort();
}

/** Lines that are neither empty nor a comment, sorted. */
export function readLines(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .sort();
}

/** How what was installed differs from the lock: `+` new, `-` no more, a changed version both. */
export function lockDifferences(locked: readonly string[], installed: readonly string[]): readonly string[] {
  const before = new Set(locked);
  const after = new Set(installed);
  return [
    ...locked.filter((entry) => !after.has(entry)).map((entry) => `-${entry}`),
    ...installed.filter((entry) => !before.has(entry)).map((entry) => `+${entry}`),
  ].sort((a, b) => (a.slice(1) < b.slice(1) ? -1 : 1));
}
