/**
 * A message between this host and a container's first process, the steward (`data/container/steward`): length, type,
 * channel, payload. From the host: `X` starts a command, `F` asks of files, `I` and `E` are input and its end, `W` room
 * for output, `T` and `K` end a command, `Q` everything; `L` listens on a port, `D` lets go of it or of a connection. To the
 * host: `B` begun, `O` output, `A` input taken, `Z` the end of a command, a port or a connection, `R` and
 * `r` an answer and a refusal; `C` a connection, by the channel it has, `N` that nothing more comes from it.
 */
export interface Frame {
  readonly type: string;
  readonly channel: number;
  readonly payload: Buffer;
}

const headBytes = 9;

/** The frame as bytes. */
export function encodeFrame(type: string, channel: number, payload: Uint8Array | string = ""): Buffer {
  const body = typeof payload === "string" ? Buffer.from(payload) : payload;
  const frame = Buffer.allocUnsafe(headBytes + body.length);
  frame.writeUInt32BE(body.length, 0);
  frame.write(type, 4, "latin1");
  frame.writeUInt32BE(channel, 5);
  frame.set(body, headBytes);
  return frame;
}

/** Fields of a payload, each with its length before it. */
export function encodeList(fields: readonly (Uint8Array | string | number)[]): Buffer {
  return Buffer.concat(
    fields.flatMap((field) => {
      const bytes = typeof field === "object" ? field : Buffer.from(String(field));
      const length = Buffer.allocUnsafe(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}

/** The reverse of {@link encodeList}. */
export function decodeList(payload: Buffer): readonly Buffer[] {
  const fields: Buffer[] = [];
  for (let at = 0; at < payload.length; ) {
    const length = payload.readUInt32BE(at);
    fields.push(payload.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return fields;
}

/** Puts frames together from pieces of any size. */
export class FrameReader {
  #pieces: Buffer[] = [];
  #bytes = 0;

  /** The frames that are whole with this piece. */
  push(piece: Buffer): readonly Frame[] {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    const frames: Frame[] = [];
    for (let wanted = this.#wanted(); wanted <= this.#bytes; wanted = this.#wanted()) {
      const all = this.#joined();
      frames.push({
        type: all.toString("latin1", 4, 5),
        channel: all.readUInt32BE(5),
        payload: all.subarray(headBytes, wanted),
      });
      this.#pieces = [all.subarray(wanted)];
      this.#bytes -= wanted;
    }
    return frames;
  }

  /** Bytes of the frame that comes next, or of its head while that is not there. */
  #wanted(): number {
    if (this.#bytes < headBytes) return headBytes;
    if ((this.#pieces[0]?.length ?? 0) < headBytes) this.#joined();
    return headBytes + (this.#pieces[0] as Buffer).readUInt32BE(0);
  }

  #joined(): Buffer {
    const [first = Buffer.alloc(0)] = this.#pieces;
    const all = this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces);
    this.#pieces = [all];
    return all;
  }
}
