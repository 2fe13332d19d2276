import type { BankAccount } from "../items.ts";
import type { Params } from "../params.ts";
import type { DraftBooks } from "./draft-books.ts";
import type { Truth } from "./truth.ts";

const customers = [
  "Adler Optik",
  "Brandt Logistik",
  "Cordes Bau",
  "Ferrum Werke",
  "Hansa Papier",
  "Kessel AG",
];
const suppliers = [
  "Lindner Metall",
  "Mohr Elektro",
  "Nordlicht IT",
  "Petersen Druck",
  "Quell Energie",
  "Rost Chemie",
];

/** An invoice or bill number as people type it into a payment. */
export function asTyped(books: DraftBooks, document: string): string {
  return books.random.pick([document, document.replace("-", ""), document.replace("-", " ")]);
}

export function customer(books: DraftBooks): string {
  return books.random.pick(customers);
}

export function supplier(books: DraftBooks): string {
  return books.random.pick(suppliers);
}

/** Payments and receipts that stand in both the statement and the ledger, a day or two apart. */
export function addOrdinaryLines(books: DraftBooks, truth: Truth, params: Params): void {
  for (let index = 0; index < params.operating; index++) addLine(books, truth, "1010");
  for (let index = 0; index < params.second; index++) {
    if (books.random.next() < 0.3) addCardPayment(books, truth);
    else addLine(books, truth, "1020");
  }
}

function addLine(books: DraftBooks, truth: Truth, account: BankAccount): void {
  const day = books.random.integer(1, books.lastDay - 3);
  const chance = books.random.next();
  if (chance < 0.45) {
    const [name, document] = [customer(books), books.document("INV")];
    const cents = books.amount(8_000, 900_000);
    const text = `SVWZ+${name} invoice ${asTyped(books, document)} less nothing, thank you KREF+${books.random.integer(10_000, 99_999)}`;
    const posting = books.post(account, day, document, `Receipt ${name}`, cents);
    truth.match(
      books.addBank(account, { day: day + books.random.integer(0, 2), cents, code: "TRF", text }),
      posting,
    );
  } else if (chance < 0.85 || account === "1020") {
    const [name, document] = [supplier(books), books.document("BILL")];
    const cents = -books.amount(6_000, 700_000);
    const text = `EREF+${asTyped(books, document)} SVWZ+Payment to ${name} your ref ${books.random.integer(100, 999)}`;
    const posting = books.post(account, day, document, `Payment ${name}`, cents);
    truth.match(
      books.addBank(account, { day: day + books.random.integer(0, 2), cents, code: "TRF", text }),
      posting,
    );
  } else {
    const number = books.cheque();
    const cents = -books.amount(4_000, 300_000);
    const posting = books.post(account, day, `CHQ-${number}`, `Cheque to ${supplier(books)}`, cents);
    const part = {
      day: day + 3,
      cents,
      code: "CHK",
      customerReference: number,
      text: "SVWZ+Cheque presented",
    };
    truth.match(books.addBank(account, part), posting);
  }
}

/** A card purchase in another currency: nothing but amount and date joins it to its posting. */
export function addCardPayment(books: DraftBooks, truth: Truth): number {
  const day = books.random.integer(1, books.lastDay - 6);
  const cents = -books.amount(1_500, 90_000);
  const posting = books.post("1020", day, books.document("EXP"), "Company card, travel expenses", cents);
  const later = day + books.random.integer(1, 4);
  const foreign = (Math.abs(cents) * 1.08) / 100;
  const text = `VISA 4417 XXXX 2208 ${foreign.toFixed(2)} USD Kurs 1,0800 ${books.date(day).slice(5)}`;
  truth.match(books.addBank("1020", { day: later, cents, code: "CRD", text }), posting);
  return later;
}
