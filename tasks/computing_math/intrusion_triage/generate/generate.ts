import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GenerateContext } from "ale/task";
import type { ExpectedEvent, Truth } from "../incident.ts";
import type { Params } from "../params.ts";
import { benignNetwork } from "./benign-network.ts";
import { benignWeb } from "./benign-web.ts";
import { castOf } from "./cast.ts";
import { intrude } from "./intrude.ts";
import { World } from "./world.ts";
import { leaseTable, notes, techniques } from "./write-notes.ts";

/** Plays a day of the network with an intrusion in it, and writes what was recorded. */
export function generate({ input, reference, params, random }: GenerateContext<Params>): void {
  const cast = castOf(random.fork("cast"));
  const world = new World(random.fork("world"), params);
  benignWeb(random.fork("web"), world, cast, params.requests);
  benignNetwork(random.fork("network"), world, cast);
  const { incident, events } = intrude(random.fork("intrusion"), world, cast, params);

  const capture = world.capture.finish();
  writeFileSync(join(input, "capture.pcap"), capture.file);
  const logs = [
    ["nginx_access.log", world.web],
    ["firewall.log", world.firewall],
    ...Object.entries(world.auth).map(([host, log]) => [`auth_${host}.log`, log] as const),
  ] as const;
  const numbered: (readonly [string, ReadonlyMap<string, readonly number[]>])[] = [
    ["capture.pcap", capture.numbers],
  ];
  for (const [name, log] of logs) {
    const { text, numbers } = log.finish();
    writeFileSync(join(input, name), text);
    numbered.push([name, numbers]);
  }
  writeFileSync(join(input, "notes.md"), notes(cast, params, world.start));
  writeFileSync(join(input, "dhcp_leases.csv"), leaseTable(cast, params, world.start));
  writeFileSync(join(input, "techniques.csv"), techniques);

  const timeline = events.map(
    ({ tag, ...event }): ExpectedEvent => ({
      ...event,
      evidence: numbered.flatMap(([file, numbers]) => {
        const lines = numbers.get(tag);
        return lines === undefined ? [] : [{ file, lines }];
      }),
    }),
  );
  const truth: Truth = { incident, timeline };
  writeFileSync(join(reference, "truth.json"), `${JSON.stringify(truth, null, 1)}\n`);
}
