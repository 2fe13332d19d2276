import { addDays, type Day } from "../calendar.ts";
import type { Block, PageContent, Run } from "../office/page-content.ts";
import { type Change, wordChange } from "./change-contract.ts";
import { ordinal, sayDates, sayDay, sayMoney } from "./phrases.ts";
import { type Contract, findClause, type Provision } from "./provision.ts";
import { valuePhrase, voiceOf, wordProvision } from "./word-provision.ts";

/** Who signed when; absent names and days are blanks: nobody has signed. */
export interface Signing {
  readonly signed: boolean;
  /** The last signature. */
  readonly on: Day;
  readonly names: readonly [string, string];
  readonly seat: string;
}

const titles = {
  services: "SERVICES AGREEMENT",
  distribution: "DISTRIBUTION AGREEMENT",
  sales: "SUPPLY AGREEMENT",
  framework: "FRAMEWORK AGREEMENT",
  order: "ORDER",
} as const;

export interface AgreementOptions {
  readonly restates?: boolean;
  readonly draft?: boolean;
  /** Clauses shown with a tracked change to another provision of the kind. */
  readonly tracked?: readonly Provision[];
}

/** The whole text of a contract. */
export function drawAgreement(
  contract: Contract,
  signing: Signing,
  options: AgreementOptions = {},
): PageContent {
  const voice = voiceOf(contract.kind, contract.voice);
  const title = `${options.restates === true ? "AMENDED AND RESTATED " : ""}${titles[contract.kind]}`;
  const blocks: Block[] = [
    ...(options.draft === true ? [titleLine("DRAFT FOR DISCUSSION, NOT BINDING")] : []),
    titleLine(title),
    plain(`Contract No. ${contract.number}`),
    plain("This document is made between"),
    plain(`(1) ${contract.client}, of Sidings Road, Wakefield (the “${voice.client}”); and`),
    plain(`(2) ${contract.counterparty}, of ${signing.seat} (the “${voice.counterparty}”).`),
  ];
  if (contract.framework !== undefined) {
    blocks.push(plain(`This Order is placed under Framework Agreement No. ${contract.framework}.`));
  }
  if (options.restates === true) {
    blocks.push(
      plain(
        `It restates the agreement that the parties made under the same contract number. That agreement and all amendments to it are replaced as a whole from ${sayDay(contract.effective, contract.voice)}.`,
      ),
    );
  }
  for (const section of contract.sections) {
    blocks.push({ kind: "heading", number: section.number, text: section.heading });
    for (const { number, provision } of section.clauses) {
      const other = options.tracked?.find(({ kind }) => kind === provision.kind);
      const text = wordProvision(provision, voice);
      const runs = other === undefined ? [{ text }] : trackedRuns(text, provision, other, contract);
      blocks.push({ kind: "clause", number, runs });
    }
  }
  return {
    running: `${title} No. ${contract.number}`,
    blocks: [...blocks, ...signatures(contract, signing)],
  };
}

function trackedRuns(text: string, before: Provision, after: Provision, contract: Contract): readonly Run[] {
  const voice = voiceOf(contract.kind, contract.voice);
  const [old, now] = [valuePhrase(before, voice), valuePhrase(after, voice)];
  if (old === undefined || now === undefined || !text.includes(old))
    throw new Error(`no change to track in: ${text}`);
  const at = text.indexOf(old);
  return [
    { text: text.slice(0, at) },
    { text: old, change: "deleted" },
    { text: now, change: "inserted" },
    { text: text.slice(at + old.length) },
  ];
}

/** An amendment; `contract` as it stands before it. */
export function drawAmendment(
  contract: Contract,
  changes: readonly Change[],
  about: { readonly ordinal: number; readonly effect: Day },
  signing: Signing,
): PageContent {
  const title = `AMENDMENT No. ${about.ordinal}`;
  const texts = [
    `This Amendment takes effect on ${sayDay(about.effect, contract.voice)}.`,
    ...changes.map((change) => wordChange(contract, change)),
    "In all other respects the contract remains as it is.",
  ];
  return letter(contract, title, texts, signing);
}

export function drawTermination(contract: Contract, on: Day, signing: Signing): PageContent {
  const texts = [
    `The parties agree that the contract ends early, on ${sayDay(on, contract.voice)}, the last day on which it is in force.`,
    "Until then it is performed as agreed. It does not renew.",
  ];
  return letter(contract, "TERMINATION AGREEMENT", texts, signing);
}

function letter(contract: Contract, title: string, texts: readonly string[], signing: Signing): PageContent {
  const clauses = texts.map(
    (text, index): Block => ({ kind: "clause", number: `${index + 1}.`, runs: [{ text }] }),
  );
  return {
    running: `${title} to Contract No. ${contract.number}`,
    blocks: [
      titleLine(title),
      plain(`Contract No. ${contract.number}`),
      plain(`between ${contract.client} and ${contract.counterparty}`),
      ...clauses,
      ...signatures(contract, signing),
    ],
  };
}

/** The charges of a contract, in a document of their own. */
export function drawSchedule(contract: Contract, signing: Signing): PageContent {
  const fee = contract.schedule?.fee ?? findClause(contract, "fee")?.provision;
  if (fee === undefined) throw new Error(`${contract.number} has no charges`);
  const { perYear, day } = fee.instalments;
  const [count, due] =
    perYear === 12
      ? ["12 equal instalments", `the ${ordinal(day)} day of each calendar month`]
      : [
          perYear === 1 ? "1 instalment" : `${perYear} equal instalments`,
          `${sayDates(fee.instalments)} in each year`,
        ];
  const rows = [
    ["Charge", "Amount per year", "Paid in", "Due on"],
    ["Annual Fee", sayMoney(fee.annual, contract.voice), count, due],
    ["Call-out outside office hours", `${fee.annual.currency} 480`, "per visit", "with the next instalment"],
  ];
  return {
    running: `Schedule 2 to Contract No. ${contract.number}`,
    blocks: [
      titleLine("SCHEDULE 2 (CHARGES)"),
      plain(`Contract No. ${contract.number}`),
      plain(`between ${contract.client} and ${contract.counterparty}`),
      { kind: "table", rows },
      ...signatures(contract, signing),
    ],
  };
}

function signatures(contract: Contract, { signed, on, names }: Signing): readonly Block[] {
  const parties = [contract.client, contract.counterparty] as const;
  return parties.map((party, index) => {
    const day = sayDay(index === 0 ? addDays(on, -(on.charCodeAt(9) % 6)) : on, contract.voice);
    const [name, date] = signed ? [names[index], day] : ["____________________", "______________"];
    return plain(`Signed for and on behalf of ${party} by ${name} on ${date}`);
  });
}

function plain(text: string): Block {
  return { kind: "plain", text };
}

function titleLine(text: string): Block {
  return { kind: "title", text };
}
