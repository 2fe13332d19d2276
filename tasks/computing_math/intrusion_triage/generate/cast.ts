import type { Random } from "ale/contract/random";

/** Who is who in an instance: addresses, names and people, drawn so that nothing tells good from bad. */
export interface Cast {
  readonly scanner: string;
  readonly attackers: readonly [scan: string, operator: string, command: string];
  readonly clients: readonly string[];
  readonly guessers: readonly string[];
  readonly vault: string;
  readonly workstations: readonly Workstation[];
  /** The workstation that is taken over, and its holder's name at that time. */
  readonly target: Workstation;
  readonly webshell: string;
  readonly commandDomain: string;
  readonly tunnelDomain: string;
  readonly admins: readonly string[];
  readonly account: string;
}

export interface Workstation {
  readonly ip: string;
  /** Holders of the address one after the other. */
  readonly leases: readonly {
    readonly host: string;
    readonly mac: string;
    readonly fromHour: number;
    readonly toHour: number;
  }[];
}

const syllables = ["sync", "edge", "cache", "metric", "relay", "static", "cloud", "pixel", "vector", "node"];

export function castOf(random: Random): Cast {
  const taken = new Set<string>();
  const outside = (): string => {
    for (;;) {
      const ip = `198.${random.pick([18, 19])}.${random.integer(0, 255)}.${random.integer(1, 254)}`;
      if (taken.has(ip)) continue;
      taken.add(ip);
      return ip;
    }
  };
  const many = (count: number): readonly string[] => Array.from({ length: count }, outside);
  const domain = (): string =>
    `${random.shuffle(syllables).slice(0, 2).join("")}-${random.integer(10, 99)}.example`;
  const tails = random.shuffle(Array.from({ length: 180 }, (_unused, index) => index + 20));
  const numbers = random.shuffle(Array.from({ length: 400 }, (_unused, index) => index + 100));
  let next = 0;
  const holder = (fromHour: number, toHour: number): Workstation["leases"][number] => {
    const mac = [
      "3c",
      "52",
      "82",
      ...Array.from({ length: 3 }, () => random.integer(16, 255).toString(16)),
    ].join(":");
    return { host: `ws-${numbers[next++]}`, mac, fromHour, toHour };
  };
  const workstations = Array.from({ length: 24 }, (_unused, index): Workstation => {
    const ip = `10.20.8.${tails[index]}`;
    const leases = index < 5 ? [holder(-3, 8.6), holder(8.65, 13.5), holder(13.55, 20)] : [holder(-4, 20)];
    return { ip, leases };
  });
  return {
    scanner: outside(),
    attackers: [outside(), outside(), outside()],
    clients: many(180),
    guessers: many(9),
    vault: outside(),
    workstations,
    target: workstations[0] as Workstation,
    webshell: `/media/uploads/${random.pick(["thumb", "img", "cat", "banner"])}_${random.integer(1000, 9999)}.php`,
    commandDomain: domain(),
    tunnelDomain: domain(),
    admins: ["alice", "bob", "carol"],
    account: `sys${random.pick(["upd", "mon", "svc", "log"])}${random.integer(1, 9)}`,
  };
}
