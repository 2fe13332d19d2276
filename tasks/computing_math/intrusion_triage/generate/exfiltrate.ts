import type { Random } from "ale/contract/random";
import { servers } from "../network.ts";
import type { Params } from "../params.ts";
import { clientHello, tlsRecords } from "../wire/payloads.ts";
import type { Cast } from "./cast.ts";
import type { World } from "./world.ts";

/** Sends data out of db01 by the instance's channel; says how much, and when the last packet was seen. */
export function exfiltrate(
  random: Random,
  world: World,
  cast: Cast,
  params: Params,
  begin: number,
  tag: string,
): { readonly bytes: number; readonly end: number } {
  const data = world.bytes(params.exfiltrated_kb * 1024 + random.integer(1, 900));
  return params.exfiltration === "dns_tunnel"
    ? throughNames(random, world, cast, data, begin, tag)
    : throughUploads(world, cast, data, begin, tag);
}

/** Sixty bytes a query, as base32 in two labels below a running number; one query in ten is sent again. */
function throughNames(
  random: Random,
  world: World,
  { tunnelDomain }: Cast,
  data: Buffer,
  begin: number,
  tag: string,
): { readonly bytes: number; readonly end: number } {
  let time = begin;
  let end = begin;
  for (let at = 0; at < data.length; at += 60) {
    const text = base32(data.subarray(at, at + 60));
    const labels = [text.slice(0, 48), text.slice(48)].filter((label) => label !== "");
    const name = [(at / 60).toString(16).padStart(5, "0"), ...labels, "t", tunnelDomain].join(".");
    end = world.capture.dns(time, servers.db01, name, "ok", "TXT", tag);
    if (random.next() < 0.1) end = world.capture.dns(time + 1.1, servers.db01, name, "ok", "TXT", tag);
    time += 1.5 + random.next() * 2;
  }
  return { bytes: data.length, end };
}

/** Several TLS connections to the command server; some segments are sent twice. */
function throughUploads(
  world: World,
  { attackers, commandDomain }: Cast,
  data: Buffer,
  begin: number,
  tag: string,
): { readonly bytes: number; readonly end: number } {
  const server = `up.${commandDomain}`;
  const [, , address] = attackers;
  let bytes = 0;
  let end = begin;
  const part = Math.ceil(data.length / 7);
  for (let at = 0; at < data.length; at += part) {
    const time = begin + (at / part) * 410;
    if (at > 0) world.capture.dns(time - 0.5, servers.db01, server, address, "A", tag);
    const sent = [clientHello(server, world.bytes(32)), tlsRecords(data.subarray(at, at + part))];
    bytes += sent.reduce((sum, piece) => sum + piece.length, 0);
    const turns = [
      { from: "client" as const, data: sent[0] as Buffer },
      { from: "server" as const, data: tlsRecords(world.bytes(1100)) },
      { from: "client" as const, data: sent[1] as Buffer },
    ];
    const ends = { client: servers.db01, server: address, port: 443 };
    end = world.capture.tcp({ time, ...ends, turns, tag, resent: 0.06 });
    world.filter(time, "ALLOW", servers.db01, address, 443, tag);
  }
  return { bytes, end };
}

/** RFC 4648, lower case, without padding. */
function base32(bytes: Buffer): string {
  const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
  let text = "";
  let [held, bits] = [0, 0];
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(held >> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  return bits > 0 ? text + alphabet[(held << (5 - bits)) & 31] : text;
}
