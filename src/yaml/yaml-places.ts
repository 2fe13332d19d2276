import { type Document, isMap, isNode, isPair, isScalar, isSeq, type LineCounter, type Node } from "yaml";

/** A place in a file, as findings carry it. */
export interface Place {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;
}

/** Finds where the parts of a YAML document stand. */
export class YamlPlaces {
  readonly #path: string;
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter;

  constructor(path: string, document: Document.Parsed, lines: LineCounter) {
    this.#path = path;
    this.#document = document;
    this.#lines = lines;
  }

  /** Where the value at a path stands; for a part that is not there, the nearest part around it. */
  find(path: readonly PropertyKey[]): Place {
    const { node, keyNode } = this.#walk(path);
    // A map begins at its first key; the key that holds it is what the reader looks for.
    const shown = isScalar(node) || keyNode === undefined ? node : keyNode;
    return this.#placeOf(shown ?? keyNode);
  }

  /** Where a key of the map at a path stands. */
  findKey(path: readonly PropertyKey[], key: string): Place {
    const { node } = this.#walk(path);
    return this.#placeOf(keyNodeOf(node, key)) ?? this.find(path);
  }

  /** The value at a path as it is written, when it is a plain word, number or text. */
  written(path: readonly PropertyKey[]): string | undefined {
    const { node, whole } = this.#walk(path);
    return whole && isScalar(node) && typeof node.source === "string" ? node.source : undefined;
  }

  #walk(path: readonly PropertyKey[]): {
    readonly node: Node | undefined;
    readonly keyNode: Node | undefined;
    readonly whole: boolean;
  } {
    let node: Node | undefined = this.#document.contents ?? undefined;
    let keyNode: Node | undefined;
    for (const part of path) {
      if (isMap(node)) {
        const next = node.get(part, true);
        const key = keyNodeOf(node, String(part));
        if (key === undefined)
          return { node: keyNode === undefined ? node : undefined, keyNode, whole: false };
        keyNode = key;
        node = isNode(next) ? next : undefined;
      } else if (isSeq(node)) {
        const next = node.get(part, true);
        if (!isNode(next)) return { node, keyNode, whole: false };
        node = next;
        keyNode = undefined;
      } else {
        return { node, keyNode, whole: false };
      }
    }
    return { node, keyNode, whole: true };
  }

  #placeOf(node: Node | undefined): Place {
    const offset = node?.range?.[0] ?? 0;
    const { line, col } = this.#lines.linePos(offset);
    return { path: this.#path, line: Math.max(1, line), column: Math.max(1, col) };
  }
}

function keyNodeOf(node: Node | undefined, key: string): Node | undefined {
  if (!isMap(node)) return undefined;
  const pair = node.items.find(
    (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === key,
  );
  return isNode(pair?.key) ? pair.key : undefined;
}
