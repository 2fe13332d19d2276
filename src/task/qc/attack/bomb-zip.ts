import { crc32, deflateRawSync } from "node:zlib";

const entryBytes = 8 * 1024 * 1024;
const names: readonly string[] = [
  "[Content_Types].xml",
  "_rels/.rels",
  "xl/workbook.xml",
  "xl/sharedStrings.xml",
  "word/document.xml",
  "content.xml",
  ...Array.from({ length: 1018 }, (_, index) => `xl/worksheets/sheet${index + 1}.xml`),
];

/** A ZIP of some megabytes that unpacks to 8 GiB of spaces, with the part names of office files. */
export function bombZip(): Uint8Array {
  const plain = Buffer.alloc(entryBytes, " ");
  const packed = deflateRawSync(plain, { level: 9 });
  const facts = { crc: crc32(plain), packed: packed.length };
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const name of names) {
    const local = Buffer.concat([header(0x04034b50, facts, name), packed]);
    locals.push(local);
    directory.push(header(0x02014b50, facts, name, offset));
    offset += local.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, listing, end]);
}

/** A local header, or with an offset a central one (APPNOTE 4.3.7 and 4.3.12). */
function header(
  mark: number,
  facts: { readonly crc: number; readonly packed: number },
  name: string,
  offset?: number,
): Buffer {
  const text = Buffer.from(name);
  const central = offset !== undefined;
  const fixed = Buffer.alloc(central ? 46 : 30);
  const shift = central ? 2 : 0;
  fixed.writeUInt32LE(mark, 0);
  fixed.writeUInt16LE(20, 4);
  if (central) fixed.writeUInt16LE(20, 6);
  fixed.writeUInt16LE(8, 8 + shift);
  fixed.writeUInt16LE(0x21, 12 + shift);
  fixed.writeUInt32LE(facts.crc, 14 + shift);
  fixed.writeUInt32LE(facts.packed, 18 + shift);
  fixed.writeUInt32LE(entryBytes, 22 + shift);
  fixed.writeUInt16LE(text.length, 26 + shift);
  if (central) fixed.writeUInt32LE(offset, 42);
  return Buffer.concat([fixed, text]);
}
