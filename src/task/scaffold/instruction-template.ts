/** `instruction.md` of a new package, for an output of the given kind. */
export function instructionTemplate(output: string, kind: "csv" | "json"): string {
  const shape =
    kind === "csv"
      ? `a CSV file with the header \`group,total\` and one row per group`
      : `a JSON object with one key, \`totals\`: an object that gives each group's total as a number`;
  return `[[fill: who asks, for what, and why; the text below belongs to the sample work]]

The file \`input/items.csv\` lists amounts in {{currency}}, one per row, with the columns \`group\` and \`amount\`.
Add up the amounts of each group.

Write the result to \`output/${output}\`: ${shape}, in {{currency}}, to the cent. The order of the groups is free.
`;
}
