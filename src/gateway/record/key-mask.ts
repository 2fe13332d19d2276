/** Overwrites keys in a stream of bytes; every length stays as it was. */
export interface KeyMask {
  /** The bytes that can be passed on: all, but for an end that may be the beginning of a key. */
  push(chunk: Buffer): Buffer;
  /** What was held back. */
  end(): Buffer;
  /** Keys overwritten so far. */
  readonly found: number;
}

/** Shorter ones stand for no key, and for too much else: `none`, `ollama`. */
const shortestKey = 8;

/** What servers without keys are given instead: `lm-studio`, `not-needed`. Answers have such words, in code as in text. */
const plainWords = /^(?=.{0,19}$)[a-z]+(?:[-_. ][a-z]+)*$/i;

const asterisk = "*";

/** The forms that a key may have in a text or in JSON, longest first; they are what {@link createKeyMask} looks for. */
export function keyForms(keys: readonly string[]): readonly string[] {
  const forms = keys
    .filter((key) => key.length >= shortestKey && !plainWords.test(key))
    .flatMap((key) => {
      const quoted = JSON.stringify(key).slice(1, -1);
      return [key, quoted, quoted.replaceAll("/", "\\/"), encodeURIComponent(key)];
    });
  return [...new Set(forms)].sort((first, second) => second.length - first.length);
}

/** The text with every key in it overwritten by as many asterisks. */
export function maskKeys(text: string, forms: readonly string[]): string {
  return forms.reduce((masked, form) => masked.replaceAll(form, asterisk.repeat(form.length)), text);
}

/** @param forms by {@link keyForms}; keys are found also where they lie across two pieces. */
export function createKeyMask(forms: readonly string[]): KeyMask {
  const wanted = forms.map((form) => Buffer.from(form));
  const longest = Math.max(0, ...wanted.map((form) => form.byteLength));
  const firsts: ReadonlySet<number | undefined> = new Set(wanted.map((form) => form[0]));
  let held: Buffer = Buffer.alloc(0);
  let found = 0;

  /** Where an end begins that may go on to a whole key; the length when there is none. */
  function heldFrom(bytes: Buffer): number {
    const { byteLength: length } = bytes;
    for (let at = Math.max(0, length - longest + 1); at < length; at++) {
      // Nearly every byte begins no key.
      if (!firsts.has(bytes[at])) continue;
      const begins = (key: Buffer): boolean =>
        key.byteLength > length - at && key.compare(bytes, at, length, 0, length - at) === 0;
      if (wanted.some(begins)) return at;
    }
    return length;
  }

  function masked(bytes: Buffer, until: number): Buffer {
    let result = bytes;
    for (const key of wanted) {
      for (
        let at = result.indexOf(key);
        at >= 0 && at < until;
        at = result.indexOf(key, at + key.byteLength)
      ) {
        // The pieces belong to whoever read them.
        if (result === bytes) result = Buffer.from(bytes);
        result.fill(asterisk, at, at + key.byteLength);
        found++;
      }
    }
    return result;
  }

  return {
    push(chunk) {
      if (longest === 0) return chunk;
      const bytes = held.byteLength === 0 ? chunk : Buffer.concat([held, chunk]);
      const until = heldFrom(bytes);
      const clean = masked(bytes, until);
      held = clean.subarray(until);
      return clean.subarray(0, until);
    },
    end() {
      const rest = masked(held, held.byteLength);
      held = Buffer.alloc(0);
      return rest;
    },
    get found() {
      return found;
    },
  };
}
