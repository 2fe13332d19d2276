import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  allPackages,
  compatible,
  lockDifferences,
  readLines,
  readRecipe,
  recipeNames,
} from "./image-recipe.ts";

const images = join(import.meta.dirname, "../../../../images");

const parents: Readonly<Record<string, string>> = {
  desktop: "base",
  science: "base",
  design: "desktop",
  media: "desktop",
  office: "desktop",
};

describe("recipes of images", () => {
  test("every image can be read, and stands on base; where programs have windows, on a desktop", async () => {
    const names = await recipeNames(images);
    expect(names).toEqual(["base", "design", "desktop", "media", "office", "science"]);
    for (const name of names) {
      const recipe = await readRecipe(images, name);
      expect(recipe.packages.length).toBeGreaterThan(0);
      expect(recipe.parent?.name).toBe(parents[name]);
      expect(allPackages(recipe)).toContain("python3");
    }
  });

  test("every image names the same fonts, and so does the Linux guest of virtual machines", async () => {
    const isFont = (name: string): boolean => /^font/.test(name);
    const guest = readLines(await readFile(join(images, "vm-linux/packages.txt"), "utf8"));
    const fonts = guest.filter(isFont);
    expect(fonts).toEqual(["fontconfig", "fonts-dejavu-core", "fonts-liberation", "fonts-wqy-microhei"]);
    for (const name of await recipeNames(images)) {
      expect(allPackages(await readRecipe(images, name)).filter(isFont)).toEqual(fonts);
    }
  });

  test("all that a recipe names is in its lock", async () => {
    for (const name of await recipeNames(images)) {
      const recipe = await readRecipe(images, name);
      const locked = new Set(recipe.locked.map((entry) => entry.split("=")[0]));
      expect(allPackages(recipe).filter((entry) => !locked.has(entry))).toEqual([]);
    }
  });

  test("a name without a recipe is told with the names there are", async () => {
    await expect(readRecipe(images, "ofice")).rejects.toMatchObject({
      code: "unknown-image",
      remedy: "take one of: base, design, desktop, media, office, science",
    });
  });

  test("a program's form without windows gives way to the whole", () => {
    expect(compatible(["calc-nogui", "writer-nogui", "calc", "calc"])).toEqual(["calc", "writer-nogui"]);
  });

  test("what differs from a lock is listed, package by package", () => {
    expect(lockDifferences(["a=1", "b=1", "c=1"], ["a=1", "b=2", "d=1"])).toEqual([
      "-b=1",
      "+b=2",
      "-c=1",
      "+d=1",
    ]);
  });
});
