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

function readText(bytes: Uint8Array, maxTriangles: number): Float64Array | string {
  const text = new TextDecoder("latin1").decode(bytes);
  if (!/^\s*solid\b/.test(text)) return "it does not begin as one";
  if (!/\bendsolid\b[^\n]*\s*$/.test(text.slice(-400))) return "it is cut off";
  const numbers: number[] = [];
  for (const match of text.matchAll(/\bvertex\s+(\S+)\s+(\S+)\s+(\S+)/g)) {
    numbers.push(Number(match[1]), Number(match[2]), Number(match[3]));
    if (numbers.length > 9 * maxTriangles) return `it has more than ${maxTriangles} triangles`;
  }
  return numbers.length % 9 === 0 ? Float64Array.from(numbers) : "a triangle lacks a corner";
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
