import { expect, test } from "vitest";
import { AleError } from "../contract/ale-error.ts";
import { parseModelsFile } from "./read-models-file.ts";

const head =
  "schema: ale/models@1\nupstreams:\n  here: { base_url: 'http://127.0.0.1:1', wires: [gemini] }\n";

function problem(text: string): string {
  try {
    parseModelsFile(text, "models.yaml");
    return "none";
  } catch (error) {
    if (!AleError.isInstance(error)) throw error;
    return error.message;
  }
}

test("a short models file is read with its defaults", () => {
  const { upstreams, models } = parseModelsFile(`${head}models: { a: { upstream: here } }`, "models.yaml");
  expect(upstreams["here"]).toMatchObject({
    rate: {},
    retry: { attempts: 8, base_seconds: 1, max_seconds: 60 },
  });
  expect(models["a"]).toEqual({ upstream: "here", served_as: [], prices: [], effort: "level", efforts: [] });
});

test("what is wrong in a models file is told with its place", () => {
  expect(problem(`${head}models: { a: { upstream: there } }`)).toBe(
    "models.yaml:4:26: models.a.upstream is there, but there is no upstream there; there are: here",
  );
  expect(problem(`${head}models: { a: { upstrem: here } }`)).toBe(
    "models.yaml:4:16: models.a.upstrem is not a key that belongs here (did you mean upstream?)",
  );
  const of = (more: string): string => problem(`${head.replace("[gemini]", `[gemini], ${more}`)}models: {}`);
  expect(of("key_env: sk-abc")).toMatch(/must be the name of an environment variable, never a key/);
  expect(of("headers: { 'a b': c }")).toMatch(/its name must be the name of a header/);
  expect(of("base_urls: { openai-caht: 'http://x' }")).toMatch(
    /openai-caht .* \(did you mean openai-chat\?\)/,
  );
  expect(of('headers: { a: "b\\nc" }')).toMatch(/must be plain ASCII on one line/);
  expect(problem("schema: [")).toMatch(/^models.yaml:1:/);
});
