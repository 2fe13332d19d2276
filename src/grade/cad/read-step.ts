import { AleError } from "../../contract/ale-error.ts";
import type { TriangleMesh } from "../mesh/triangle-mesh.ts";
import { quote } from "../quote.ts";
import { bad, ok, type Read } from "../rubric/read.ts";

/** A boundary model as it was read: its surface as triangles, and the faces it is made of. */
export interface StepModel {
  readonly mesh: TriangleMesh;
  /** Faces of the boundary model, not triangles: a cylinder has three. */
  readonly faces: number;
  readonly bodies: number;
}

export interface StepOptions {
  /** How far triangles may lie from the true surface, in millimetres; default 0.01. */
  readonly deflection?: number;
}

interface Occt {
  ReadStepFile(
    bytes: Uint8Array,
    options: object,
  ): {
    readonly success: boolean;
    readonly meshes: readonly {
      readonly attributes: { readonly position: { readonly array: readonly number[] } };
      readonly index: { readonly array: readonly number[] };
      readonly brep_faces: readonly unknown[];
    }[];
  };
}

/**
 * Reads a STEP file (AP203, AP214, AP242) by Open Cascade, in millimetres. Bad when it is none or holds no solid.
 * Throws an `AleError` coded `missing-library` when the optional dependency `occt-import-js` is not installed.
 */
export async function readStep(
  bytes: Uint8Array,
  name: string,
  options: StepOptions = {},
): Promise<Read<StepModel>> {
  if (!new TextDecoder("latin1").decode(bytes.subarray(0, 200)).includes("ISO-10303-21")) {
    return bad(`${name} is not a STEP file.`);
  }
  const occt = await loadOcct();
  let read: ReturnType<Occt["ReadStepFile"]>;
  try {
    read = occt.ReadStepFile(bytes, {
      linearUnit: "millimeter",
      linearDeflectionType: "absolute_value",
      linearDeflection: options.deflection ?? 0.01,
      angularDeflection: 0.1,
    });
  } catch (error) {
    return bad(`${name} cannot be read as STEP: ${quote(String((error as Error).message ?? error), 120)}.`);
  }
  if (!read.success || read.meshes.length === 0) return bad(`${name} holds no body that can be read.`);
  const corners = read.meshes.flatMap(({ attributes, index }) =>
    index.array.flatMap((vertex) => attributes.position.array.slice(3 * vertex, 3 * vertex + 3)),
  );
  return ok({
    mesh: { corners: Float64Array.from(corners) },
    faces: read.meshes.reduce((sum, mesh) => sum + mesh.brep_faces.length, 0),
    bodies: read.meshes.length,
  });
}

async function loadOcct(): Promise<Occt> {
  try {
    // It comes without types.
    const { default: start } = (await import("occt-import-js" as string)) as {
      readonly default: (settings: object) => Promise<Occt>;
    };
    // What it says of a damaged file would stand among our own output.
    const silent = (): void => undefined;
    return await start({ print: silent, printErr: silent });
  } catch (cause) {
    throw new AleError({
      code: "missing-library",
      message: "STEP cannot be read: the optional dependency occt-import-js is not installed.",
      remedy: "Run `npm install occt-import-js`.",
      cause,
    });
  }
}
