import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inspectMesh } from "../mesh/inspect-mesh.ts";
import { fromReference } from "../rubric/from-reference.ts";
import { readStep } from "./read-step.ts";

/** A plate of 16 × 12 × 1.6 mm with two holes of 1 mm, as KiCad exported it. */
const plate = new Uint8Array(await readFile(join(import.meta.dirname, "fixtures", "plate.step")));

describe("reading STEP", () => {
  test("a plate with two holes has its faces, volume and topology", async () => {
    const { mesh, faces, bodies } = fromReference(await readStep(plate, "plate.step"));
    expect([faces, bodies]).toEqual([8, 1]);
    const facts = inspectMesh(mesh);
    expect(facts).toMatchObject({ closed: true, shells: 1, genus: 2 });
    expect(facts.volume).toBeCloseTo((16 * 12 - 2 * Math.PI * 0.25) * 1.6, 1);
    expect(facts.highest.map((value, axis) => value - (facts.lowest[axis] ?? 0))).toEqual([16, 12, 1.6]);
  });

  test.each([
    ["another format", new TextEncoder().encode("solid a\nendsolid a\n"), "not a STEP file"],
    ["nothing but a head", plate.subarray(0, 400), "no body"],
    ["half of a file", plate.subarray(0, plate.length / 2), "body"],
  ])("%s is refused", async (_case, bytes, words) => {
    const read = await readStep(bytes, "a.step");
    expect(read.kind === "bad" && read.outcome.message).toContain(words);
  });
});
