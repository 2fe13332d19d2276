import { loadImage, type RasterImage } from "ale/grade/image/load-image";
import type { Outcome } from "ale/grade/outcome";
import { check } from "ale/grade/rubric/check";
import { fromReference } from "ale/grade/rubric/from-reference";
import { ok, type Read } from "ale/grade/rubric/read";
import { readBytes, readJson, readText } from "ale/grade/rubric/read-artifact";
import { weightedRubric } from "ale/grade/rubric/weighted-rubric";
import { renderSvg } from "ale/grade/svg/render-svg";
import { readSvgPage, type SvgPage } from "ale/grade/svg/svg-page";
import { allElements, parseSvg, type SvgElement } from "ale/grade/svg/svg-tree";
import type { GradeContext } from "ale/task";
import type { Params } from "../params.ts";
import type { Poster } from "../poster/poster.ts";
import { judgeLayers, judgeLogo, judgeShapes, judgeText } from "./drawing-checks.ts";
import { judgeOutlines, judgePicture, judgePreview, onPaper } from "./picture-checks.ts";

interface Drawing {
  readonly text: string;
  readonly root: SvgElement;
  readonly page: SvgPage;
}

/** Gates on a drawing of the right page most of whose shapes are right; then drawing, print file and preview. */
export async function grade(context: GradeContext<Params>): Promise<ReturnType<typeof weightedRubric>> {
  const { artifacts, reference, input, params } = context;
  const poster = fromReference(await readJson(reference, "poster.json")) as unknown as Poster;
  const drawing = await openDrawing(artifacts, "poster.svg", poster);
  if (drawing.kind === "bad") {
    return weightedRubric([check({ id: "drawing", stage: "drawing", gate: true, outcome: drawing.outcome })]);
  }
  const { root, page } = drawing.value;
  const shapes = await judgeShapes(root, page, poster);
  const usable = shapes.score >= 0.5;
  const gate = check({
    id: "usable",
    stage: "drawing",
    gate: true,
    outcome: {
      score: usable ? 1 : 0,
      message: usable ? "Most shapes are right." : `No usable drawing: ${shapes.message}`,
    },
  });
  if (!usable) return weightedRubric([gate]);
  const logoFile = fromReference(parseSvg(fromReference(await readText(input, "logo.svg")), "logo.svg"));
  const logo = fromReference(await renderSvg(logoFile, { width: 1600 }));
  return weightedRubric([
    gate,
    check({ id: "shapes", stage: "drawing", weight: 35, outcome: shapes }),
    check({ id: "layers", stage: "structure", weight: 15, outcome: judgeLayers(root, poster) }),
    check({ id: "text", stage: "text", weight: 20, outcome: judgeText(root, page, poster) }),
    check({
      id: "logo",
      stage: "drawing",
      weight: 10,
      outcome: await judgeLogo(root, page, logo, poster.logoBox),
    }),
    ...(await printChecks(artifacts, poster, logo, params.png_width)),
  ]);
}

async function openDrawing(artifacts: string, name: string, poster: Poster): Promise<Read<Drawing>> {
  const text = await readText(artifacts, name, { maxBytes: 10 * 1024 ** 2 });
  if (text.kind === "bad") return text;
  const root = parseSvg(text.value, name);
  if (root.kind === "bad") return root;
  const page = readSvgPage(root.value, name);
  if (page.kind === "bad") return page;
  const { width, height } = page.value;
  if (Math.abs(width - poster.width) > 0.1 || Math.abs(height - poster.height) > 0.1) {
    return { kind: "bad", outcome: { score: 0, message: `The page of ${name} is ${width} × ${height} mm.` } };
  }
  return ok({ text: text.value, root: root.value, page: page.value });
}

async function printChecks(artifacts: string, poster: Poster, logo: RasterImage, width: number) {
  const print = await openDrawing(artifacts, "poster-print.svg", poster);
  const rendered = print.kind === "bad" ? print : await renderSvg(print.value.root, { width });
  const picture = rendered.kind === "bad" ? rendered : ok(onPaper(rendered.value));
  const of = (judge: (picture: RasterImage) => Outcome): Outcome =>
    picture.kind === "bad" ? picture.outcome : judge(picture.value);
  return [
    check({
      id: "print-plain",
      stage: "print",
      weight: 4,
      outcome: print.kind === "bad" ? print.outcome : judgePlain(print.value),
    }),
    check({
      id: "print-picture",
      stage: "print",
      weight: 6,
      outcome: of((drawn) => judgePicture(drawn, poster, logo)),
    }),
    check({
      id: "print-text",
      stage: "print",
      weight: 5,
      outcome: of((drawn) => judgeOutlines(drawn, poster)),
    }),
    check({
      id: "preview",
      stage: "preview",
      weight: 5,
      outcome: await previewOutcome(artifacts, picture, poster, width),
    }),
  ];
}

function judgePlain({ text, root }: Drawing): Outcome {
  const faults = [
    ...(/<(?:inkscape|sodipodi):|\s(?:inkscape|sodipodi):[\w-]+\s*=/.test(text)
      ? ["it holds things of Inkscape's own"]
      : []),
    ...([...allElements(root)].some(({ name }) => /^(text|tspan|textPath|flowRoot)$/.test(name))
      ? ["it holds text"]
      : []),
  ];
  return {
    score: faults.length === 0 ? 1 : 0,
    message: faults.length === 0 ? "The print file is plain." : `Of the print file: ${faults.join(", ")}.`,
  };
}

async function previewOutcome(
  artifacts: string,
  picture: Read<RasterImage>,
  poster: Poster,
  width: number,
): Promise<Outcome> {
  const bytes = await readBytes(artifacts, "poster.png", { maxBytes: 20 * 1024 ** 2 });
  if (bytes.kind === "bad") return bytes.outcome;
  const preview = await loadImage(bytes.value, "poster.png", { maxPixels: 4 * width * width });
  if (preview.kind === "bad") return preview.outcome;
  if (picture.kind === "bad") return picture.outcome;
  const height = Math.round((width * poster.height) / poster.width);
  const { value: drawn } = picture;
  if (preview.value.width !== width || Math.abs(preview.value.height - height) > 1) {
    return { score: 0, message: `The preview is ${preview.value.width} × ${preview.value.height} pixels.` };
  }
  const rows = Math.min(preview.value.height, drawn.height);
  const cut = (image: RasterImage): RasterImage => ({
    ...image,
    height: rows,
    data: image.data.subarray(0, 4 * width * rows),
  });
  return judgePreview(cut(onPaper(preview.value)), cut(drawn));
}
