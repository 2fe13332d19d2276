import { type Figure, layers, type Poster, type Shape } from "../poster/poster.ts";

/** The ids of a shape's pieces, the lowest first; that one has the shape's own. */
export function pieceIds({ id, figures }: Shape): readonly string[] {
  return figures.map((_, index) => (index === 0 ? id : `${id}-piece-${index}`));
}

/** The drawing before paths are cut and joined: every figure an object, text, and the logo in its box. */
export function drawPieces(poster: Poster, logo: string): string {
  const { width, height, shapes, lines, logoBox } = poster;
  const [x, y, across] = logoBox;
  const scale = across / Number(/viewBox="0 0 (\d+)/.exec(logo)?.[1]);
  const contents: Readonly<Record<(typeof layers)[number], string>> = {
    backdrop: shapes
      .filter(({ layer }) => layer === "backdrop")
      .map(drawShape)
      .join(""),
    shapes: shapes
      .filter(({ layer }) => layer === "shapes")
      .map(drawShape)
      .join(""),
    logo: `<g id="logo" transform="translate(${x} ${y}) scale(${scale})">${/<svg[^>]*>(.*)<\/svg>/s.exec(logo)?.[1]}</g>`,
    text: lines
      .map(
        (line) =>
          `<text id="${line.id}" x="${line.x}" y="${line.y}" style="font-family:'DejaVu Sans';font-weight:${line.weight};font-size:${line.size}px;text-anchor:${line.anchor};fill:${line.fill}">${line.text}</text>\n`,
      )
      .join(""),
  };
  const drawn = layers.map(
    (layer) =>
      `<g inkscape:groupmode="layer" inkscape:label="${layer}" id="layer-${layer}">\n${contents[layer]}</g>\n`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" width="${width}mm" height="${height}mm" viewBox="0 0 ${width} ${height}">
${drawn.join("")}</svg>
`;
}

function drawShape(shape: Shape): string {
  const ids = pieceIds(shape);
  return shape.figures
    .map(
      (figure, index) =>
        `${drawFigure(figure, `id="${ids[index]}" style="fill:${shape.fill};stroke:none"`)}\n`,
    )
    .join("");
}

function drawFigure(figure: Figure, rest: string): string {
  switch (figure.kind) {
    case "circle":
      return `<circle cx="${figure.x}" cy="${figure.y}" r="${figure.r}" ${rest}/>`;
    case "rectangle":
      return `<rect x="${figure.x}" y="${figure.y}" width="${figure.width}" height="${figure.height}" ${rest}/>`;
    case "polygon":
      return `<path d="M ${figure.points.map((point) => point.join(",")).join(" L ")} Z" ${rest}/>`;
  }
}
