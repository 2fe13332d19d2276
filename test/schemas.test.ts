import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runNode } from "../src/testing/run-node.ts";
import { repositoryRoot } from "./source-imports.ts";

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: unknown;
}

async function read(name: string): Promise<Schema> {
  return JSON.parse(await readFile(join(repositoryRoot, "schemas", `${name}.schema.json`), "utf8")) as Schema;
}

function undescribed(schema: Schema, path: string): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const own = value.description === undefined && value.properties === undefined ? [`${path}${key}`] : [];
    return [
      ...own,
      ...undescribed(value, `${path}${key}.`),
      ...undescribed(value.items ?? {}, `${path}${key}[].`),
    ];
  });
}

describe("the JSON Schemas", () => {
  test("are as the contract says", async () => {
    const run = await runNode(join(repositoryRoot, "scripts/generate-schemas.ts"), ["--check"]);
    expect(run).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test.each(["task", "exam", "models", "harness"])(
    "%s describes every key and knows no other",
    async (name) => {
      const schema = await read(name);
      expect(schema.additionalProperties).toBe(false);
      const open = undescribed(schema, "").filter((key) => !/^(scoring|provenance\.sources\[\])\./.test(key));
      expect(open).toEqual([]);
    },
  );
});
