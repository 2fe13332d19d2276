/** Addresses and ports of a datagram or segment. */
export interface Endpoints {
  readonly from: string;
  readonly to: string;
  readonly fromPort: number;
  readonly toPort: number;
}

export const tcpFlags = { fin: 1, syn: 2, rst: 4, psh: 8, ack: 16 } as const;

/** An Ethernet frame with IPv4 and UDP, checksums right. */
export function udpPacket(ends: Endpoints, payload: Buffer, id: number): Buffer {
  const udp = Buffer.alloc(8 + payload.length);
  udp.writeUInt16BE(ends.fromPort, 0);
  udp.writeUInt16BE(ends.toPort, 2);
  udp.writeUInt16BE(udp.length, 4);
  payload.copy(udp, 8);
  udp.writeUInt16BE(transportChecksum(ends, 17, udp) || 0xffff, 6);
  return frame(ends, 17, udp, id);
}

/** An Ethernet frame with IPv4 and TCP, checksums right. */
export function tcpPacket(
  ends: Endpoints,
  segment: {
    readonly sequence: number;
    readonly acknowledged: number;
    readonly flags: number;
    readonly data: Buffer;
  },
  id: number,
): Buffer {
  const isSyn = (segment.flags & tcpFlags.syn) !== 0;
  const options = isSyn ? Buffer.from([2, 4, 0x05, 0xb4, 1, 3, 3, 7]) : Buffer.alloc(0);
  const tcp = Buffer.alloc(20 + options.length + segment.data.length);
  tcp.writeUInt16BE(ends.fromPort, 0);
  tcp.writeUInt16BE(ends.toPort, 2);
  tcp.writeUInt32BE(segment.sequence >>> 0, 4);
  tcp.writeUInt32BE(segment.acknowledged >>> 0, 8);
  tcp[12] = ((20 + options.length) / 4) << 4;
  tcp[13] = segment.flags;
  tcp.writeUInt16BE(64240, 14);
  options.copy(tcp, 20);
  segment.data.copy(tcp, 20 + options.length);
  tcp.writeUInt16BE(transportChecksum(ends, 6, tcp), 16);
  return frame(ends, 6, tcp, id);
}

function frame(ends: Endpoints, protocol: number, body: Buffer, id: number): Buffer {
  const packet = Buffer.alloc(34 + body.length);
  macOf(ends.to).copy(packet, 0);
  macOf(ends.from).copy(packet, 6);
  packet.writeUInt16BE(0x0800, 12);
  packet[14] = 0x45;
  packet.writeUInt16BE(20 + body.length, 16);
  packet.writeUInt16BE(id & 0xffff, 18);
  packet.writeUInt16BE(0x4000, 20);
  packet[22] = 64;
  packet[23] = protocol;
  addressOf(ends.from).copy(packet, 26);
  addressOf(ends.to).copy(packet, 30);
  packet.writeUInt16BE(fold(sum16(packet.subarray(14, 34))), 24);
  body.copy(packet, 34);
  return packet;
}

/** Servers have cards of their own; workstations and the internet are behind the router. */
export function macOf(ip: string): Buffer {
  const [first, , third, fourth] = ip.split(".").map(Number) as [number, number, number, number];
  return Buffer.from([
    0x02,
    0x42,
    0x0a,
    0x14,
    ...(first === 10 && third !== 8 ? [third, fourth] : [0xff, 0x01]),
  ]);
}

function addressOf(ip: string): Buffer {
  return Buffer.from(ip.split(".").map(Number));
}

function transportChecksum(ends: Endpoints, protocol: number, body: Buffer): number {
  const pseudo = sum16(addressOf(ends.from)) + sum16(addressOf(ends.to)) + protocol + body.length;
  return fold(pseudo + sum16(body));
}

function sum16(bytes: Buffer): number {
  let sum = 0;
  for (let index = 0; index + 1 < bytes.length; index += 2) sum += bytes.readUInt16BE(index);
  return bytes.length % 2 === 0 ? sum : sum + ((bytes.at(-1) as number) << 8);
}

/** Ones' complement of the ones' complement sum (RFC 1071). */
function fold(sum: number): number {
  let folded = sum;
  while (folded > 0xffff) folded = (folded & 0xffff) + Math.floor(folded / 0x10000);
  return ~folded & 0xffff;
}
