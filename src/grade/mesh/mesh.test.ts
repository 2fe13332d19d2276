import fc from "fast-check";
import {
  BoxGeometry,
  type BufferGeometry,
  Mesh,
  SphereGeometry,
  TorusGeometry,
  Triangle,
  Vector3,
} from "three";
import { STLExporter } from "three/examples/jsm/exporters/STLExporter.js";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../contract/random.ts";
import { fromReference } from "../rubric/from-reference.ts";
import { distanceToMesh } from "./distance-to-mesh.ts";
import { inspectMesh } from "./inspect-mesh.ts";
import { readStl } from "./read-stl.ts";
import { sampleSurface } from "./sample-surface.ts";
import { meshDeviation } from "./surface-deviation.ts";
import { type TriangleMesh, triangleCount } from "./triangle-mesh.ts";

function binary(geometry: BufferGeometry): Uint8Array {
  const view = new STLExporter().parse(new Mesh(geometry), { binary: true });
  return new Uint8Array(view.buffer as ArrayBuffer);
}

function text(geometry: BufferGeometry): Uint8Array {
  return new TextEncoder().encode(new STLExporter().parse(new Mesh(geometry)));
}

/** The text of a box with one thing written otherwise. */
function swapped(from: string, to: string): Uint8Array {
  const whole = new TextDecoder().decode(text(new BoxGeometry(1, 1, 1)));
  return new TextEncoder().encode(whole.replace(from, to));
}

const load = (bytes: Uint8Array): TriangleMesh => fromReference(readStl(bytes, "a.stl"));

describe("reading STL", () => {
  test("text and binary files are the same mesh", () => {
    const geometry = new BoxGeometry(2, 3, 4);
    const [one, other] = [load(binary(geometry)), load(text(geometry))];
    expect(triangleCount(one)).toBe(12);
    expect(one).toEqual(other);
  });

  test("a binary file that begins with the word solid is told by its length", () => {
    const bytes = binary(new BoxGeometry(1, 1, 1));
    bytes.set(new TextEncoder().encode("solid cube"));
    expect(triangleCount(load(bytes))).toBe(12);
  });

  test("whatever the bytes, there is a mesh or a reason", () => {
    const whole = binary(new BoxGeometry(1, 1, 1));
    const damaged = fc
      .tuple(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length))
      .map(([at, value, length]) => Uint8Array.from(whole.with(at, value).subarray(0, length)));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), damaged), (bytes) => {
        const read = readStl(bytes, "a.stl");
        expect(read.kind === "ok" ? read.value.corners.every(Number.isFinite) : read.outcome.score).toBe(
          read.kind === "ok" ? true : 0,
        );
      }),
    );
  });

  test.each([
    ["cut off", binary(new BoxGeometry(1, 1, 1)).subarray(0, 300), "cut off"],
    ["a text cut off", text(new BoxGeometry(1, 1, 1)).subarray(0, 300), "cut off"],
    ["empty", new TextEncoder().encode("solid a\nendsolid a\n"), "no triangle"],
    ["a claim of billions", new Uint8Array(84).fill(255), "claims"],
    ["words for numbers", swapped("-0.5", "half"), "no number"],
    ["another word", swapped("endloop", "endlop"), 'holds "endlop"'],
    ["a corner too many", swapped("endloop", "vertex 1 1 1\nendloop"), "not complete"],
  ])("%s is refused", (_case, bytes, words) => {
    const read = readStl(bytes, "a.stl");
    expect(read.kind === "bad" && read.outcome.message).toContain(words);
  });
});

describe("facts of a mesh", () => {
  test("a box has the volume, area and extent of a box", () => {
    const facts = inspectMesh(load(binary(new BoxGeometry(2, 3, 4).translate(100, 200, 300))));
    expect(facts.volume).toBeCloseTo(24, 3);
    expect(facts.area).toBeCloseTo(52, 3);
    expect(facts).toMatchObject({ closed: true, openEdges: 0, shells: 1, genus: 0 });
    expect(facts.lowest).toEqual([99, 198.5, 298]);
    expect(facts.highest).toEqual([101, 201.5, 302]);
  });

  test("a torus has a hole, and nearly the volume 2π²Rr²", () => {
    const facts = inspectMesh(load(binary(new TorusGeometry(10, 3, 64, 256))));
    expect(facts).toMatchObject({ closed: true, shells: 1, genus: 1 });
    expect(facts.volume / (2 * Math.PI ** 2 * 10 * 9)).toBeCloseTo(1, 2);
  });

  test("a mesh with a triangle missing is open, one turned inside out has a negative volume", () => {
    const box = load(binary(new BoxGeometry(2, 3, 4)));
    expect(inspectMesh({ corners: box.corners.subarray(9) })).toMatchObject({ closed: false, openEdges: 3 });
    const mirrored = box.corners.map((value, index) => (index % 3 === 0 ? -value : value));
    expect(inspectMesh({ corners: mirrored }).volume).toBeCloseTo(-24, 5);
  });

  test("two boxes are two shells", () => {
    const [one, other] = [new BoxGeometry(1, 1, 1), new BoxGeometry(1, 1, 1).translate(5, 0, 0)].map(
      (geometry) => load(binary(geometry)).corners,
    );
    const both = Float64Array.from([...(one ?? []), ...(other ?? [])]);
    expect(inspectMesh({ corners: both })).toMatchObject({ shells: 2, genus: 0 });
  });
});

describe("distances", () => {
  const coordinate = fc.double({ min: -5, max: 5, noNaN: true });
  const point = fc.tuple(coordinate, coordinate, coordinate);

  test("to a triangle agree with three.js", () => {
    fc.assert(
      fc.property(point, point, point, point, (a, b, c, p) => {
        const nearest = new Triangle(
          new Vector3(...a),
          new Vector3(...b),
          new Vector3(...c),
        ).closestPointToPoint(new Vector3(...p), new Vector3());
        const mesh = { corners: Float64Array.from([...a, ...b, ...c]) };
        expect(distanceToMesh(mesh)(p)).toBeCloseTo(nearest.distanceTo(new Vector3(...p)), 6);
      }),
    );
  });

  test("through the tree are the least over all triangles", () => {
    const mesh = load(binary(new SphereGeometry(3, 12, 9)));
    const distance = distanceToMesh(mesh);
    const single = Array.from({ length: triangleCount(mesh) }, (_, index) =>
      distanceToMesh({ corners: mesh.corners.subarray(9 * index, 9 * index + 9) }),
    );
    fc.assert(
      fc.property(point, (p) => {
        expect(distance(p)).toBeCloseTo(Math.min(...single.map((one) => one(p))), 9);
      }),
      { numRuns: 30 },
    );
  });

  test("samples lie on the surface, and spread by area", () => {
    const mesh = load(binary(new BoxGeometry(10, 10, 1)));
    const samples = sampleSurface(mesh, 4000, createRandom(1));
    expect(Math.max(...samples.map(distanceToMesh(mesh)))).toBeLessThan(1e-6);
    // Top and bottom are 200 of 240.
    expect(samples.filter(([, , z]) => Math.abs(Math.abs(z) - 0.5) < 1e-6).length / 4000).toBeCloseTo(
      0.83,
      1,
    );
  });

  test("a box moved by a tenth is off by a tenth, the same box by nothing", () => {
    const box = load(binary(new BoxGeometry(4, 4, 4)));
    const moved = load(binary(new BoxGeometry(4, 4, 4).translate(0.1, 0, 0)));
    const options = { tolerance: 0.05, samples: 2000, random: createRandom(2) };
    expect(meshDeviation(box, box, options).hausdorff).toBeLessThan(1e-6);
    const { hausdorff, extra, missing } = meshDeviation(moved, box, options);
    expect(hausdorff).toBeCloseTo(0.1, 5);
    expect(extra.within).toBeGreaterThan(0.6);
    expect(missing.within).toBeLessThan(0.75);
  });
});
