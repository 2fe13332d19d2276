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

const asterisk = "*";

/** The forms that a key may have in a text or in JSON, longest first; they are what {@link createKeyMask} looks for. */
export function keyForms(keys: readonly string[]): readonly string[] {
  const forms = keys
    .filter((key) => key.length >= shortestKey)
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
  const longest = wanted[0]?.byteLength ?? 0;
  let held: Buffer = Buffer.alloc(0);
  let found = 0;

  /** Where an end begins that may go on to a whole key; the length when there is none. */
  function heldFrom(bytes: Buffer): number {
    for (let at = Math.max(0, bytes.byteLength - longest + 1); at < bytes.byteLength; at++) {
      const end = bytes.subarray(at);
      if (
        wanted.some((key) => key.byteLength > end.byteLength && key.subarray(0, end.byteLength).equals(end))
      )
        return at;
    }
    return bytes.byteLength;
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
