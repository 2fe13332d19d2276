import { crc32, deflateSync } from "node:zlib";

/** Writes a PNG of 8 bits a channel, RGB or RGBA, row by row. */
export function writePng(width: number, height: number, pixels: Uint8Array): Uint8Array {
  const channels = pixels.length / (width * height);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, channels === 4 ? 6 : 2], 8);
  const stride = width * channels;
  // Every row is led by its filter: 0, none.
  const rows = Buffer.alloc(height * (stride + 1));
  for (let row = 0; row < height; row++)
    rows.set(pixels.subarray(row * stride, (row + 1) * stride), row * (stride + 1) + 1);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, content: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(name), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
