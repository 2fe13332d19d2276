import { posix } from "node:path";
import { PackageProblem } from "./xml-scanner.ts";
import type { ZipPackage } from "./zip-package.ts";

export interface Relationship {
  /** A part's name, or an address outside when `external`. */
  readonly target: string;
  /** The last word of its type, e.g. `worksheet`. */
  readonly type: string;
  readonly external: boolean;
}

/** What an Office Open XML part refers to, by id; of the package itself when `part` is empty. */
export async function readRelationships(
  zip: ZipPackage,
  part: string,
): Promise<ReadonlyMap<string, Relationship>> {
  const folder = posix.dirname(part);
  const name = part === "" ? "_rels/.rels" : posix.join(folder, "_rels", `${posix.basename(part)}.rels`);
  const found = new Map<string, Relationship>();
  if (!zip.has(name)) return found;
  await zip.scan(name, {
    open: (element, attributes) => {
      if (element !== "Relationship") return;
      if (found.size >= 100_000) throw new PackageProblem("it has too many relationships");
      const written = attributes.get("Target") ?? "";
      const external = attributes.get("TargetMode") === "External";
      const inside = written.startsWith("/")
        ? written.slice(1)
        : posix.join(part === "" ? "" : folder, written);
      found.set(attributes.get("Id") ?? "", {
        target: external ? written : inside,
        type: (attributes.get("Type") ?? "").split("/").at(-1) ?? "",
        external,
      });
    },
    close: () => undefined,
    text: () => undefined,
  });
  return found;
}

/** The part that a package is about: its `officeDocument`. */
export async function mainPart(zip: ZipPackage): Promise<string | undefined> {
  for (const { type, target, external } of (await readRelationships(zip, "")).values()) {
    if (type === "officeDocument" && !external) return target;
  }
  return undefined;
}
