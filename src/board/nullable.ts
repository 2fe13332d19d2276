import type { Maybe } from "../contract/absence.ts";

/** A number for JSON: under its name, or `null` there and the reason under `<name>Reason`. */
export type Nullable<K extends string> = { readonly [P in K]: number | null } & {
  readonly [P in `${K}Reason`]?: string;
};

/** Spread into an object literal: `{ ...nullable("costUsd", cost) }`. */
export function nullable<K extends string>(name: K, maybe: Maybe<number>): Nullable<K> {
  const entry = maybe.known ? { [name]: maybe.value } : { [name]: null, [`${name}Reason`]: maybe.reason };
  return entry as Nullable<K>;
}
