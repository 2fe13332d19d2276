import { endOfPeriod } from "../calendar.ts";
import { type Desk, monthsBefore, mustFind, otherFee } from "./desk.ts";
import type { Provision } from "./provision.ts";
import type { Thread } from "./thread.ts";

type Story = (desk: Desk) => Thread;

const restated: Story = (desk) => {
  const start = desk.plan("services", 44, { without: ["escalation"] });
  const thread = desk.open(start);
  const fee = mustFind(thread, "fee");
  thread.amend([{ mode: "words", clause: fee.number, provision: otherFee(fee.provision, 1.2) }], {
    effect: monthsBefore(desk, 36),
  });
  thread.restate({ ...start.plan, effective: monthsBefore(desk, 26), effectStyle: "date", without: [] });
  const report = mustFind(thread, "report");
  const within = { count: report.provision.within.count + 5, unit: "days" } as const;
  thread.amend([{ mode: "words", clause: report.number, provision: { ...report.provision, within } }], {
    effect: monthsBefore(desk, 9),
  });
  return thread;
};

const withSchedule: Story = (desk) => {
  const payer: Provision = { kind: "schedule-fee", payer: "client" };
  const start = desk.plan("services", desk.random.integer(20, 40));
  const thread = desk.open({ ...start, plan: { ...start.plan, without: ["fee"], added: { Fees: payer } } });
  const amount = desk.random.integer(40, 200) * 1200;
  const instalments = { perYear: 4, firstMonth: desk.random.integer(1, 3), day: 15 } as const;
  thread.schedule({
    kind: "fee",
    annual: { amount, currency: start.plan.currency },
    instalments,
    payer: "client",
  });
  const renewal = mustFind(thread, "renewal");
  const notice = { count: 45, unit: "days" } as const;
  thread.amend([{ mode: "words", clause: renewal.number, provision: { ...renewal.provision, notice } }], {
    effect: monthsBefore(desk, 7),
  });
  return thread;
};

/** Signed with a tracked change in it that nobody accepted, and amended afterwards. */
const trackedThroughout: Story = (desk) => {
  const start = desk.plan("services", 30);
  const notice = { count: 75, unit: "days" } as const;
  const renewal: Provision = {
    kind: "renewal",
    months: 12,
    notice: { count: 120, unit: "days" },
    giver: "both",
  };
  const cover: Provision = {
    kind: "insurance",
    cover: { amount: 4e6, currency: start.plan.currency },
    month: 6,
    day: 30,
    type: "public liability",
  };
  const tracked: Provision[] = [{ ...renewal, notice }];
  const thread = desk.open(
    { ...start, plan: { ...start.plan, fixed: [renewal] } },
    { format: "docx", tracked },
  );
  thread.amend([{ mode: "replace", clause: mustFind(thread, "insurance").number, provision: cover }], {
    effect: monthsBefore(desk, 5),
  });
  return thread;
};

const endedEarly: Story = (desk) => {
  const thread = desk.open(desk.plan("services", 28));
  thread.end(endOfPeriod(monthsBefore(desk, 0), 2));
  return thread;
};

/** Renamed; then a new version was negotiated that nobody signed. */
const draftedAnew: Story = (desk) => {
  const start = desk.plan("services", 33);
  const thread = desk.open(start);
  const name = `${start.company.short} International Limited`;
  thread.amend([{ mode: "rename", name }], { effect: monthsBefore(desk, 12) });
  const cap: Provision = {
    kind: "liability",
    whose: "both",
    cap: { amount: 300_000, currency: start.plan.currency },
  };
  const tracked: Provision = { ...cap, cap: { ...cap.cap, amount: 450_000 } };
  const effective = monthsBefore(desk, 1);
  thread.draft({ ...start.plan, counterparty: name, effective, effectStyle: "date", fixed: [cap] }, [
    tracked,
  ]);
  return thread;
};

/** One clause amended twice, and once more from a day that has not come. */
const amendedAgain: Story = (desk) => {
  const thread = desk.open(desk.plan("services", 38, { without: ["escalation"] }));
  const fee = mustFind(thread, "fee");
  for (const [months, factor, counts] of [
    [24, 1.1, "yes"],
    [10, 1.25, "yes"],
    [-3, 1.4, "later"],
  ] as const) {
    const provision = otherFee(fee.provision, factor);
    thread.amend([{ mode: months === 24 ? "words" : "replace", clause: fee.number, provision }], {
      effect: monthsBefore(desk, months),
      counts,
    });
  }
  return thread;
};

const expired: Story = (desk) => desk.open(desk.plan("services", 48, { without: ["renewal"] }));

const unsignedAmendment: Story = (desk) => {
  const thread = desk.open(desk.plan("services", 22));
  const liability = mustFind(thread, "liability");
  const cap = { ...liability.provision.cap, amount: liability.provision.cap.amount + 500_000 };
  const effect = monthsBefore(desk, 4);
  thread.amend([{ mode: "words", clause: liability.number, provision: { ...liability.provision, cap } }], {
    effect,
    counts: "unsigned",
  });
  return thread;
};

const extended: Story = (desk) => {
  const thread = desk.open(desk.plan("services", 31, { without: ["renewal"] }));
  const term = mustFind(thread, "term").number;
  thread.amend(
    [
      { mode: "extend", clause: term, months: 24 },
      { mode: "delete", clause: mustFind(thread, "report").number },
    ],
    { effect: monthsBefore(desk, 16) },
  );
  return thread;
};

const stories = [
  restated,
  withSchedule,
  trackedThroughout,
  endedEarly,
  draftedAnew,
  amendedAgain,
  unsignedAmendment,
  extended,
  expired,
];

/** Services that the client buys; each of the first nine has a history of its own. */
export function makeServices(desk: Desk, count: number): readonly Thread[] {
  return Array.from({ length: count }, (_, index) => (stories[index % stories.length] as Story)(desk));
}
