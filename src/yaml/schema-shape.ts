import type { z } from "zod";

/** The internals of a schema that say what may stand at a place. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly element?: z.core.$ZodType;
  readonly innerType?: z.core.$ZodType;
  readonly keyType?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
  /** Of an enumeration: its words. */
  readonly entries?: Readonly<Record<string, string | number>>;
  readonly options?: readonly z.core.$ZodType[];
}

function definitionOf(schema: z.core.$ZodType): Definition {
  return schema._zod.def as unknown as Definition;
}

/** The schema inside defaults, optionals and the like, with the options of a union spread out. */
function unwrap(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const definition = definitionOf(schema);
  if (definition.innerType !== undefined) return unwrap(definition.innerType);
  if (definition.options !== undefined) return definition.options.flatMap(unwrap);
  return [schema];
}

function step(schema: z.core.$ZodType, key: PropertyKey): readonly z.core.$ZodType[] {
  return unwrap(schema).flatMap((inner) => {
    const { shape, element, valueType } = definitionOf(inner);
    if (shape !== undefined) return shape[String(key)] ?? [];
    return element ?? valueType ?? [];
  });
}

/** The keys a schema knows at a path, in the schema's order; empty where any key or none is allowed. */
export function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let places: readonly z.core.$ZodType[] = [schema];
  for (const key of path) places = places.flatMap((place) => step(place, key));
  const keys = places.flatMap(unwrap).flatMap((place) => {
    const { shape = {}, keyType } = definitionOf(place);
    const words = keyType === undefined ? {} : definitionOf(keyType).entries;
    return [...Object.keys(shape), ...Object.values(words ?? {}).map(String)];
  });
  return [...new Set(keys)];
}
