import { gunzipSync, gzipSync } from "node:zlib";
import { jsonOperators } from "./json-operators.ts";
import { lineOperators, variantOperators } from "./line-operators.ts";
import { documentOperators, workbookOperators } from "./office-operators.ts";
import type { MutationOperator } from "./operator.ts";
import { boardOperators, drillOperators, gerberOperators } from "./record-operators.ts";
import { svgOperators } from "./svg-operators.ts";
import { tableOperators } from "./table-operators.ts";

/** For any file: emptied, or cut off in the middle. */
const byteOperators: readonly MutationOperator[] = [
  (bytes) => (bytes.length === 0 ? undefined : { what: "emptied", bytes: new Uint8Array() }),
  (bytes, random) => {
    if (bytes.length < 2) return undefined;
    const length = random.integer(Math.floor(bytes.length / 4), Math.floor(bytes.length / 2));
    return { what: `cut off after ${length} of ${bytes.length} bytes`, bytes: bytes.slice(0, length) };
  },
];

const byExtension: readonly (readonly [RegExp, readonly MutationOperator[]])[] = [
  [/\.csv$/, tableOperators(".csv")],
  [/\.(tsv|tab)$/, tableOperators(".tsv")],
  [/\.(json|geojson|ipynb)$/, jsonOperators],
  [/\.vcf$/, variantOperators],
  [/\.xls[xm]$/, workbookOperators],
  [/\.docx$/, documentOperators],
  [/\.(gbr|ger|g[bt][loprs])$/, gerberOperators],
  [/\.drl$/, drillOperators],
  [/\.svg$/, svgOperators],
  [/\.kicad_pcb$/, boardOperators],
];

/** What can be done to a file, by its name and first bytes. */
export function mutationOperators(name: string, bytes: Uint8Array): readonly MutationOperator[] {
  const lower = name.toLowerCase();
  if (lower.endsWith(".gz") && bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const plain = gunzipSync(bytes);
    return mutationOperators(lower.slice(0, -3), plain).map((operator) => (packed, random) => {
      const mutant = operator(gunzipSync(packed), random);
      return mutant && { what: mutant.what, bytes: gzipSync(mutant.bytes) };
    });
  }
  const special = byExtension.find(([pattern]) => pattern.test(lower))?.[1];
  const own = special ?? (isText(bytes) ? lineOperators : []);
  return [...own, ...byteOperators];
}

function isText(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, 8192);
  return (
    head.length > 0 && !head.includes(0) && !new TextDecoder().decode(head).slice(0, -4).includes("\uFFFD")
  );
}
