import type { Random } from "ale/contract/random";
import { type Endpoints, tcpFlags, tcpPacket, udpPacket } from "../wire/packet.ts";
import { dnsMessages } from "../wire/payloads.ts";

interface Captured {
  /** Microseconds since 1970. */
  readonly time: number;
  readonly frame: Buffer;
  readonly tag: string | undefined;
}

/** One direction's bytes in a TCP conversation. */
export interface Turn {
  readonly from: "client" | "server";
  readonly data: Buffer;
}

export interface Conversation {
  /** Seconds since 1970. */
  readonly time: number;
  readonly client: string;
  readonly server: string;
  readonly port: number;
  readonly turns: readonly Turn[];
  /** Names the packets of the client, so that evidence can be found again. */
  readonly tag?: string;
  /** Share of the client's segments that are sent twice; default 0. */
  readonly resent?: number;
}

const segmentSize = 1448;

/** What the sensor sees; written as a classic little-endian PCAP. */
export class Capture {
  readonly #packets: Captured[] = [];
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A DNS query to the resolver, answered, or refused when there is no answer. Returns when it ended, in seconds. */
  dns(
    time: number,
    client: string,
    name: string,
    answer?: string,
    type: "A" | "TXT" = "A",
    tag?: string,
  ): number {
    const resolver = "10.20.1.2";
    const port = this.#port();
    const { query, response } = dnsMessages(this.#random.integer(1, 65535), name, type, answer);
    const there = { from: client, to: resolver, fromPort: port, toPort: 53 };
    const back = { from: resolver, to: client, fromPort: 53, toPort: port };
    this.#add(time, udpPacket(there, query, this.#random.integer(1, 65535)), tag);
    const end = time + 0.002 + this.#random.next() * 0.03;
    this.#add(end, udpPacket(back, response, this.#random.integer(1, 65535)), undefined);
    return end;
  }

  /** A lone SYN and, from an open port, the handshake's end or a reset. */
  probe(time: number, client: string, server: string, port: number, isOpen: boolean, tag?: string): void {
    const ends = { from: client, to: server, fromPort: this.#port(), toPort: port };
    const back = { from: server, to: client, fromPort: port, toPort: ends.fromPort };
    const sequence = this.#random.integer(1, 0x7fffffff);
    const data = Buffer.alloc(0);
    this.#add(time, this.#tcp(ends, sequence, 0, tcpFlags.syn, data), tag);
    if (!isOpen) return;
    const other = this.#random.integer(1, 0x7fffffff);
    this.#add(
      time + 0.0004,
      this.#tcp(back, other, sequence + 1, tcpFlags.syn | tcpFlags.ack, data),
      undefined,
    );
    this.#add(time + 0.02, this.#tcp(ends, sequence + 1, 0, tcpFlags.rst, data), tag);
  }

  /** A whole connection: handshake, turns in segments with acknowledgements, end. Returns when it ended. */
  tcp({ time, client, server, port, turns, tag, resent = 0 }: Conversation): number {
    const there = { from: client, to: server, fromPort: this.#port(), toPort: port };
    const back = { from: server, to: client, fromPort: port, toPort: there.fromPort };
    const delay = 0.0005 + this.#random.next() * 0.02;
    const none = Buffer.alloc(0);
    let [mine, theirs] = [this.#random.integer(1, 0x7fffffff), this.#random.integer(1, 0x7fffffff)];
    let now = time;
    const wait = (): number => {
      now += delay;
      return now;
    };
    const client_ = (flags: number, data: Buffer): Buffer => this.#tcp(there, mine, theirs, flags, data);
    const server_ = (flags: number, data: Buffer): Buffer => this.#tcp(back, theirs, mine, flags, data);
    this.#add(now, this.#tcp(there, mine++, 0, tcpFlags.syn, none), tag);
    this.#add(wait(), this.#tcp(back, theirs++, mine, tcpFlags.syn | tcpFlags.ack, none), undefined);
    this.#add(wait(), client_(tcpFlags.ack, none), tag);
    for (const { from, data } of turns) {
      for (let at = 0; at < data.length; at += segmentSize) {
        const part = data.subarray(at, at + segmentSize);
        now += at === 0 ? delay : 0.0006;
        const isClient = from === "client";
        const frame = isClient
          ? client_(tcpFlags.psh | tcpFlags.ack, part)
          : server_(tcpFlags.psh | tcpFlags.ack, part);
        this.#add(now, frame, isClient ? tag : undefined);
        if (isClient && this.#random.next() < resent) this.#add(now + 0.0003, Buffer.from(frame), tag);
        if (isClient) mine += part.length;
        else theirs += part.length;
      }
      now += delay;
      this.#add(
        now,
        from === "client" ? server_(tcpFlags.ack, none) : client_(tcpFlags.ack, none),
        undefined,
      );
    }
    this.#add(wait(), client_(tcpFlags.fin | tcpFlags.ack, none), tag);
    mine++;
    this.#add(wait(), server_(tcpFlags.fin | tcpFlags.ack, none), undefined);
    theirs++;
    this.#add(wait(), client_(tcpFlags.ack, none), tag);
    return now;
  }

  /** The file, and the packet numbers (from 1) of every tag. */
  finish(): { readonly file: Buffer; readonly numbers: ReadonlyMap<string, readonly number[]> } {
    const sorted = this.#packets.toSorted((one, other) => one.time - other.time);
    const header = Buffer.alloc(24);
    header.writeUInt32LE(0xa1b2c3d4, 0);
    header.writeUInt16LE(2, 4);
    header.writeUInt16LE(4, 6);
    header.writeUInt32LE(65535, 16);
    header.writeUInt32LE(1, 20);
    const parts: Buffer[] = [header];
    const numbers = new Map<string, number[]>();
    for (const [index, { time, frame, tag }] of sorted.entries()) {
      const record = Buffer.alloc(16);
      record.writeUInt32LE(Math.floor(time / 1e6), 0);
      record.writeUInt32LE(time % 1e6, 4);
      record.writeUInt32LE(frame.length, 8);
      record.writeUInt32LE(frame.length, 12);
      parts.push(record, frame);
      if (tag === undefined) continue;
      const list = numbers.get(tag) ?? [];
      list.push(index + 1);
      numbers.set(tag, list);
    }
    return { file: Buffer.concat(parts), numbers };
  }

  #tcp(ends: Endpoints, sequence: number, acknowledged: number, flags: number, data: Buffer): Buffer {
    return tcpPacket(ends, { sequence, acknowledged, flags, data }, this.#random.integer(1, 65535));
  }

  #add(time: number, frame: Buffer, tag: string | undefined): void {
    this.#packets.push({ time: Math.round(time * 1e6), frame, tag });
  }

  #port(): number {
    return this.#random.integer(32_768, 60_999);
  }
}
