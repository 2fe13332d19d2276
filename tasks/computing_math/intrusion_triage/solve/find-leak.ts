import { type Packet, queriedName, registered } from "./read-capture.ts";

/** Data that left, and by which packets. */
export interface Leak {
  readonly channel: "dns_tunnel" | "https_upload";
  readonly destination: string;
  readonly bytes: number;
  readonly first: Packet;
  readonly last: Packet;
}

const leastTunnelled = 200;

/** Looks for names that carry data, else for what the host uploaded to one of the addresses given. */
export function findLeak(
  packets: readonly Packet[],
  host: string,
  suspects: readonly string[],
): Leak | undefined {
  return findTunnel(packets, host) ?? findUpload(packets, host, suspects);
}

function findTunnel(packets: readonly Packet[], host: string): Leak | undefined {
  const byDomain = new Map<string, { readonly name: string; readonly packet: Packet }[]>();
  for (const packet of packets) {
    if (packet.protocol !== "udp" || packet.from !== host || packet.toPort !== 53) continue;
    const name = queriedName(packet);
    const domain = registered(name);
    // A running number in front, then base32: nothing like the hashes that virus scanners look up.
    if (!/^[0-9a-f]{5}\.[a-z2-7]+\./.test(name)) continue;
    byDomain.set(domain, [...(byDomain.get(domain) ?? []), { name, packet }]);
  }
  for (const [destination, queries] of byDomain) {
    if (queries.length < leastTunnelled) continue;
    const names = new Set(queries.map(({ name }) => name));
    let bytes = 0;
    for (const name of names) {
      const data = name.split(".").slice(1, -3).join("");
      bytes += Math.floor((data.length * 5) / 8);
    }
    const [first, last] = [queries[0]?.packet as Packet, queries.at(-1)?.packet as Packet];
    return { channel: "dns_tunnel", destination, bytes, first, last };
  }
  return undefined;
}

function findUpload(packets: readonly Packet[], host: string, suspects: readonly string[]): Leak | undefined {
  for (const destination of suspects) {
    const sent = packets.filter(
      ({ from, to, protocol }) => protocol === "tcp" && from === host && to === destination,
    );
    const [first, last] = [sent[0], sent.at(-1)];
    if (first === undefined || last === undefined) continue;
    const segments = new Map<string, number>();
    for (const { fromPort, sequence, payload } of sent) {
      if (payload.length > 0) segments.set(`${fromPort}/${sequence}`, payload.length);
    }
    const bytes = [...segments.values()].reduce((sum, length) => sum + length, 0);
    return { channel: "https_upload", destination, bytes, first, last };
  }
  return undefined;
}
