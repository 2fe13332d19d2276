import { createHash } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ContentPart, type ImageMediaType, imageMediaTypes } from "../../contract/trajectory-step.ts";
import { makeFolder } from "../../files/make-folder.ts";
import type { DraftPart } from "./stream-event.ts";

const endings: Readonly<Record<ImageMediaType, string>> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/gif": "gif",
  "image/webp": "webp",
};
const rememberedImages = 10_000;

/** Puts images into files named by their content; the same image is one file. */
export interface ImageStore {
  /** What cannot be a file of the format (another kind, not base64) becomes a text that says so. */
  place(part: DraftPart): Promise<ContentPart>;
}

/** Files go to `<folder>/screenshots/<sha256>.<ending>`; paths in parts are relative to `folder`. */
export function createImageStore(folder: string): ImageStore {
  const stored = new Set<string>();

  async function store(bytes: Buffer, name: string): Promise<void> {
    if (stored.has(name)) return;
    await makeFolder(join(folder, "screenshots"));
    const path = join(folder, "screenshots", name);
    await writeFile(`${path}.part`, bytes);
    await rename(`${path}.part`, path);
    if (stored.size >= rememberedImages) stored.clear();
    stored.add(name);
  }

  return {
    async place(part) {
      if (part.type === "text") return part;
      const mediaType = imageMediaTypes.find((type) => type === part.mediaType.toLowerCase());
      const bytes = Buffer.from(part.data, "base64");
      if (mediaType === undefined || bytes.length === 0) {
        return { type: "text", text: `[image not kept: ${part.mediaType}, ${bytes.length} bytes]` };
      }
      const name = `${createHash("sha256").update(bytes).digest("hex")}.${endings[mediaType]}`;
      await store(bytes, name);
      return { type: "image", source: { media_type: mediaType, path: `screenshots/${name}` } };
    },
  };
}
