import type { Random } from "ale/contract/random";

const given =
  `Aisha Alba Amir Anneli Boris Carmen Chidi Dana Elif Emre Farah Greta Hana Ines Ivo Jonas Kaito Lena Lior
Malik Mei Nadia Noor Omar Petra Priya Quinn Rosa Samir Selma Tariq Teodora Uma Viktor Wanda Yusuf Zofia`.split(
    /\s+/,
  );
const family =
  `Abebe Andersson Baptiste Bauer Castillo Cho Dimitrov Eriksen Farouk Ferrari Goldberg Haddad Horvat Ibrahim
Jansen Kowalska Kumar Laurent Lindgren Martins Moreau Nakamura Novak Okafor Pereira Qureshi Rossi Sato Silva Tanaka Udoka
Vargas Weiss Yilmaz Zhang`.split(/\s+/);

/** People with different names and numbers, in no order. */
export function castStudents(random: Random, count: number): readonly { number: string; name: string }[] {
  const people = new Map<string, string>();
  const numbers = new Set<string>();
  while (people.size < count) {
    const name = `${random.pick(family)}, ${random.pick(given)}`;
    const number = String(random.integer(2_400_000, 2_799_999));
    if (people.has(name) || numbers.has(number)) continue;
    numbers.add(number);
    people.set(name, number);
  }
  return [...people].map(([name, number]) => ({ name, number }));
}

/** The number with two neighbouring digits, that differ, exchanged. */
export function transpose(number: string): string {
  for (let place = number.length - 1; place > 1; place--) {
    const [first = "", second = ""] = [number[place - 1], number[place]];
    if (first !== second) return number.slice(0, place - 1) + second + first + number.slice(place + 1);
  }
  return `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`;
}
