/** What the first bytes of a connection say about the server that is wanted. */
export type ServerName =
  | { readonly kind: "name"; readonly name: string }
  /** The greeting is not complete yet. */
  | { readonly kind: "more" }
  /** A greeting without a name. */
  | { readonly kind: "none" }
  | { readonly kind: "not-tls" };

const handshakeRecord = 22;
const clientHello = 1;
const serverNameExtension = 0;
const recordHead = 5;
/** No client greets at such length. */
const longestHello = 64 * 1024;

/** Reads the server name indication of a TLS client's greeting (RFC 8446, 4.1.2; RFC 6066, 3). */
export function readServerName(bytes: Uint8Array): ServerName {
  if (bytes.length > 0 && bytes[0] !== handshakeRecord) return { kind: "not-tls" };
  const hello = joinRecords(bytes);
  if (hello === undefined) return { kind: "not-tls" };
  if (hello.length < 4) return { kind: "more" };
  if (hello[0] !== clientHello) return { kind: "not-tls" };
  const length = hello.readUIntBE(1, 3);
  if (length > longestHello) return { kind: "not-tls" };
  if (hello.length < 4 + length) return { kind: "more" };
  return findName(hello.subarray(4, 4 + length));
}

/** The handshake's bytes so far; a greeting may stretch over several records, none of them empty (RFC 8446, 5.1). */
function joinRecords(bytes: Uint8Array): Buffer | undefined {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Buffer[] = [];
  for (let at = 0; at + recordHead <= all.length; ) {
    const length = all.readUInt16BE(at + 3);
    if (all[at] !== handshakeRecord || length === 0) return undefined;
    const end = at + recordHead + length;
    parts.push(all.subarray(at + recordHead, end));
    at = end;
  }
  return Buffer.concat(parts);
}

function findName(hello: Buffer): ServerName {
  try {
    let at = 2 + 32;
    at += 1 + hello.readUInt8(at);
    at += 2 + hello.readUInt16BE(at);
    at += 1 + hello.readUInt8(at);
    if (at === hello.length) return { kind: "none" };
    const end = at + 2 + hello.readUInt16BE(at);
    at += 2;
    while (at < end) {
      const type = hello.readUInt16BE(at);
      const length = hello.readUInt16BE(at + 2);
      // A list of names, of which only the first, a host name, was ever defined.
      if (type === serverNameExtension) {
        const size = hello.readUInt16BE(at + 4 + 3);
        return { kind: "name", name: hello.toString("latin1", at + 9, at + 9 + size) };
      }
      at += 4 + length;
    }
    return { kind: "none" };
  } catch (error) {
    if (error instanceof RangeError) return { kind: "not-tls" };
    throw error;
  }
}
