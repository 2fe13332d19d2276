import type { DraftBooks } from "./draft-books.ts";
import { addCardPayment, asTyped, customer, supplier } from "./ordinary-lines.ts";
import type { Truth } from "./truth.ts";

/** Plants every kind of difference, `count` times or about so. */
export function plantDifferences(books: DraftBooks, truth: Truth, count: number): void {
  plantPriorItems(books, truth, count);
  for (let index = 0; index < count; index++) {
    plantTiming(books, truth);
    plantUnbooked(books, truth, index);
    plantTransposition(books, truth, index);
    plantDuplicate(books, truth);
    plantReturns(books, truth);
    plantWrongAccount(books, truth);
    plantBatch(books, truth);
  }
  plantBatch(books, truth);
}

function plantPriorItems(books: DraftBooks, truth: Truth, count: number): void {
  const year = Number(books.period.slice(0, 4));
  const month = Number(books.period.slice(5));
  const earlier = (months: number, day: number): string => {
    const index = year * 12 + month - 1 - months;
    const date = [Math.floor(index / 12), (index % 12) + 1, day];
    return date.map((part) => String(part).padStart(2, "0")).join("-");
  };
  const add = (kind: "cheque" | "deposit", date: string, cents: number) => {
    const document = kind === "cheque" ? `CHQ-${books.cheque()}` : books.document("INV");
    const item = `P${String(books.prior.length + 1).padStart(3, "0")}`;
    const prior = { account: "1010" as const, item, kind, date, document, cents };
    books.prior.push(prior);
    return prior;
  };
  for (let index = 0; index <= count; index++) {
    const cheque = add("cheque", earlier(1, 12 + index), -books.amount(4_000, 250_000));
    const customerReference = cheque.document.slice(4);
    const part = {
      day: 2 + index * 3,
      cents: cheque.cents,
      code: "CHK",
      customerReference,
      text: "SVWZ+Cheque presented",
    };
    truth.match(books.addBank("1010", part), cheque);
    truth.open(add("cheque", earlier(2 + (index % 3), 5 + index), -books.amount(4_000, 250_000)));
  }
  const deposit = add("deposit", earlier(1, 27), books.amount(20_000, 400_000));
  const text = `SVWZ+${customer(books)} ${asTyped(books, deposit.document)}`;
  truth.match(books.addBank("1010", { day: 1, cents: deposit.cents, code: "TRF", text }), deposit);
  for (let index = 0; index < count; index++) {
    const stale = add("cheque", earlier(8 + index, 14), -books.amount(3_000, 60_000));
    truth.correct(stale, ["1010", -stale.cents], ["2090", stale.cents]);
  }
}

function plantTiming(books: DraftBooks, truth: Truth): void {
  const cheque = books.amount(5_000, 350_000);
  const day = books.lastDay - books.random.integer(2, 9);
  truth.open(books.post("1010", day, `CHQ-${books.cheque()}`, `Cheque to ${supplier(books)}`, -cheque));
  const account = books.random.next() < 0.7 ? "1010" : "1020";
  const deposit = books.amount(10_000, 500_000);
  const name = customer(books);
  const late = books.lastDay - books.random.integer(0, 1);
  truth.open(books.post(account, late, books.document("INV"), `Receipt ${name}`, deposit));
}

function plantUnbooked(books: DraftBooks, truth: Truth, index: number): void {
  const charge = (
    account: "1010" | "1020",
    code: string,
    text: string,
    cents: number,
    day: number,
    other: string,
  ): void => {
    const item = books.addBank(account, { day, cents, code, text });
    truth.correct(item, [account, cents], [other, -cents]);
  };
  const day = books.random.integer(3, books.lastDay);
  charge("1010", "CHG", "SVWZ+Account keeping and payment charges", -books.amount(300, 4_900), day, "6810");
  if (index === 0) {
    charge("1010", "INT", "SVWZ+Credit interest", books.amount(500, 9_000), books.lastDay, "7010");
    charge("1020", "INT", "Habenzinsen", books.amount(200, 4_000), books.lastDay, "7010");
    charge("1020", "CHG", "Entgelt Kontofuehrung", -books.amount(300, 1_900), books.lastDay, "6810");
  }
  const when = addCardPayment(books, truth);
  charge("1020", "FEE", "Auslandseinsatzentgelt 1,75% VISA 2208", -books.amount(30, 1_600), when, "6820");
}

/** Two neighbouring digits of the ledger's amount are swapped. */
function plantTransposition(books: DraftBooks, truth: Truth, index: number): void {
  const isReceipt = index % 2 === 1;
  const account = isReceipt ? "1020" : "1010";
  const [tens, ones] = books.random.shuffle([1, 2, 3, 4, 5, 6, 7, 8, 9]) as [number, number];
  const rest = books.amount(1_000, 9_999);
  const sign = isReceipt ? 1 : -1;
  const real = sign * ((tens * 10 + ones) * 10_000 + rest);
  const booked = sign * ((ones * 10 + tens) * 10_000 + rest);
  const document = books.document(isReceipt ? "INV" : "BILL");
  const name = isReceipt ? customer(books) : supplier(books);
  const day = books.random.integer(2, books.lastDay - 4);
  const posting = books.post(account, day, document, `${isReceipt ? "Receipt" : "Payment"} ${name}`, booked);
  const text = `SVWZ+${name} ${asTyped(books, document)}`;
  truth.match(books.addBank(account, { day: day + 1, cents: real, code: "TRF", text }), posting);
  truth.correct(posting, [account, real - booked], [isReceipt ? "1100" : "2000", booked - real]);
}

function plantDuplicate(books: DraftBooks, truth: Truth): void {
  const [name, document, cents] = [supplier(books), books.document("BILL"), -books.amount(7_000, 400_000)];
  const day = books.random.integer(2, books.lastDay - 8);
  const posting = books.post("1010", day, document, `Payment ${name}`, cents);
  const text = `EREF+${asTyped(books, document)} SVWZ+Payment to ${name}`;
  truth.match(books.addBank("1010", { day: day + 1, cents, code: "TRF", text }), posting);
  const again = books.post("1010", day + books.random.integer(2, 6), document, `Payment ${name}`, cents);
  truth.correct(again, ["1010", -cents], ["2000", cents]);
}

/** A customer's cheque that bounces, and a transfer to a supplier that comes back. */
function plantReturns(books: DraftBooks, truth: Truth): void {
  const back = (cents: number, name: string, prefix: string, reason: string, other: string): void => {
    const document = books.document(prefix);
    const day = books.random.integer(2, books.lastDay - 9);
    const posting = books.post("1010", day, document, `${cents > 0 ? "Receipt" : "Payment"} ${name}`, cents);
    const text = `SVWZ+${name} ${asTyped(books, document)}`;
    truth.match(books.addBank("1010", { day: day + 1, cents, code: "TRF", text }), posting);
    const part = {
      day: day + 6,
      cents: -cents,
      code: "RTI",
      reversal: true,
      text: `SVWZ+${reason} ${asTyped(books, document)} ${name}`,
    };
    truth.correct(books.addBank("1010", part), ["1010", -cents], [other, cents]);
  };
  back(books.amount(9_000, 300_000), customer(books), "INV", "Returned unpaid: insufficient funds", "1100");
  back(-books.amount(9_000, 300_000), supplier(books), "BILL", "Returned: account closed", "2000");
}

function plantWrongAccount(books: DraftBooks, truth: Truth): void {
  const [name, document, cents] = [supplier(books), books.document("BILL"), -books.amount(5_000, 200_000)];
  const day = books.random.integer(2, books.lastDay - 4);
  const posting = books.post("1010", day, document, `Payment ${name}`, cents);
  const text = `Zahlung ${name} ${asTyped(books, document)}`;
  truth.match(books.addBank("1020", { day: day + 1, cents, code: "TRF", text }), posting);
  truth.correct(posting, ["1010", -cents], ["1020", cents]);
}

/** One credit of the bank for several receipts of a day's card takings. */
function plantBatch(books: DraftBooks, truth: Truth): void {
  const day = books.random.integer(2, books.lastDay - 5);
  const batch = `B${books.period.slice(2, 4)}${books.period.slice(5)}${books.random.integer(1000, 9999)}`;
  const postings = Array.from({ length: books.random.integer(3, 6) }, (_, index) =>
    books.post(
      "1010",
      day,
      books.document("POS"),
      `Card takings, till ${index + 1}, batch ${batch}`,
      books.amount(2_000, 60_000),
    ),
  );
  const cents = postings.reduce((sum, posting) => sum + posting.cents, 0);
  const text = `SVWZ+Collective credit card acquirer ${batch} ${postings.length} items`;
  truth.match(books.addBank("1010", { day: day + 2, cents, code: "TRF", text }), ...postings);
}
