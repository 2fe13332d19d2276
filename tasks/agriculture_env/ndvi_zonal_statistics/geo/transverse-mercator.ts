const semiMajor = 6378137;
const flattening = 1 / 298.257223563;
const scale = 0.9996;
const falseEasting = 500_000;

const n = flattening / (2 - flattening);
const eccentricity = Math.sqrt(flattening * (2 - flattening));
const rectifyingRadius = (semiMajor / (1 + n)) * (1 + n ** 2 / 4 + n ** 4 / 64);
const alpha = [
  n / 2 - (2 / 3) * n ** 2 + (5 / 16) * n ** 3 + (41 / 180) * n ** 4,
  (13 / 48) * n ** 2 - (3 / 5) * n ** 3 + (557 / 1440) * n ** 4,
  (61 / 240) * n ** 3 - (103 / 140) * n ** 4,
  (49561 / 161280) * n ** 4,
];
const beta = [
  n / 2 - (2 / 3) * n ** 2 + (37 / 96) * n ** 3 - (1 / 360) * n ** 4,
  (1 / 48) * n ** 2 + (1 / 15) * n ** 3 - (437 / 1440) * n ** 4,
  (17 / 480) * n ** 3 - (37 / 840) * n ** 4,
  (4397 / 161280) * n ** 4,
];

/** A pair of coordinates: easting and northing in metres, or longitude and latitude in degrees. */
export type Point = readonly [number, number];

/** WGS 84 / UTM by Krüger's series to fourth order (Karney 2011): below a micrometre within a zone. */
export interface UtmZone {
  forward(lonLat: Point): Point;
  inverse(eastingNorthing: Point): Point;
}

/** The zone of an EPSG code 32601–32660 (north) or 32701–32760 (south). */
export function utmZone(epsg: number): UtmZone {
  const centralMeridian = ((epsg % 100) * 6 - 183) * (Math.PI / 180);
  const falseNorthing = epsg >= 32700 ? 10_000_000 : 0;
  return {
    forward([longitude, latitude]) {
      const phi = (latitude * Math.PI) / 180;
      const lambda = (longitude * Math.PI) / 180 - centralMeridian;
      const sine = Math.sin(phi);
      const t = Math.sinh(Math.atanh(sine) - eccentricity * Math.atanh(eccentricity * sine));
      const xi = Math.atan2(t, Math.cos(lambda));
      const eta = Math.atanh(Math.sin(lambda) / Math.hypot(1, t));
      const north = alpha.reduce(
        (sum, term, j) => sum + term * Math.sin(2 * (j + 1) * xi) * Math.cosh(2 * (j + 1) * eta),
        xi,
      );
      const east = alpha.reduce(
        (sum, term, j) => sum + term * Math.cos(2 * (j + 1) * xi) * Math.sinh(2 * (j + 1) * eta),
        eta,
      );
      return [
        falseEasting + scale * rectifyingRadius * east,
        falseNorthing + scale * rectifyingRadius * north,
      ];
    },
    inverse([easting, northing]) {
      const xi = (northing - falseNorthing) / (scale * rectifyingRadius);
      const eta = (easting - falseEasting) / (scale * rectifyingRadius);
      const xiSphere = beta.reduce(
        (sum, term, j) => sum - term * Math.sin(2 * (j + 1) * xi) * Math.cosh(2 * (j + 1) * eta),
        xi,
      );
      const etaSphere = beta.reduce(
        (sum, term, j) => sum - term * Math.cos(2 * (j + 1) * xi) * Math.sinh(2 * (j + 1) * eta),
        eta,
      );
      const psi = Math.asinh(Math.sin(xiSphere) / Math.hypot(Math.sinh(etaSphere), Math.cos(xiSphere)));
      let q = psi;
      for (let step = 0; step < 8; step++) q = psi + eccentricity * Math.atanh(eccentricity * Math.tanh(q));
      const lambda = Math.atan2(Math.sinh(etaSphere), Math.cos(xiSphere));
      return [((lambda + centralMeridian) * 180) / Math.PI, (Math.atan(Math.sinh(q)) * 180) / Math.PI];
    },
  };
}
