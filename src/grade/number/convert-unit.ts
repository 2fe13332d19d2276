import { z } from "zod";
import table from "./units.json" with { type: "json" };

const scalar = z.union([z.number(), z.tuple([z.number(), z.number()])]);
const unitSchema = z.union([scalar, z.strictObject({ factor: scalar, offset: scalar })]);

interface Unit {
  readonly dimension: string;
  readonly factor: number;
  /** In the dimension's base unit, added after the factor. */
  readonly offset: number;
}

const units: ReadonlyMap<string, Unit> = readTable();

function readTable(): Map<string, Unit> {
  const result = new Map<string, Unit>();
  for (const [dimension, members] of Object.entries(table)) {
    for (const [name, entry] of Object.entries(members)) {
      const unit = unitSchema.parse(entry);
      const parts = typeof unit === "number" || Array.isArray(unit) ? { factor: unit, offset: 0 } : unit;
      result.set(name, { dimension, factor: quotient(parts.factor), offset: quotient(parts.offset) });
    }
  }
  return result;
}

function quotient(value: number | readonly [number, number]): number {
  return typeof value === "number" ? value : value[0] / value[1];
}

/** Whether `unit` is in the table of `units.json`. The empty unit is that of a plain number. */
export function isKnownUnit(unit: string): boolean {
  return units.has(canonicalUnit(unit));
}

/**
 * A value in another unit of the same dimension, or `undefined` when either unit is unknown or they measure
 * different things. Units are case-sensitive, as in the SI: `MW` is not `mW`.
 */
export function convertUnit(value: number, from: string, to: string): number | undefined {
  if (canonicalUnit(from) === canonicalUnit(to)) return value;
  const source = units.get(canonicalUnit(from));
  const target = units.get(canonicalUnit(to));
  if (source === undefined || target === undefined || source.dimension !== target.dimension) return undefined;
  return (value * source.factor + source.offset - target.offset) / target.factor;
}

function canonicalUnit(unit: string): string {
  if (unit === "") return "1";
  // Greek mu is how many keyboards write micro.
  return unit.replace("\u03bc", "\u00b5");
}
