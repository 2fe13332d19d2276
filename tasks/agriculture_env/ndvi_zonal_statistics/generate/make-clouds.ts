import type { Random } from "ale/contract/random";

const classes = {
  noData: 0,
  saturated: 1,
  shadow: 3,
  vegetation: 4,
  bare: 5,
  water: 6,
  mediumCloud: 8,
  highCloud: 9,
  cirrus: 10,
  snow: 11,
};

export interface SceneShape {
  /** Of the 20 m grid. */
  readonly width: number;
  readonly height: number;
  readonly clouds: number;
  /** The swath ends inside the scene, cutting off its lower right corner. */
  readonly cutCorner: boolean;
}

/** A scene classification on the 20 m grid: clouds with cores, cirrus and displaced shadows over plain land. */
export function makeClassification(random: Random, shape: SceneShape): Uint8Array {
  const { width, height } = shape;
  const scene = Uint8Array.from({ length: width * height }, () =>
    random.next() < 0.8 ? classes.vegetation : classes.bare,
  );
  const pools = Array.from({ length: 4 }, () => ellipse(random, shape, 3, 7));
  const clouds = Array.from({ length: shape.clouds }, () => ellipse(random, shape, 5, 22));
  const cirrus = ellipse(random, shape, 14, 26);
  const snow = ellipse(random, shape, 2, 4);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const at = row * width + column;
      if (pools.some((pool) => pool(column, row) < 1)) scene[at] = classes.water;
      if (snow(column, row) < 1) scene[at] = classes.snow;
      if (cirrus(column, row) < 1) scene[at] = classes.cirrus;
      for (const cloud of clouds) if (cloud(column - 9, row - 6) < 0.9) scene[at] = classes.shadow;
      for (const cloud of clouds) {
        const depth = cloud(column, row);
        if (depth < 0.55) scene[at] = classes.highCloud;
        else if (depth < 1 && scene[at] !== classes.highCloud) scene[at] = classes.mediumCloud;
      }
      if (random.next() < 0.0004) scene[at] = classes.saturated;
      if (shape.cutCorner && column / width + row / height > 1.72) scene[at] = classes.noData;
    }
  }
  return scene;
}

/** Below 1 inside; radii in 20 m pixels. */
function ellipse(
  random: Random,
  { width, height }: SceneShape,
  least: number,
  most: number,
): (column: number, row: number) => number {
  const [x, y] = [random.integer(0, width - 1), random.integer(0, height - 1)];
  const [a, b] = [random.integer(least, most), random.integer(least, most)];
  const turn = random.next() * Math.PI;
  const [cosine, sine] = [Math.cos(turn), Math.sin(turn)];
  return (column, row) => {
    const [dx, dy] = [column - x, row - y];
    return ((dx * cosine + dy * sine) / a) ** 2 + ((dy * cosine - dx * sine) / b) ** 2;
  };
}
