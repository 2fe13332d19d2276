/** A DNS query for an A or TXT record, and its answer. */
export function dnsMessages(
  id: number,
  name: string,
  type: "A" | "TXT",
  answer: string | undefined,
): { readonly query: Buffer; readonly response: Buffer } {
  const labels = name
    .split(".")
    .flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, "latin1")]);
  const question = Buffer.concat([...labels, Buffer.from([0, 0, type === "A" ? 1 : 16, 0, 1])]);
  const header = (flags: number, answers: number): Buffer => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt16BE(id, 0);
    bytes.writeUInt16BE(flags, 2);
    bytes.writeUInt16BE(1, 4);
    bytes.writeUInt16BE(answers, 6);
    return bytes;
  };
  const query = Buffer.concat([header(0x0100, 0), question]);
  if (answer === undefined) return { query, response: Buffer.concat([header(0x8183, 0), question]) };
  const data =
    type === "A"
      ? Buffer.from(answer.split(".").map(Number))
      : Buffer.concat([Buffer.from([answer.length]), Buffer.from(answer, "latin1")]);
  const record = Buffer.from([0xc0, 0x0c, 0, type === "A" ? 1 : 16, 0, 1, 0, 0, 0, 60, 0, data.length]);
  return { query, response: Buffer.concat([header(0x8180, 1), question, record, data]) };
}

/** A TLS 1.2 ClientHello record that names the server (RFC 5246, RFC 6066). */
export function clientHello(serverName: string, randomBytes: Buffer): Buffer {
  const name = Buffer.from(serverName, "latin1");
  const host = Buffer.concat([Buffer.from([0]), uint(name.length, 2), name]);
  const list = Buffer.concat([uint(host.length, 2), host]);
  const extension = Buffer.concat([uint(0, 2), uint(list.length, 2), list]);
  const suites = Buffer.from([0xc0, 0x2f, 0xc0, 0x30, 0xc0, 0x2b, 0x00, 0x9c]);
  const body = Buffer.concat([
    Buffer.from([3, 3]),
    randomBytes,
    Buffer.from([0]),
    uint(suites.length, 2),
    suites,
    Buffer.from([1, 0]),
    uint(extension.length, 2),
    extension,
  ]);
  const handshake = Buffer.concat([Buffer.from([1]), uint(body.length, 3), body]);
  return Buffer.concat([Buffer.from([22, 3, 1]), uint(handshake.length, 2), handshake]);
}

/** TLS application data records around a body of so many bytes. */
export function tlsRecords(body: Buffer): Buffer {
  const records: Buffer[] = [];
  for (let at = 0; at < body.length; at += 16_000) {
    const part = body.subarray(at, at + 16_000);
    records.push(Buffer.from([23, 3, 3]), uint(part.length, 2), part);
  }
  return Buffer.concat(records);
}

function uint(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}
