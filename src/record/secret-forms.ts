import { shortestSecret } from "./redactor.ts";

/**
 * The byte sequences a secret may hide in: as it is, percent-encoded, inside a JSON string, in UTF-16, in hexadecimal,
 * and in base64 at each of the three alignments (without the characters that depend on the neighbours).
 * Empty for values under {@link shortestSecret} characters.
 */
export function secretForms(value: string): readonly Buffer[] {
  if (value.length < shortestSecret) return [];
  const raw = Buffer.from(value, "utf8");
  const texts = new Set([
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
    raw.toString("hex"),
  ]);
  for (let shift = 0; shift < 3; shift++) {
    const encoded = Buffer.concat([Buffer.alloc(shift), raw])
      .toString("base64")
      .replace(/=+$/, "");
    const first = Math.ceil((shift * 8) / 6);
    const end = Math.floor(((shift + raw.length) * 8) / 6);
    const core = encoded.slice(first, end);
    texts.add(core);
    texts.add(core.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return [...[...texts].map((text) => Buffer.from(text, "utf8")), Buffer.from(value, "utf16le")];
}
