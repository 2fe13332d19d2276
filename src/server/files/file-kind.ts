import { extname } from "node:path";
import type { PreviewKind } from "../api/artifact-preview.ts";

/** How a file is sent and shown, by its name alone. */
export interface FileKind {
  readonly contentType: string;
  readonly preview: PreviewKind;
}

const text: FileKind = { contentType: "text/plain; charset=utf-8", preview: "text" };
const table = (contentType: string): FileKind => ({ contentType, preview: "table" });
const image = (type: string): FileKind => ({ contentType: `image/${type}`, preview: "image" });
const audio = (type: string): FileKind => ({ contentType: `audio/${type}`, preview: "audio" });
const video = (type: string): FileKind => ({ contentType: `video/${type}`, preview: "video" });
const document: FileKind = { contentType: "application/octet-stream", preview: "document" };
const mesh: FileKind = { contentType: "application/octet-stream", preview: "mesh" };
const binary: FileKind = { contentType: "application/octet-stream", preview: "none" };

/** Nothing here is ever sent as HTML or script: what an agent wrote must not run in the page's origin. */
const kinds: Readonly<Record<string, FileKind>> = {
  ".csv": table("text/plain; charset=utf-8"),
  ".tsv": table("text/plain; charset=utf-8"),
  ".xlsx": table("application/octet-stream"),
  ".xlsm": table("application/octet-stream"),
  ".ods": table("application/octet-stream"),
  ".parquet": table("application/octet-stream"),
  ".docx": document,
  ".pptx": document,
  ".stl": mesh,
  ".glb": mesh,
  ".obj": mesh,
  ".ply": mesh,
  ".json": { contentType: "application/json; charset=utf-8", preview: "json" },
  ".geojson": { contentType: "application/json; charset=utf-8", preview: "json" },
  ".png": image("png"),
  ".jpg": image("jpeg"),
  ".jpeg": image("jpeg"),
  ".gif": image("gif"),
  ".webp": image("webp"),
  ".avif": image("avif"),
  ".bmp": image("bmp"),
  ".svg": image("svg+xml"),
  ".pdf": { contentType: "application/pdf", preview: "pdf" },
  ".mp3": audio("mpeg"),
  ".wav": audio("wav"),
  ".ogg": audio("ogg"),
  ".oga": audio("ogg"),
  ".flac": audio("flac"),
  ".m4a": audio("mp4"),
  ".aac": audio("aac"),
  ".mp4": video("mp4"),
  ".webm": video("webm"),
  ".m4v": video("mp4"),
  ".mov": video("quicktime"),
};

const binaryNames =
  /\.(zip|gz|bz2|xz|zst|7z|tar|doc|xls|ppt|odt|odp|sqlite|db|tiff?|blend|step|stp|bam|mid|midi|npy|npz|pkl|so|bin|exe|heic|age)$/i;

/** The kind of a file; names without a known ending are shown as text, if they turn out to be text. */
export function fileKind(name: string): FileKind {
  if (binaryNames.test(name)) return binary;
  return kinds[extname(name).toLowerCase()] ?? text;
}
