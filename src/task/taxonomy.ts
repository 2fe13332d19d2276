import { readFile } from "node:fs/promises";
import { z } from "zod";

/** A subfield of the exam's taxonomy, with the cluster it belongs to. */
export interface Subfield {
  /** Such as `6.1`. */
  readonly id: string;
  readonly name: string;
  readonly domain: string;
}

const taxonomySchema = z.object({
  domains: z.array(
    z.object({ name: z.string(), subfields: z.array(z.object({ id: z.string(), name: z.string() })) }),
  ),
});

let loaded: Promise<readonly Subfield[]> | undefined;

/** Every subfield of `data/taxonomy.json`, in the file's order. Read once. */
export function loadTaxonomy(): Promise<readonly Subfield[]> {
  loaded ??= readTaxonomy();
  return loaded;
}

async function readTaxonomy(): Promise<readonly Subfield[]> {
  const text = await readFile(new URL("../../data/taxonomy.json", import.meta.url), "utf8");
  const { domains } = taxonomySchema.parse(JSON.parse(text));
  return domains.flatMap((domain) =>
    domain.subfields.map(({ id, name }) => ({ id, name, domain: domain.name })),
  );
}
