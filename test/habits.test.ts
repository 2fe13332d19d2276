import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readSources, repositoryRoot, withoutComments } from "./source-imports.ts";

const sources = await Promise.all(
  [...(await readSources("src")), ...(await readSources("tasks"))].map(async (source) => ({
    ...source,
    text: await readFile(join(repositoryRoot, source.path), "utf8"),
  })),
);

function filesWith(pattern: RegExp, except: (path: string) => boolean = () => false): readonly string[] {
  return sources
    .filter((source) => pattern.test(source.text) && !except(source.path))
    .map((source) => source.path);
}

describe("the habits of the house", () => {
  test("no file is longer than 300 lines", () => {
    const long = sources
      .filter((source) => source.text.split("\n").length > 301)
      .map((source) => source.path);
    expect(long).toEqual([]);
  });

  test("file names are kebab-case", () => {
    const odd = sources.filter((source) => !/\/[a-z0-9]+(-[a-z0-9]+)*\.tsx?$/.test(source.path));
    expect(odd.map((source) => source.path)).toEqual([]);
  });

  test("nothing escapes the types", () => {
    expect(filesWith(/@ts-ignore|@ts-expect-error|@ts-nocheck/)).toEqual([]);
    const code = sources.map(({ path, text }) => ({ path, code: withoutComments(text) }));
    expect(code.filter(({ code }) => /:\s*any\b|\bas any\b/.test(code)).map(({ path }) => path)).toEqual([]);
  });

  test("only the command line reads the environment, ends the process or prints", () => {
    // A task's program is one of its own; what it starts gets its environment.
    const isEdge = (path: string): boolean =>
      ["src/cli/", "src/task/native/", "tasks/"].some((folder) => path.startsWith(folder));
    expect(filesWith(/process\.(env|exit\b|stdout|stderr)|\bconsole\./, isEdge)).toEqual([]);
  });

  test("every error that is thrown on purpose has a code", () => {
    // A task's program may throw what it likes: that is the task's error, and is recorded as such.
    const isTask = (path: string): boolean => path.startsWith("tasks/");
    expect(filesWith(/throw new Error\(/, isTask)).toEqual([]);
  });

  test("folders are made by the piece that cannot hang", () => {
    // Providers and gateway make theirs below folders that are there by then; tasks run in a sandbox.
    const isBelow = (path: string): boolean =>
      ["src/sandbox/", "src/gateway/", "src/testing/", "tasks/"].some((folder) => path.startsWith(folder)) ||
      path.includes("/fixtures/");
    expect(filesWith(/\bmkdir(Sync)?\([^;]*recursive: true/, isBelow)).toEqual([]);
  });

  test("no empty catch swallows an error", () => {
    expect(filesWith(/catch\s*(\([^)]*\))?\s*\{\s*\}/)).toEqual([]);
  });
});
