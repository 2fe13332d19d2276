import type { JsonValue } from "../../contract/json-value.ts";

/** Tokens and cost of one item, as far as it tells. */
export interface ItemUsage {
  /** `input` includes `cached`. */
  readonly tokens?: { readonly input: number; readonly cached: number; readonly output: number };
  readonly costUsd?: number;
}

/** One event, step or call, with where it stands in its file. */
export interface Item {
  /** In bytes from the start of the file: the whole item is asked for by it. */
  readonly offset: number;
  /** Absent where the bytes are not what they should be. */
  readonly value?: JsonValue;
  readonly problem?: string;
  /** Of an item that took a model. */
  readonly usage?: ItemUsage;
  /** Long texts were cut for the list; the item alone has them whole. */
  readonly clipped: boolean;
}

/** Consecutive items. Where a page ends depends on where it starts alone, so pages can be kept. */
export interface ItemPage {
  readonly items: readonly Item[];
  /** Offset of the next page, or of what may still be written. */
  readonly next: number;
  /** Nothing more is there now. */
  readonly done: boolean;
}

/** Where the pages of a file start. */
export interface ItemIndex {
  /** Items behind these that an export left out. */
  readonly leftOut?: number;
  readonly count: number;
  readonly pages: readonly {
    readonly offset: number;
    /** Number of its first item, from 0. */
    readonly first: number;
  }[];
}

/** Items that hold a text. */
export interface ItemSearch {
  readonly hits: readonly {
    /** Number of the item, from 0. */
    readonly item: number;
    readonly offset: number;
    readonly excerpt: string;
  }[];
  /** There are more hits than are listed. */
  readonly more: boolean;
}
