import { quote } from "../quote.ts";
import { bad, ok, type Read } from "../rubric/read.ts";
import type { TriangleMesh } from "./triangle-mesh.ts";

export interface MeshLimits {
  /** Default 2,000,000. */
  readonly maxTriangles?: number;
}

const recordBytes = 50;
const headBytes = 84;

/**
 * Reads an STL file, binary or text. Normals are ignored: the corners' order says which side is outside. Bad when it is
 * neither, cut off, empty, too large, or holds a coordinate that is no number.
 */
export function readStl(bytes: Uint8Array, name: string, limits: MeshLimits = {}): Read<TriangleMesh> {
  const { maxTriangles = 2_000_000 } = limits;
  const read = isBinary(bytes) ? readBinary(bytes, maxTriangles) : readText(bytes, maxTriangles);
  if (typeof read === "string") return bad(`${name} cannot be read as STL: ${read}.`);
  if (read.length === 0) return bad(`${name} holds no triangle.`);
  if (!read.every(Number.isFinite)) return bad(`${name} holds a coordinate that is no number.`);
  return ok({ corners: read });
}

/** A binary file may begin with the word `solid`, too; its length gives it away. */
function isBinary(bytes: Uint8Array): boolean {
  if (bytes.length < headBytes) return false;
  const count = viewOf(bytes).getUint32(80, true);
  if (bytes.length === headBytes + recordBytes * count) return true;
  return new TextDecoder("latin1").decode(bytes.subarray(0, 5)) !== "solid";
}

function readBinary(bytes: Uint8Array, maxTriangles: number): Float64Array | string {
  const view = viewOf(bytes);
  const count = view.getUint32(80, true);
  if (count > maxTriangles) return `it claims ${count} triangles`;
  if (bytes.length < headBytes + recordBytes * count) return "it is cut off";
  const corners = new Float64Array(9 * count);
  for (let triangle = 0; triangle < count; triangle++) {
    const from = headBytes + recordBytes * triangle + 12;
    for (let index = 0; index < 9; index++)
      corners[9 * triangle + index] = view.getFloat32(from + 4 * index, true);
  }
  return corners;
}

/** The words of a triangle, `#` for a number. */
const pattern = "facet normal # # # outer loop vertex # # # vertex # # # vertex # # # endloop endfacet".split(
  " ",
);

function readText(bytes: Uint8Array, maxTriangles: number): Float64Array | string {
  const text = new TextDecoder("latin1").decode(bytes);
  const head = /^\s*solid\b[^\n]*\n/.exec(text);
  if (head === null) return "it does not begin as one";
  const end = /\n\s*endsolid\b[^\n]*\s*$/.exec(text.slice(-400));
  if (end === null) return "it is cut off";
  const words = text.slice(head[0].length, text.length - end[0].length).match(/\S+/g) ?? [];
  if (words.length > maxTriangles * pattern.length) return `it has more than ${maxTriangles} triangles`;
  if (words.length % pattern.length !== 0) return "a triangle is not complete";
  const corners = new Float64Array((words.length / pattern.length) * 9);
  let filled = 0;
  for (const [index, word] of words.entries()) {
    const place = index % pattern.length;
    if (pattern[place] !== "#") {
      if (word.toLowerCase() !== pattern[place]) return `a triangle holds ${quote(word, 20)}`;
    } else if (place > 4) corners[filled++] = Number(word);
  }
  return corners;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
