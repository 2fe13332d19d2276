type Place = readonly [x: number, y: number];
export type Pen = "thick" | "thin" | "hidden" | "centre";

const pens: Readonly<Record<Pen, string>> = {
  thick: "0.5 w [] 0 d",
  thin: "0.18 w [] 0 d",
  hidden: "0.25 w [2 1] 0 d",
  centre: "0.18 w [5 1 1 1] 0 d",
};

const dot = 25.4 / 72;
const quarter = 0.5522847498;

/** A sheet of paper that is drawn on in millimetres from its lower left corner, and becomes a PDF of lines and text. */
export class Sheet {
  readonly #width: number;
  readonly #height: number;
  readonly #parts: string[] = [];

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
  }

  polyline(pen: Pen, points: readonly Place[]): void {
    const [first, ...rest] = points.map(([x, y]) => `${round(x)} ${round(y)}`);
    this.#parts.push(`${pens[pen]} ${first} m ${rest.map((place) => `${place} l`).join(" ")} S`);
  }

  circle(pen: Pen, [x, y]: Place, radius: number): void {
    const k = quarter * radius;
    const at = (dx: number, dy: number): string => `${round(x + dx)} ${round(y + dy)}`;
    this.#parts.push(
      `${pens[pen]} ${at(radius, 0)} m`,
      `${at(radius, k)} ${at(k, radius)} ${at(0, radius)} c ${at(-k, radius)} ${at(-radius, k)} ${at(-radius, 0)} c`,
      `${at(-radius, -k)} ${at(-k, -radius)} ${at(0, -radius)} c ${at(k, -radius)} ${at(radius, -k)} ${at(radius, 0)} c S`,
    );
  }

  /** Part of a circle, counter-clockwise, angles in degrees. */
  arc(pen: Pen, [x, y]: Place, radius: number, from: number, to: number): void {
    const steps = 24;
    const points = Array.from({ length: steps + 1 }, (_, step) => {
      const angle = ((from + ((to - from) * step) / steps) * Math.PI) / 180;
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)] as const;
    });
    this.polyline(pen, points);
  }

  /** @param size height of the letters, in millimetres. */
  text([x, y]: Place, text: string, size = 3.5, anchor: "left" | "middle" = "left"): void {
    const left = anchor === "left" ? x : x - (text.length * size * 0.72) / 2;
    const shown = text
      .replace(/[\\()]/g, "\\$&")
      .replaceAll("Ø", "\\330")
      .replaceAll("×", "\\327")
      .replaceAll("°", "\\260");
    this.#parts.push(`BT /F1 ${round(size / 0.72)} Tf ${round(left)} ${round(y)} Td (${shown}) Tj ET`);
  }

  /** A dimension along a line beside the figure, with its letter above it. */
  across(from: Place, to: Place, y: number, label: string): void {
    for (const [x, start] of [from, to])
      this.polyline("thin", [
        [x, start],
        [x, y + Math.sign(y - start) * 1.5],
      ]);
    this.polyline("thin", [
      [from[0], y],
      [to[0], y],
    ]);
    this.#arrow([from[0], y], Math.sign(to[0] - from[0]), 0);
    this.#arrow([to[0], y], Math.sign(from[0] - to[0]), 0);
    this.text([(from[0] + to[0]) / 2, y + 1], label, 3.5, "middle");
  }

  upward(from: Place, to: Place, x: number, label: string): void {
    for (const [start, y] of [from, to])
      this.polyline("thin", [
        [start, y],
        [x + Math.sign(x - start) * 1.5, y],
      ]);
    this.polyline("thin", [
      [x, from[1]],
      [x, to[1]],
    ]);
    this.#arrow([x, from[1]], 0, Math.sign(to[1] - from[1]));
    this.#arrow([x, to[1]], 0, Math.sign(from[1] - to[1]));
    this.text([x + 1, (from[1] + to[1]) / 2 - 1.5], label);
  }

  /** A line from a note to what it is about. */
  leader(about: Place, elbow: Place, label: string): void {
    const end: Place = [elbow[0] + Math.sign(elbow[0] - about[0] || 1) * 4, elbow[1]];
    this.polyline("thin", [about, elbow, end]);
    this.circle("thin", about, 0.4);
    const isRight = end[0] >= elbow[0];
    this.text(isRight ? [end[0] + 1, end[1] - 1.2] : [end[0] - 1 - label.length * 2.4, end[1] - 1.2], label);
  }

  #arrow([x, y]: Place, dx: number, dy: number): void {
    const [back, side] = [2.4, 0.5];
    this.polyline("thin", [
      [x + dx * back + dy * side, y + dy * back + dx * side],
      [x, y],
      [x + dx * back - dy * side, y + dy * back - dx * side],
    ]);
  }

  toPdf(): Uint8Array {
    const content = `${round(1 / dot)} 0 0 ${round(1 / dot)} 0 0 cm\n${this.#parts.join("\n")}\n`;
    const objects = [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${round(this.#width / dot)} ${round(this.#height / dot)}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}endstream`,
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ];
    let file = "%PDF-1.4\n";
    const places = objects.map((object, index) => {
      const at = file.length;
      file += `${index + 1} 0 obj\n${object}\nendobj\n`;
      return `${String(at).padStart(10, "0")} 00000 n \n`;
    });
    const start = file.length;
    file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join("")}`;
    file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
    return new TextEncoder().encode(file);
  }
}

function round(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
