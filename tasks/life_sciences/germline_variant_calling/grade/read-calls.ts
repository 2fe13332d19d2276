import { bad, ok, type Read } from "ale/grade/rubric/read";
import { decompose } from "../genome/normalise.ts";
import { type Variant, variantKey } from "../genome/variant.ts";

/** A called allele, normalised. */
export interface Call extends Variant {
  /** Copies of the allele in the genotype: 1 or 2; more only when records contradict each other. */
  readonly dosage: number;
}

/** What a VCF of one sample says, and what is wrong with its records. */
export interface CallSet {
  readonly sample: string;
  readonly calls: readonly Call[];
  readonly records: number;
  /** Records that are malformed, off the assembly, or whose REF is not what the assembly holds there. */
  readonly broken: readonly string[];
  /** Alleles listed more often than a diploid sample can carry them, or by two records of the same allele. */
  readonly repeated: readonly string[];
}

const mostRecords = 100_000;
const longestAllele = 2000;
const headerLine = /^#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t([^\t]+)$/;

/**
 * Reads a VCF that an agent wrote. Records whose FILTER is neither `PASS` nor `.`, genotypes without an alternative
 * allele, and symbolic alternatives are left out; several alternatives are taken apart. Bad when it is no VCF of one
 * sample.
 */
export function readCalls(text: string, assembly: ReadonlyMap<string, string>): Read<CallSet> {
  const lines = text.split(/\r?\n/);
  if (!/^##fileformat=VCFv4\.\d$/.test(lines[0] ?? "")) {
    return bad("calls.vcf does not start with ##fileformat=VCFv4.x.");
  }
  const at = lines.findIndex((line) => line.startsWith("#CHROM"));
  const sample = headerLine.exec(lines[at] ?? "")?.[1];
  if (sample === undefined) return bad("calls.vcf has no #CHROM line with FORMAT and exactly one sample.");
  const body = lines.slice(at + 1).filter((line) => line !== "");
  if (body.length > mostRecords) return bad(`calls.vcf holds ${body.length} records: no call set.`);

  const found = new Map<string, Call>();
  const broken: string[] = [];
  const repeated: string[] = [];
  let records = 0;
  for (const [index, line] of body.entries()) {
    const where = `record ${index + 1}`;
    const record = readRecord(line, assembly);
    if (typeof record === "string") {
      broken.push(`${where}: ${record}`);
      continue;
    }
    if (record.skipped) continue;
    records++;
    for (const call of record.calls) {
      const key = variantKey(call);
      if (found.has(key)) repeated.push(`${where}: ${key.slice(0, 80)}`);
      else found.set(key, call);
    }
  }
  return ok({ sample, calls: [...found.values()], records, broken, repeated });
}

type RecordRead = string | { readonly skipped: boolean; readonly calls: readonly Call[] };

function readRecord(line: string, assembly: ReadonlyMap<string, string>): RecordRead {
  const fields = line.split("\t");
  if (fields.length !== 10) return `${fields.length} columns instead of 10`;
  const [contig, pos, , refText, altText, , filter, , format, sample] = fields as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const sequence = assembly.get(contig);
  if (sequence === undefined) return "the contig is not in the assembly";
  const position = /^[1-9]\d{0,8}$/.test(pos) ? Number(pos) : 0;
  const ref = refText.toUpperCase();
  if (!/^[ACGTN]+$/.test(ref) || ref.length > longestAllele) return "REF is not a sequence";
  if (position === 0 || sequence.slice(position - 1, position - 1 + ref.length) !== ref) {
    return "REF is not what the assembly holds at POS";
  }
  const alts = altText.toUpperCase().split(",");
  const understood = alts.every((alt) => /^([ACGTN]{1,2000}|<[^<>]{1,40}>|\*|\.)$/.test(alt));
  if (!understood) return "ALT is neither a sequence nor a symbol";
  const copies = genotype(format, sample, alts.length);
  if (copies === undefined) return "the sample has no valid GT";
  if (filter !== "PASS" && filter !== ".") return { skipped: true, calls: [] };

  const dosages = new Map<string, Call>();
  for (const [index, alt] of alts.entries()) {
    const dosage = copies[index] as number;
    if (dosage === 0 || !/^[ACGTN]+$/.test(alt)) continue;
    for (const variant of decompose({ contig, position, ref, alt }, sequence)) {
      const key = variantKey(variant);
      dosages.set(key, { ...variant, dosage: dosage + (dosages.get(key)?.dosage ?? 0) });
    }
  }
  return { skipped: false, calls: [...dosages.values()] };
}

/** Copies of each alternative in the genotype; undefined when it is no diploid genotype over the listed alleles. */
function genotype(format: string, sample: string, alternatives: number): readonly number[] | undefined {
  const index = format.split(":").indexOf("GT");
  const match = /^(\d{1,3}|\.)[/|](\d{1,3}|\.)$/.exec(index < 0 ? "" : (sample.split(":")[index] ?? ""));
  if (match === null) return undefined;
  const copies = Array.from({ length: alternatives }, () => 0);
  for (const allele of match.slice(1)) {
    const number = allele === "." ? 0 : Number(allele);
    if (number > alternatives) return undefined;
    if (number > 0) copies[number - 1] = (copies[number - 1] as number) + 1;
  }
  return copies;
}
