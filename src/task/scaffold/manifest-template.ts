export interface ManifestFacts {
  readonly id: string;
  readonly output: string;
  readonly kind: string;
  readonly canary: string;
  /** Where editors find the JSON Schema: a URL, or a path relative to the file. */
  readonly schema: string;
}

/** `task.yaml` of a new package; `[[fill: …]]` marks what the author must write. */
export function manifestTemplate({ id, output, kind, canary, schema }: ManifestFacts): string {
  return `# yaml-language-server: $schema=${schema}
schema: ale/task@1
id: ${id}
title: "[[fill: the work in a few words]]"
summary: "[[fill: one or two sentences for a gallery]]"
taxonomy:
  subfield: "6.1" # [[fill: the id of the subfield in data/taxonomy.json]]
  soc: [43-3031] # [[fill: SOC 2018 codes of the occupations that do this work]]
tier: near-term
interface: [shell]
network: off
limits: { wall_minutes: 60 }
outputs:
  - path: ${output}
    kind: ${kind}
instances:
  - variant: base
    seed: 1
    params: { currency: EUR }
  - variant: large
    seed: 2
    params: { currency: USD }
provenance:
  authors: ["[[fill: your name]]"]
  human_minutes: 60 # [[fill: how long the work takes a professional, in minutes]]
pool: local
canary: ${canary}
`;
}
