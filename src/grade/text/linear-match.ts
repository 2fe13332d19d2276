import { type CompiledPattern, compilePattern, type PatternAnchor } from "./compile-pattern.ts";

/**
 * Whether the pattern occurs in the text, in time linear in the text's length (times the pattern's states),
 * whatever text an agent wrote: the built-in engine backtracks, and can be made to hang. Same answer as
 * `pattern.test(text)` with the `u` flag, for the expressions that `compilePattern` understands; others throw.
 */
export function linearMatch(pattern: RegExp, text: string): boolean {
  const compiled = compilePattern(pattern);
  let current = new StateSet(compiled.states.length);
  let following = new StateSet(compiled.states.length);
  let before = "";
  let at = 0;
  for (;;) {
    const code = text.codePointAt(at);
    const character = code === undefined ? "" : String.fromCodePoint(code);
    // A match may start anywhere.
    current.add(compiled.start);
    if (advance(compiled, current, following, before, character)) return true;
    if (character === "") return false;
    [current, following] = [following, current];
    following.clear();
    before = character;
    at += character.length;
  }
}

/** Follows every state that can be reached here, then one character; true when a match is among them. */
function advance(
  { states, multiline }: CompiledPattern,
  current: StateSet,
  following: StateSet,
  before: string,
  character: string,
): boolean {
  // The list grows while it is walked: states reached without a character are added to its end.
  for (let index = 0; index < current.size; index++) {
    const state = states[current.at(index)];
    if (state === undefined) continue;
    if (state.kind === "match") return true;
    if (state.kind === "fork") {
      current.add(state.next);
      current.add(state.other);
    } else if (state.kind === "anchor") {
      if (holds(state.anchor, multiline, before, character)) current.add(state.next);
    } else if (character !== "" && state.test(character)) following.add(state.next);
  }
  return false;
}

function holds(anchor: PatternAnchor, multiline: boolean, before: string, after: string): boolean {
  switch (anchor) {
    case "start":
      return before === "" || (multiline && isLineEnd(before));
    case "end":
      return after === "" || (multiline && isLineEnd(after));
    case "boundary":
      return isWord(before) !== isWord(after);
    case "no-boundary":
      return isWord(before) === isWord(after);
  }
}

function isLineEnd(character: string): boolean {
  return character === "\n" || character === "\r" || character === "\u2028" || character === "\u2029";
}

function isWord(character: string): boolean {
  return /^\w$/.test(character);
}

/** Insertion-ordered set of small whole numbers, cleared in constant time (Briggs and Torczon, 1993). */
class StateSet {
  readonly #dense: Int32Array;
  readonly #sparse: Int32Array;
  size = 0;

  constructor(capacity: number) {
    this.#dense = new Int32Array(capacity);
    this.#sparse = new Int32Array(capacity);
  }

  at(index: number): number {
    return this.#dense[index] ?? -1;
  }

  add(value: number): void {
    const place = this.#sparse[value] ?? 0;
    if (place < this.size && this.#dense[place] === value) return;
    this.#dense[this.size] = value;
    this.#sparse[value] = this.size++;
  }

  clear(): void {
    this.size = 0;
  }
}
