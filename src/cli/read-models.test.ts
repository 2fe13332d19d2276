import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readModels } from "./read-models.ts";

let dir = "";
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "ale-models-"));
  for (const name of ["here", "config"]) await mkdir(join(dir, name));
});
afterEach(() => rm(dir, { recursive: true }));

function context(environment: Readonly<Record<string, string>> = {}) {
  return {
    cwd: join(dir, "here"),
    folders: { cache: dir, state: dir, config: join(dir, "config") },
    environment,
  };
}

function yaml(model: string): string {
  return `schema: ale/models@1
upstreams:
  one: { base_url: 'http://127.0.0.1:1', wires: [gemini], key_env: ONE }
  two: { base_url: 'http://127.0.0.1:1', wires: [gemini], key_env: TWO }
models: { ${model}: { upstream: one } }
`;
}

test("without a models file there are no models of the user's", async () => {
  const { models, keys, path } = await readModels(context({ ONE: "sk" }));
  expect(models.models).toEqual({});
  expect(keys).toEqual({});
  expect(path).toBeUndefined();
});

test("the file here goes before the user's, and a named one before both", async () => {
  await writeFile(join(dir, "config", "models.yaml"), yaml("config"));
  expect(Object.keys((await readModels(context())).models.models)).toEqual(["config"]);
  await writeFile(join(dir, "here", "models.yaml"), yaml("here"));
  expect(Object.keys((await readModels(context())).models.models)).toEqual(["here"]);
  await writeFile(join(dir, "here", "other.yaml"), yaml("other"));
  const named = await readModels(context(), "other.yaml");
  expect(Object.keys(named.models.models)).toEqual(["other"]);
  expect(named.path).toBe(join(dir, "here", "other.yaml"));
});

test("the keys that the file names are read, whatever they are called, and no others", async () => {
  await writeFile(join(dir, "here", "models.yaml"), yaml("m"));
  const { keys } = await readModels(context({ ONE: " sk-1\n", TWO: "", THREE_API_KEY: "sk-3" }));
  expect(keys).toEqual({ ONE: "sk-1" });
});

test("a named file that is not there, or cannot be used, is told", async () => {
  await expect(readModels(context(), "no.yaml")).rejects.toMatchObject({
    code: "no-such-file",
    remedy: expect.stringMatching(/models init/),
  });
  await writeFile(join(dir, "here", "models.yaml"), yaml("m").replace("ONE", "O-N-E"));
  await expect(readModels(context())).rejects.toMatchObject({
    code: "bad-models-file",
    message: expect.stringMatching(/models\.yaml:3:/),
  });
});
