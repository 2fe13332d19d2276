/** The cells of a well-formed CSV without line ends in its cells. */
export function readCsv(text: string): readonly (readonly string[])[] {
  const lines = text.split(/\r?\n/).filter((line) => line !== "");
  return lines.map((line) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
      quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'),
    ),
  );
}
