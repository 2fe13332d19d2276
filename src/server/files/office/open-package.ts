import { readFile } from "node:fs/promises";
import { unzipSync } from "fflate";
import { AleError } from "../../../contract/ale-error.ts";

/** Parts of an Office document by name, as text or bytes. */
export interface OfficePackage {
  readonly names: readonly string[];
  text(name: string): string | undefined;
  bytes(name: string): Uint8Array | undefined;
}

const packageBytes = 40 * 1024 * 1024;
/** Of one part, unpacked. */
const partBytes = 30 * 1024 * 1024;

/** Unpacks a document's parts; throws with words for a page where it cannot be, or should not. */
export async function openPackage(path: string): Promise<OfficePackage> {
  const bytes = await readFile(path);
  if (bytes.length > packageBytes) {
    throw new AleError({ code: "too-large", message: "the document is too large for a preview" });
  }
  const parts = unzipSync(bytes, { filter: (file) => file.originalSize <= partBytes });
  const decoder = new TextDecoder();
  return {
    names: Object.keys(parts),
    bytes: (name) => parts[name],
    text: (name) => {
      const part = parts[name];
      return part === undefined ? undefined : decoder.decode(part);
    },
  };
}

/** Targets of a part's relationships, by id. */
export function relationTargets(xml: string | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [tag] of (xml ?? "").matchAll(/<Relationship\b[^>]*>/g)) {
    const id = /\bId="([^"]*)"/.exec(tag)?.[1];
    const target = /\bTarget="([^"]*)"/.exec(tag)?.[1];
    if (id !== undefined && target !== undefined) found.set(id, target);
  }
  return found;
}
