import { saySpan } from "./phrases.ts";
import type { Clause, Contract, Provision, Section } from "./provision.ts";
import { valuePhrase, voiceOf, wordProvision } from "./word-provision.ts";

/** What one paragraph of an amendment does. */
export type Change =
  | { readonly mode: "replace" | "words"; readonly clause: string; readonly provision: Provision }
  | {
      readonly mode: "insert";
      readonly section: string;
      readonly heading: string;
      readonly provision: Provision;
    }
  | { readonly mode: "delete"; readonly clause: string }
  | { readonly mode: "extend"; readonly clause: string; readonly months: number }
  | { readonly mode: "rename"; readonly name: string };

/** The paragraph of the amendment, for a contract as it stands before. */
export function wordChange(contract: Contract, change: Change): string {
  const voice = voiceOf(contract.kind, contract.voice);
  switch (change.mode) {
    case "replace":
      return `Clause ${change.clause} is deleted and replaced by the following: “${change.clause} ${wordProvision(change.provision, voice)}”`;
    case "words": {
      const before = contract.sections
        .flatMap((section) => section.clauses)
        .find((clause) => clause.number === change.clause);
      const old = before === undefined ? undefined : valuePhrase(before.provision, voice);
      const now = valuePhrase(change.provision, voice);
      if (old === undefined || now === undefined || old === now) {
        throw new Error(`clause ${change.clause} of ${contract.number} has no words to replace`);
      }
      return `In clause ${change.clause} the words “${old}” are replaced by the words “${now}”.`;
    }
    case "insert":
      return `After clause ${change.section} a new clause ${change.section}A (${change.heading}) is inserted: “${change.section}A.1 ${wordProvision(change.provision, voice)}”`;
    case "delete":
      return `Clause ${change.clause} is deleted. Its number is not used again.`;
    case "extend":
      return `The Initial Term stated in clause ${change.clause} is extended by ${saySpan({ count: change.months, unit: "months" }, contract.voice)}.`;
    case "rename":
      return `The ${voice.counterparty} has changed its name and is now called ${change.name}. References to it by its former name are to be read accordingly.`;
  }
}

/** The contract after a change that a document makes. */
export function applyChange(contract: Contract, change: Change, document: string): Contract {
  switch (change.mode) {
    case "replace":
    case "words":
      return mapClause(contract, change.clause, () => [
        { number: change.clause, provision: change.provision, document },
      ]);
    case "delete":
      return mapClause(contract, change.clause, () => []);
    case "extend":
      return mapClause(contract, change.clause, ({ number, provision }) => {
        if (provision.kind !== "term") throw new Error(`clause ${number} of ${contract.number} is no term`);
        const extendedBy = provision.extendedBy + change.months;
        return [{ number, provision: { ...provision, extendedBy }, document }];
      });
    case "insert": {
      const number = `${change.section}A`;
      const clause: Clause = { number: `${number}.1`, provision: change.provision, document };
      const added: Section = { number, heading: change.heading, clauses: [clause] };
      return { ...contract, sections: [...contract.sections, added] };
    }
    case "rename":
      return { ...contract, counterparty: change.name };
  }
}

function mapClause(contract: Contract, number: string, map: (clause: Clause) => readonly Clause[]): Contract {
  const sections = contract.sections.map((section) => ({
    ...section,
    clauses: section.clauses.flatMap((clause) => (clause.number === number ? map(clause) : [clause])),
  }));
  return { ...contract, sections };
}
