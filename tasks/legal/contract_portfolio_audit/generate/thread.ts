import type { Random } from "ale/contract/random";
import { addDays, addMonths, type Day } from "../calendar.ts";
import type { PageContent } from "../office/page-content.ts";
import { signatories } from "./catalogue.ts";
import { applyChange, type Change } from "./change-contract.ts";
import {
  type AgreementOptions,
  drawAgreement,
  drawAmendment,
  drawSchedule,
  drawTermination,
  type Signing,
} from "./draw-documents.ts";
import { type ContractPlan, makeContract } from "./make-contract.ts";
import type { Contract, Provision } from "./provision.ts";

export interface PortfolioFile {
  readonly name: string;
  readonly format: "docx" | "pdf";
  readonly numbering: "automatic" | "typed";
  readonly dated: Day;
  readonly content: PageContent;
}

/** Who the other side is, as files and documents name it. */
export interface Company {
  readonly short: string;
  readonly name: string;
  readonly seat: string;
}

/** The documents of one contract in the order they were made, and the contract as it stands after them. */
export class Thread {
  contract: Contract;
  readonly files: PortfolioFile[] = [];
  readonly #company: Company;
  readonly #random: Random;
  readonly #taken: Set<string>;
  #amendments = 0;

  constructor(
    plan: ContractPlan,
    company: Company,
    taken: Set<string>,
    random: Random,
    options: AgreementOptions & { readonly format?: "docx" | "pdf" } = {},
  ) {
    this.#company = company;
    this.#random = random;
    this.#taken = taken;
    const format = options.format ?? random.pick(["docx", "docx", "pdf"] as const);
    const label = plan.kind === "order" ? `Order_${plan.number.slice(-1)}` : `${plan.kind}_agreement`;
    const name = this.#name(label, format, plan.effective);
    this.contract = makeContract(plan, name, random.fork(plan.number));
    const on = this.#signedOn(plan);
    this.#file(name, format, on, drawAgreement(this.contract, this.#signing(on), options), true);
  }

  /** Signed amendments that are in effect change the contract; others only leave a file. */
  amend(
    changes: readonly Change[],
    about: { readonly effect: Day; readonly counts?: "yes" | "unsigned" | "later" },
  ): void {
    this.#amendments++;
    const counts = about.counts ?? "yes";
    const format = this.#random.pick(["docx", "pdf"] as const);
    const name = this.#name(`amendment_${this.#amendments}`, format, about.effect);
    // What takes effect only after the review was signed before it, as all that lies in the folder.
    const lead = this.#random.integer(3, 25) + (counts === "later" ? 130 : 0);
    const on = addDays(about.effect, -lead);
    const signing = { ...this.#signing(on), signed: counts !== "unsigned" };
    const content = drawAmendment(
      this.contract,
      changes,
      { ordinal: this.#amendments, effect: about.effect },
      signing,
    );
    this.#file(name, format, on, content, false);
    if (counts !== "yes") return;
    for (const change of changes) this.contract = applyChange(this.contract, change, name);
  }

  /** A new whole text with other clause numbers in place of all that went before. */
  restate(plan: ContractPlan): void {
    const format = this.#random.pick(["docx", "pdf"] as const);
    const name = this.#name("restated", format, plan.effective);
    this.contract = makeContract(plan, name, this.#random.fork(`${plan.number}/restated`));
    const on = this.#signedOn(plan);
    this.#file(name, format, on, drawAgreement(this.contract, this.#signing(on), { restates: true }), true);
    this.#amendments = 0;
  }

  /** A restatement that was negotiated and never signed, full of tracked changes. */
  draft(plan: ContractPlan, tracked: readonly Provision[]): void {
    const name = this.#name(
      this.#random.pick(["FINAL_v3", "restated_clean", "execution_version"]),
      "docx",
      plan.effective,
    );
    const drafted = makeContract(plan, name, this.#random.fork(`${plan.number}/draft`));
    const on = addMonths(plan.effective, -1);
    const signing = { ...this.#signing(on), signed: false };
    const content = drawAgreement(drafted, signing, {
      restates: true,
      draft: this.#random.next() < 0.5,
      tracked,
    });
    this.#file(name, "docx", on, content, false);
  }

  end(on: Day): void {
    const signedOn = addMonths(on, -5);
    const name = this.#name("termination", "pdf", signedOn);
    this.#file(name, "pdf", signedOn, drawTermination(this.contract, on, this.#signing(signedOn)), false);
    this.contract = { ...this.contract, ended: { on, document: name } };
  }

  /** The charges that the agreement leaves to Schedule 2. */
  schedule(fee: Extract<Provision, { kind: "fee" }>): void {
    const format = this.#random.pick(["docx", "pdf"] as const);
    const on = addDays(this.contract.effective, -2);
    const name = this.#name("charges", format, on);
    this.contract = { ...this.contract, schedule: { document: name, fee } };
    this.#file(name, format, on, drawSchedule(this.contract, this.#signing(on)), false);
  }

  #file(name: string, format: "docx" | "pdf", dated: Day, content: PageContent, agreement: boolean): void {
    const numbering = agreement && this.#random.next() < 0.6 ? "automatic" : "typed";
    this.files.push({ name, format, numbering, dated, content });
  }

  #signing(on: Day): Signing {
    const [first, second] = this.#random.shuffle(signatories) as [string, string];
    return { signed: true, on, names: [first, second], seat: this.#company.seat };
  }

  #signedOn({ effective, effectStyle }: ContractPlan): Day {
    if (effectStyle === "signature") return effective;
    if (effectStyle === "month-after") return addDays(effective, -this.#random.integer(2, 20));
    return addDays(effective, this.#random.integer(-20, 9));
  }

  #name(label: string, format: string, day: Day): string {
    const { short } = this.#company;
    const draw = (): string =>
      this.#random.pick([
        `${short}_${label}_${day.slice(0, 4)}.${format}`,
        `${short} - ${label.replaceAll("_", " ")}.${format}`,
        `scan_${String(this.#random.integer(100, 9999)).padStart(4, "0")}_${short.toLowerCase()}.${format}`,
      ]);
    let name = draw();
    while (this.#taken.has(name)) name = draw();
    this.#taken.add(name);
    return name;
  }
}
