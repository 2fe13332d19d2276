import { fileKind } from "../files/file-kind.ts";

/** A file as an address that holds it. */
export function dataUri(path: string, bytes: Uint8Array): string {
  const type = fileKind(path).contentType.replace("; ", ";");
  return `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
}
