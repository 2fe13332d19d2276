import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { digestSchema } from "../../contract/artifact.ts";
import type { Finding } from "../../contract/finding.ts";
import { orAbsent } from "../../files/or-absent.ts";
import { digestOfFile, digestOfFiles } from "../content-hash.ts";
import { listFiles } from "../package-files.ts";
import type { TaskVerb } from "../task-package.ts";

/** `sealed.json`: what a sealed package says of its hidden part without giving it away. */
export interface SealedIndex {
  readonly schema: "ale/sealed@1";
  /** Of the whole package, the same before and after sealing. */
  readonly contentHash: string;
  /** Digest over the hidden files, the part of the content hash that cannot be computed without the key. */
  readonly hidden: string;
  /** The parts that the hidden program may define. */
  readonly verbs: readonly TaskVerb[];
  readonly archive: { readonly path: string; readonly bytes: number; readonly digest: string };
  /** Digest of the staged input of each variant that was staged before sealing. */
  readonly staged: Readonly<Record<string, string>>;
}

/** Says of a package that it is sealed, and what is in the archive. */
export const sealedIndexName = "sealed.json";
/** The hidden half, encrypted. */
export const sealedArchiveName = "hidden.tar.gz.age";

const sealedIndexSchema: z.ZodType<SealedIndex> = z.strictObject({
  schema: z.literal("ale/sealed@1"),
  contentHash: digestSchema,
  hidden: digestSchema,
  verbs: z.array(z.enum(["generate", "setup", "collect", "grade", "solve", "probe"])),
  archive: z.strictObject({
    path: z.literal(sealedArchiveName),
    bytes: z.int().positive(),
    digest: digestSchema,
  }),
  staged: z.record(z.string(), digestSchema),
});

/** The staged input of a variant within a sealed package. */
export function stagedFolder(dir: string, variant: string): string {
  return join(dir, "staged", variant);
}

export type ReadIndex =
  | { readonly kind: "not-sealed" }
  | { readonly kind: "sealed"; readonly index: SealedIndex }
  | { readonly kind: "malformed"; readonly findings: readonly Finding[] };

/** Reads `sealed.json` and checks that the archive and the staged inputs are the ones it was written for. */
export async function readSealedIndex(dir: string): Promise<ReadIndex> {
  const path = join(dir, sealedIndexName);
  const text = await orAbsent(readFile(path, "utf8"));
  if (text === undefined) return { kind: "not-sealed" };
  const index = parseIndex(text);
  if (index === undefined) {
    return {
      kind: "malformed",
      findings: [changed("sealed-index", path, "this is not the index of a sealed package")],
    };
  }

  const findings: Finding[] = [];
  const archive = join(dir, index.archive.path);
  if ((await orAbsent(digestOfFile(archive))) !== index.archive.digest) {
    findings.push(
      changed(
        "sealed-archive-changed",
        archive,
        "the sealed archive is missing or is not the one that was sealed",
      ),
    );
  }
  for (const [variant, digest] of Object.entries(index.staged)) {
    const folder = stagedFolder(dir, variant);
    const found = await orAbsent(listFiles(folder).then(({ files }) => digestOfFiles(folder, files)));
    if (found !== digest) {
      findings.push(
        changed(
          "sealed-input-changed",
          folder,
          "the staged input is missing or is not the one that was sealed",
        ),
      );
    }
  }
  return findings.length > 0 ? { kind: "malformed", findings } : { kind: "sealed", index };
}

function parseIndex(text: string): SealedIndex | undefined {
  try {
    return sealedIndexSchema.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What a sealed package that was altered after sealing is told. */
export function changed(code: string, path: string, message: string): Finding {
  return {
    severity: "error",
    code,
    message,
    remedy: "fetch the package again from where it was published",
    path,
  };
}
