/** The contigs of a FASTA text, in order, upper case. */
export function readFasta(text: string): ReadonlyMap<string, string> {
  const contigs = new Map<string, string>();
  for (const part of text.split(/^>/m).slice(1)) {
    const end = part.indexOf("\n");
    const name = part.slice(0, end).split(/\s/, 1)[0] as string;
    contigs.set(name, part.slice(end).replaceAll(/\s/g, "").toUpperCase());
  }
  return contigs;
}
