import type { RasterImage } from "ale/grade/image/load-image";
import { linearScore } from "ale/grade/number/linear-score";
import type { Outcome } from "ale/grade/outcome";
import { colourOf, coverOf, type Line, type Poster } from "../poster/poster.ts";

/** Height of DejaVu Sans' capitals, as a share of the font size. */
const capitals = 0.729;

/** Where a line of text may leave ink, generously: left, top, right, bottom in millimetres. */
function boxOf({ text, size, anchor, x, y }: Line): readonly [number, number, number, number] {
  const width = text.length * size * 0.85;
  const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
  return [left - size * 0.3, y - size * 1.1, left + width + size * 0.3, y + size * 0.4];
}

/** The poster without text at a picture's pixels: red, green, blue of the topmost shape, or of the logo. */
function paint(picture: RasterImage, poster: Poster, logo: RasterImage): Uint8Array {
  const scale = picture.width / poster.width;
  const [boxX, boxY, boxWidth] = poster.logoBox;
  const logoScale = logo.width / boxWidth;
  const covers = poster.shapes.map(coverOf);
  const colours = poster.shapes.map((shape) => colourOf(shape.fill));
  const painted = new Uint8Array(picture.width * picture.height * 3);
  for (let row = 0, at = 0; row < picture.height; row++) {
    for (let column = 0; column < picture.width; column++, at += 3) {
      const [x, y] = [(column + 0.5) / scale, (row + 0.5) / scale];
      const [across, down] = [Math.floor((x - boxX) * logoScale), Math.floor((y - boxY) * logoScale)];
      const from = 4 * (down * logo.width + across);
      const isLogo =
        across >= 0 &&
        across < logo.width &&
        down >= 0 &&
        down < logo.height &&
        (logo.data[from + 3] as number) >= 128;
      const top = covers.findLastIndex((isCovered) => isCovered(x, y));
      const colour = isLogo ? logo.data.subarray(from, from + 3) : (colours[top] ?? [255, 255, 255]);
      painted.set(colour, at);
    }
  }
  return painted;
}

/** How much of a rendering is what shapes and logo make, away from edges and text. @param picture opaque. */
export function judgePicture(picture: RasterImage, poster: Poster, logo: RasterImage): Outcome {
  const expected = paint(picture, poster, logo);
  const scale = picture.width / poster.width;
  const boxes = poster.lines.map((line) => boxOf(line).map((value) => value * scale));
  const same = (a: number, b: number): boolean =>
    [0, 1, 2].every((channel) => expected[a + channel] === expected[b + channel]);
  let [looked, wrong] = [0, 0];
  for (let row = 1; row < picture.height - 1; row++) {
    for (let column = 1; column < picture.width - 1; column++) {
      const at = 3 * (row * picture.width + column);
      const step = 3 * picture.width;
      const isEdge = ![
        at - 3,
        at + 3,
        at - step,
        at + step,
        at - step - 3,
        at - step + 3,
        at + step - 3,
        at + step + 3,
      ].every((other) => same(at, other));
      const isText = boxes.some(
        ([left = 0, top = 0, right = 0, bottom = 0]) =>
          column >= left && column <= right && row >= top && row <= bottom,
      );
      if (isEdge || isText) continue;
      looked++;
      const pixel = 4 * (row * picture.width + column);
      if (
        [0, 1, 2].some(
          (channel) =>
            Math.abs((picture.data[pixel + channel] as number) - (expected[at + channel] as number)) > 8,
        )
      ) {
        wrong++;
      }
    }
  }
  const share = wrong / looked;
  return {
    score: linearScore(share, 0.03, 0.001),
    message: `${Math.ceil(share * 10_000) / 100} % of the pixels away from edges and text are wrong.`,
  };
}

/** Share of the lines of text whose outlines stand where they should. @param picture opaque, of the whole page. */
export function judgeOutlines(picture: RasterImage, poster: Poster): Outcome {
  const scale = picture.width / poster.width;
  const wrong = poster.lines.flatMap((line) => {
    const why = outlineFault(picture, scale, line, poster.logoBox);
    return why === undefined ? [] : [`${line.id}: ${why}`];
  });
  const count = poster.lines.length;
  return {
    score: (count - wrong.length) / count,
    message: `${count - wrong.length} of ${count} lines of text are outlined in place.`,
    evidence: wrong,
  };
}

function outlineFault(
  picture: RasterImage,
  scale: number,
  line: Line,
  [logoX, logoY, logoWidth, logoHeight]: Poster["logoBox"],
): string | undefined {
  const colour = colourOf(line.fill);
  const [left, top, right, bottom] = boxOf(line).map((value) => Math.round(value * scale)) as [
    number,
    number,
    number,
    number,
  ];
  let [first, last, highest, lowest, count] = [Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY, 0, 0];
  for (let row = Math.max(0, top); row < Math.min(picture.height, bottom); row++) {
    for (let column = Math.max(0, left); column < Math.min(picture.width, right); column++) {
      const at = 4 * (row * picture.width + column);
      const [across, down] = [column / scale - logoX, row / scale - logoY];
      if (across >= -1 && across <= logoWidth + 1 && down >= -1 && down <= logoHeight + 1) continue;
      if (colour.some((value, channel) => Math.abs((picture.data[at + channel] as number) - value) > 60))
        continue;
      count++;
      [first, last] = [Math.min(first, column), Math.max(last, column + 1)];
      [highest, lowest] = [Math.min(highest, row), Math.max(lowest, row + 1)];
    }
  }
  const { size, anchor, x, y, text } = line;
  if (count < text.replace(/\s/g, "").length * (size * scale) ** 2 * 0.04) return "leaves hardly any ink";
  const near = (pixels: number, millimetres: number, by: number): boolean =>
    Math.abs(pixels / scale - millimetres) <= by * size;
  if (!near(highest, y - capitals * size, 0.1)) return "does not reach up as it should";
  if (!near(lowest, y + 0.1 * size, 0.2)) return "does not stand on its base line";
  const place = anchor === "start" ? first : anchor === "end" ? last : (first + last) / 2;
  return near(place, x, 0.2) ? undefined : "does not stand at its anchor";
}

/** Whether a preview shows the same as a rendering of its size. Both opaque. */
export function judgePreview(preview: RasterImage, picture: RasterImage): Outcome {
  let far = 0;
  for (let at = 0; at < picture.data.length; at += 4) {
    if (
      [0, 1, 2].some(
        (channel) =>
          Math.abs((picture.data[at + channel] as number) - (preview.data[at + channel] as number)) > 100,
      )
    ) {
      far++;
    }
  }
  const share = far / (picture.width * picture.height);
  return {
    score: share <= 0.00002 ? 1 : 0,
    message: `${far} of the preview's ${picture.width * picture.height} pixels are far from the print file.`,
  };
}

/** Laid on white paper. */
export function onPaper(image: RasterImage): RasterImage {
  const data = new Uint8Array(image.data);
  for (let at = 0; at < data.length; at += 4) {
    const alpha = (data[at + 3] as number) / 255;
    for (let channel = at; channel < at + 3; channel++) {
      data[channel] = Math.round((data[channel] as number) * alpha + 255 * (1 - alpha));
    }
    data[at + 3] = 255;
  }
  return { ...image, data };
}
