import { expect, test } from "vitest";
import { tcpFlags, tcpPacket, udpPacket } from "./packet.ts";

const ends = { from: "10.20.1.10", to: "198.18.3.4", fromPort: 40_000, toPort: 80 };

/** Ones' complement sum of 16-bit words; 0xffff over data that include their own checksum. */
function sum(bytes: Buffer): number {
  const even = Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)]);
  let total = 0;
  for (let at = 0; at < even.length; at += 2) total += even.readUInt16BE(at);
  while (total > 0xffff) total = (total & 0xffff) + (total >>> 16);
  return total;
}

function transportSum(frame: Buffer): number {
  const body = frame.subarray(34);
  const pseudo = Buffer.from([0, frame[23] as number, body.length >> 8, body.length & 255]);
  return sum(Buffer.concat([frame.subarray(26, 34), pseudo, body]));
}

test.each([0, 1, 7, 1448])("IP, TCP and UDP checksums hold for a payload of %i bytes", (length) => {
  const data = Buffer.from(Array.from({ length }, (_unused, index) => (index * 37) & 255));
  const segment = { sequence: 4_000_000_000, acknowledged: 17, flags: tcpFlags.ack | tcpFlags.psh, data };
  for (const frame of [tcpPacket(ends, segment, 9), udpPacket(ends, data, 10)]) {
    expect(sum(frame.subarray(14, 34))).toBe(0xffff);
    expect(transportSum(frame)).toBe(0xffff);
  }
});
