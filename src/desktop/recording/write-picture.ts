import { createHash } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ScreenThumbnail } from "../../contract/screen-action-line.ts";
import { makeFolder } from "../../files/make-folder.ts";
import type { Screenshot } from "../../sandbox/screen.ts";

/** Where a picture stands below the attempt's folder: named by its content, so that equal ones are one file. */
export function pictureFile({ bytes, mediaType, width, height }: Screenshot): ScreenThumbnail {
  const ending = mediaType === "image/jpeg" ? "jpg" : "png";
  return { path: `screenshots/${createHash("sha256").update(bytes).digest("hex")}.${ending}`, width, height };
}

/** Writes a picture to its place below the folder, whole or not at all. */
export async function writePicture(folder: string, shot: Screenshot): Promise<ScreenThumbnail> {
  const file = pictureFile(shot);
  const path = join(folder, file.path);
  await makeFolder(join(folder, "screenshots"));
  await writeFile(`${path}.part`, shot.bytes);
  await rename(`${path}.part`, path);
  return file;
}
