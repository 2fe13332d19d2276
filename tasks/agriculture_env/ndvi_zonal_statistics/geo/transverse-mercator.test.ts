import { expect, test } from "vitest";
import { type Point, utmZone } from "./transverse-mercator.ts";

// By PROJ 9.1 (gdaltransform of GDAL 3.6.2).
const known: readonly { epsg: number; lonLat: Point; utm: Point }[] = [
  { epsg: 32633, lonLat: [15.8, 48.25], utm: [559387.29549043, 5344396.61959419] },
  { epsg: 32633, lonLat: [12.1, 54.9], utm: [314057.039494758, 6087514.95797235] },
  { epsg: 32735, lonLat: [28.4, -17.6], utm: [648550.383693733, 8053519.15332129] },
  { epsg: 32720, lonLat: [-60.2, -33.9], utm: [758915.780859728, 6245401.46957379] },
];

test.each(known)(
  "EPSG:$epsg at $lonLat agrees with PROJ to a tenth of a millimetre",
  ({ epsg, lonLat, utm }) => {
    const [easting, northing] = utmZone(epsg).forward(lonLat);
    expect(Math.abs(easting - utm[0])).toBeLessThan(1e-4);
    expect(Math.abs(northing - utm[1])).toBeLessThan(1e-4);
    const back = utmZone(epsg).inverse([easting, northing]);
    expect(Math.abs(back[0] - lonLat[0])).toBeLessThan(1e-10);
    expect(Math.abs(back[1] - lonLat[1])).toBeLessThan(1e-10);
  },
);
