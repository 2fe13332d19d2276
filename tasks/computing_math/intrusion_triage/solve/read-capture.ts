import { readFileSync } from "node:fs";

/** A packet of the capture, as far as the analysis needs it. */
export interface Packet {
  /** From 1, as tshark counts. */
  readonly number: number;
  /** Seconds since 1970. */
  readonly time: number;
  readonly from: string;
  readonly to: string;
  readonly fromPort: number;
  readonly toPort: number;
  readonly protocol: "tcp" | "udp";
  readonly isSyn: boolean;
  readonly sequence: number;
  readonly payload: Buffer;
}

/** Reads a little-endian PCAP of Ethernet frames with IPv4. */
export function readCapture(path: string): readonly Packet[] {
  const file = readFileSync(path);
  if (file.readUInt32LE(0) !== 0xa1b2c3d4) throw new Error(`${path} is no little-endian PCAP`);
  const packets: Packet[] = [];
  let at = 24;
  for (let number = 1; at < file.length; number++) {
    const length = file.readUInt32LE(at + 8);
    const time = file.readUInt32LE(at) + file.readUInt32LE(at + 4) / 1e6;
    const packet = readFrame(file.subarray(at + 16, at + 16 + length));
    if (packet !== undefined) packets.push({ number, time, ...packet });
    at += 16 + length;
  }
  return packets;
}

function readFrame(frame: Buffer): Omit<Packet, "number" | "time"> | undefined {
  const protocol = frame[23] === 6 ? "tcp" : frame[23] === 17 ? "udp" : undefined;
  if (frame.readUInt16BE(12) !== 0x0800 || protocol === undefined) return undefined;
  const body = 14 + ((frame[14] as number) & 15) * 4;
  const end = 14 + frame.readUInt16BE(16);
  const payload = body + (protocol === "udp" ? 8 : ((frame[body + 12] as number) >> 4) * 4);
  const flags = protocol === "tcp" ? (frame[body + 13] as number) : 0;
  return {
    from: frame.subarray(26, 30).join("."),
    to: frame.subarray(30, 34).join("."),
    fromPort: frame.readUInt16BE(body),
    toPort: frame.readUInt16BE(body + 2),
    protocol,
    isSyn: (flags & 0x12) === 2,
    sequence: protocol === "tcp" ? frame.readUInt32BE(body + 4) : 0,
    payload: frame.subarray(payload, end),
  };
}

/** The name a DNS message asks for. */
export function queriedName({ payload }: Packet): string {
  const labels: string[] = [];
  for (let at = 12; at < payload.length; ) {
    const length = payload[at] as number;
    if (length === 0) break;
    labels.push(payload.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return labels.join(".").toLowerCase();
}

/** The server that a TLS ClientHello names, where the packet is one (RFC 6066). */
export function serverName({ payload, toPort }: Packet): string | undefined {
  if (toPort !== 443 || payload[0] !== 22 || payload[5] !== 1) return undefined;
  let at = 43;
  at += 1 + (payload[at] as number);
  at += 2 + payload.readUInt16BE(at);
  at += 1 + (payload[at] as number) + 2;
  while (at + 4 <= payload.length) {
    const [type, length] = [payload.readUInt16BE(at), payload.readUInt16BE(at + 2)];
    if (type === 0) return payload.toString("latin1", at + 9, at + 4 + length);
    at += 4 + length;
  }
  return undefined;
}

/** The registered domain: the last two labels. */
export function registered(name: string): string {
  return name.split(".").slice(-2).join(".");
}
