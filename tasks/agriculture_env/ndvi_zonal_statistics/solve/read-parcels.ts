import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mustRun } from "../run-program.ts";
import type { Scene } from "./read-scene.ts";

type Ring = readonly (readonly [number, number])[];

export interface ParcelPixels {
  readonly id: string;
  /** Column and row of every pixel whose centre lies in the parcel. */
  readonly pixels: readonly (readonly [column: number, row: number])[];
}

interface Layer {
  readonly features: readonly {
    readonly properties: { readonly parcel_id: string };
    readonly geometry:
      | { readonly type: "Polygon"; readonly coordinates: readonly Ring[] }
      | { readonly type: "MultiPolygon"; readonly coordinates: readonly (readonly Ring[])[] };
  }[];
}

/** Reads the parcels, projects all their corners with PROJ, and finds their pixels by testing every centre. */
export function readParcels(input: string, scene: Scene): readonly ParcelPixels[] {
  const layer = JSON.parse(readFileSync(join(input, "parcels.geojson"), "utf8")) as Layer;
  const rings = layer.features.map(({ geometry }) =>
    geometry.type === "Polygon" ? geometry.coordinates : geometry.coordinates.flat(),
  );
  const corners = rings.flat(2).map(([longitude, latitude]) => `${longitude} ${latitude}`);
  const argv = ["gdaltransform", "-s_srs", "EPSG:4326", "-t_srs", `EPSG:${scene.epsg}`, "-output_xy"];
  const projected = mustRun(argv, `${corners.join("\n")}\n`)
    .trim()
    .split("\n");
  let next = 0;
  return layer.features.map(({ properties }, index) => {
    const inPixels = (rings[index] as readonly Ring[]).map((ring) =>
      ring.map((): readonly [number, number] => {
        const [easting, northing] = (projected[next++] as string).trim().split(/\s+/).map(Number);
        return [((easting as number) - scene.origin[0]) / 10, (scene.origin[1] - (northing as number)) / 10];
      }),
    );
    return { id: properties.parcel_id, pixels: pixelsInside(inPixels, scene) };
  });
}

function pixelsInside(rings: readonly Ring[], { width, height }: Scene): (readonly [number, number])[] {
  const [xs, ys] = [0, 1].map((axis) => rings.flat().map((point) => point[axis] as number)) as [
    number[],
    number[],
  ];
  const found: (readonly [number, number])[] = [];
  for (let row = Math.max(0, Math.floor(Math.min(...ys))); row < Math.min(height, Math.max(...ys)); row++) {
    for (
      let column = Math.max(0, Math.floor(Math.min(...xs)));
      column < Math.min(width, Math.max(...xs));
      column++
    ) {
      if (isInside(column + 0.5, row + 0.5, rings)) found.push([column, row]);
    }
  }
  return found;
}

/** Even–odd rule over all rings, so that holes are outside. */
function isInside(x: number, y: number, rings: readonly Ring[]): boolean {
  let inside = false;
  for (const ring of rings) {
    for (const [index, [bx, by]] of ring.entries()) {
      const [ax, ay] = ring.at(index - 1) as readonly [number, number];
      if (ay > y === by > y) continue;
      if (x < ax + ((y - ay) * (bx - ax)) / (by - ay)) inside = !inside;
    }
  }
  return inside;
}
