import { AleError } from "../../contract/ale-error.ts";

/** Tests one code point, given as a string. */
export type CharacterTest = (character: string) => boolean;

export type PatternAnchor = "start" | "end" | "boundary" | "no-boundary";

/** One state of a nondeterministic automaton; `next` and `other` are state numbers. */
export type PatternState =
  | { readonly kind: "character"; readonly test: CharacterTest; next: number }
  | { readonly kind: "anchor"; readonly anchor: PatternAnchor; next: number }
  | { readonly kind: "fork"; next: number; other: number }
  | { readonly kind: "match" };

export interface CompiledPattern {
  readonly states: readonly PatternState[];
  readonly start: number;
  /** `^` and `$` also hold at line ends. */
  readonly multiline: boolean;
}

const maxStates = 2000;

/** A piece of automaton: where it starts, and the open ends to be joined to what follows. */
interface Fragment {
  readonly start: number;
  readonly ends: readonly ((target: number) => void)[];
}

/**
 * Translates a regular expression into an automaton (Thompson, 1968), which runs in linear time. Understood:
 * literals, `.`, classes, the escapes `\d \D \w \W \s \S \p{…} \P{…} \n \r \t \f \v \uXXXX \u{…} \xXX`, `^ $ \b \B`,
 * groups, `|`, and `* + ? {n} {n,} {n,m}` (lazy forms too), with the flags `i m s u`; always by code points.
 *
 * Throws an `AleError` coded `pattern-unsupported` for the rest: lookaround, back references, other flags,
 * and expressions of more than 2000 states.
 */
export function compilePattern(pattern: RegExp): CompiledPattern {
  return new PatternCompiler(pattern).compile();
}

class PatternCompiler {
  readonly #source: string;
  readonly #pattern: RegExp;
  readonly #states: PatternState[] = [];
  #at = 0;

  constructor(pattern: RegExp) {
    this.#pattern = pattern;
    this.#source = pattern.source;
    if (/[^imsu]/.test(pattern.flags)) throw this.#unsupported(`the flags "${pattern.flags}"`);
  }

  compile(): CompiledPattern {
    const whole = this.#alternatives();
    if (this.#at < this.#source.length)
      throw this.#unsupported(`"${this.#source.slice(this.#at, this.#at + 5)}"`);
    const match = this.#add({ kind: "match" });
    for (const join of whole.ends) join(match);
    return { states: this.#states, start: whole.start, multiline: this.#pattern.multiline };
  }

  #alternatives(): Fragment {
    let result = this.#sequence();
    while (this.#take("|")) {
      const other = this.#sequence();
      const fork = this.#add({ kind: "fork", next: result.start, other: other.start });
      result = { start: fork, ends: [...result.ends, ...other.ends] };
    }
    return result;
  }

  #sequence(): Fragment {
    let result: Fragment | undefined;
    while (this.#at < this.#source.length && !"|)".includes(this.#peek())) {
      const next = this.#quantified();
      if (result === undefined) result = next;
      else {
        for (const join of result.ends) join(next.start);
        result = { start: result.start, ends: next.ends };
      }
    }
    return result ?? this.#nothing();
  }

  #quantified(): Fragment {
    const from = this.#at;
    const first = this.#atom();
    const after = this.#at;
    const count = this.#quantifier();
    if (count === undefined) return first;
    const end = this.#at;
    /** Each copy is read from the source again; the first is there already. */
    const copy = (index: number): Fragment => {
      if (index === 0) return first;
      this.#at = from;
      const fragment = this.#atom();
      if (this.#at !== after) throw this.#unsupported("this repetition");
      return fragment;
    };
    const result = this.#repeat(copy, count.low, count.high);
    this.#at = end;
    return result;
  }

  #repeat(copy: (index: number) => Fragment, low: number, high: number): Fragment {
    const parts: Fragment[] = [];
    const exits: ((target: number) => void)[] = [];
    for (let index = 0; index < low; index++) parts.push(copy(index));
    if (high === Number.POSITIVE_INFINITY) {
      const body = copy(low);
      const fork: PatternState = { kind: "fork", next: body.start, other: -1 };
      const start = this.#add(fork);
      for (const join of body.ends) join(start);
      parts.push({ start, ends: [] });
      exits.push((target) => {
        fork.other = target;
      });
    } else {
      for (let index = low; index < high; index++) {
        const body = copy(index);
        const fork: PatternState = { kind: "fork", next: body.start, other: -1 };
        parts.push({ start: this.#add(fork), ends: body.ends });
        exits.push((target) => {
          fork.other = target;
        });
      }
    }
    const head = parts[0];
    if (head === undefined) return this.#nothing();
    for (const [index, part] of parts.entries()) {
      const following = parts[index + 1];
      if (following !== undefined) for (const join of part.ends) join(following.start);
    }
    return { start: head.start, ends: [...(parts.at(-1)?.ends ?? []), ...exits] };
  }

  #quantifier(): { readonly low: number; readonly high: number } | undefined {
    const match = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at));
    if (match === null) return undefined;
    this.#at += match[0].length;
    const [, sign, low, comma, high] = match;
    if (sign !== undefined)
      return { low: sign === "+" ? 1 : 0, high: sign === "?" ? 1 : Number.POSITIVE_INFINITY };
    const least = Number(low);
    if (comma === "") return { low: least, high: least };
    return { low: least, high: high === "" ? Number.POSITIVE_INFINITY : Number(high) };
  }

  #atom(): Fragment {
    if (this.#take("(")) {
      if (this.#take("?:") || !this.#source.startsWith("?", this.#at)) {
        const inner = this.#alternatives();
        if (!this.#take(")")) throw this.#unsupported("an open group");
        return inner;
      }
      const name = /^\?<[\p{L}_][\p{L}\p{N}_]*>/u.exec(this.#source.slice(this.#at));
      if (name === null) throw this.#unsupported("lookaround");
      this.#at += name[0].length;
      const inner = this.#alternatives();
      if (!this.#take(")")) throw this.#unsupported("an open group");
      return inner;
    }
    if (this.#take("^")) return this.#anchor("start");
    if (this.#take("$")) return this.#anchor("end");
    if (this.#take("\\b")) return this.#anchor("boundary");
    if (this.#take("\\B")) return this.#anchor("no-boundary");
    return this.#character();
  }

  #character(): Fragment {
    const rest = this.#source.slice(this.#at);
    const token =
      /^\[(?:\\.|[^\]\\])*\]/su.exec(rest) ??
      /^\\(?:[pP]\{[^}]*\}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[dDwWsSnrtfv]|[^\p{L}\p{N}])/u.exec(
        rest,
      ) ??
      /^[^\\*+?{}()[\]|^$]/su.exec(rest);
    if (token === null) throw this.#unsupported(`"${rest.slice(0, 5)}"`);
    this.#at += token[0].length;
    const state: PatternState = { kind: "character", test: this.#test(token[0]), next: -1 };
    return this.#open(this.#add(state), (target) => {
      state.next = target;
    });
  }

  /** Asks the built-in engine about one code point at a time, which is always cheap. */
  #test(token: string): CharacterTest {
    const flags = `${this.#pattern.ignoreCase ? "i" : ""}${this.#pattern.dotAll ? "s" : ""}`;
    // An escaped sign that the strict mode would not let stand, such as \- or \", is the sign itself.
    const strict = token.replace(/\\(["'#%&,:;<=>@`~!_ -])/gu, (whole, sign: string) =>
      token.startsWith("[") ? (sign === "-" ? whole : sign) : sign,
    );
    let single: RegExp;
    try {
      single = new RegExp(`^${strict}$`, `u${flags}`);
    } catch {
      throw this.#unsupported(`"${token}"`);
    }
    const known = new Map<string, boolean>();
    return (character) => {
      let answer = known.get(character);
      if (answer === undefined) {
        answer = single.test(character);
        if (known.size < 4096) known.set(character, answer);
      }
      return answer;
    };
  }

  #anchor(anchor: PatternAnchor): Fragment {
    const state: PatternState = { kind: "anchor", anchor, next: -1 };
    return this.#open(this.#add(state), (target) => {
      state.next = target;
    });
  }

  #nothing(): Fragment {
    const state: PatternState = { kind: "fork", next: -1, other: -1 };
    return this.#open(this.#add(state), (target) => {
      state.next = target;
      state.other = target;
    });
  }

  #open(start: number, end: (target: number) => void): Fragment {
    return { start, ends: [end] };
  }

  #add(state: PatternState): number {
    if (this.#states.length >= maxStates) throw this.#unsupported("so large an expression");
    return this.#states.push(state) - 1;
  }

  #peek(): string {
    return this.#source[this.#at] ?? "";
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #unsupported(what: string): AleError {
    return new AleError({
      code: "pattern-unsupported",
      message: `The pattern ${this.#pattern} uses ${what}, which cannot be matched in linear time here.`,
      remedy: "Write it with literals, classes, groups, |, *, +, ?, {n,m}, ^, $ and \\b.",
      fields: { pattern: this.#pattern.source },
    });
  }
}
