/** What a score may depend on: one level per row. */
export interface Factor {
  /** Such as `harness`, `model`, `effort`, `workflow`. */
  readonly name: string;
  readonly levels: readonly string[];
}

/** Scores with the factors they are crossed by, all of one length. */
export interface CrossedDesign {
  readonly values: readonly number[];
  readonly factors: readonly Factor[];
  /** Name of the factor that stands for tasks, of which there must be enough. */
  readonly tasks: string;
}

/** Fewer tasks say too little of how tasks vary. */
const fewestTasks = 10;

/**
 * Why the design cannot carry variance components, or `undefined` when it can. Stricter than a fitting program: a number
 * that could be computed but not told from another is refused.
 */
export function designRefusal(design: CrossedDesign): string | undefined {
  const rows = design.values.length;
  for (const { name, levels } of design.factors) {
    if (levels.length !== rows)
      throw new RangeError(`${name} has ${levels.length} levels for ${rows} values`);
    const distinct = new Set(levels).size;
    if (distinct < 2) return `${name} has ${distinct} level: its variance cannot be seen`;
    if (name === design.tasks && distinct < fewestTasks) {
      return `${distinct} ${name} levels are too few: at least ${fewestTasks} are needed`;
    }
  }
  if (!design.factors.some((factor) => factor.name === design.tasks)) {
    throw new RangeError(`${design.tasks} is none of the factors`);
  }
  const [first] = design.values;
  if (design.values.every((value) => value === first))
    return "all values are equal: there is no variance to split";

  for (const [index, one] of design.factors.entries()) {
    for (const other of design.factors.slice(index + 1)) {
      const reason = confounding(one, other);
      if (reason !== undefined) return reason;
    }
  }
  const cells = new Set(
    design.values.map((_, row) => design.factors.map((factor) => factor.levels[row]).join("\n")),
  );
  if (cells.size === rows) {
    return "one row per cell: what repeats differ by cannot be told from what the factors do together";
  }
  return undefined;
}

function confounding(one: Factor, other: Factor): string | undefined {
  const forth = partners(one, other);
  const back = partners(other, one);
  const nested = (map: ReadonlyMap<string, ReadonlySet<string>>): boolean =>
    [...map.values()].every((set) => set.size === 1);
  if (nested(forth))
    return `${one.name} is confounded with ${other.name}: no ${one.name} meets two of ${other.name}`;
  if (nested(back))
    return `${other.name} is confounded with ${one.name}: no ${other.name} meets two of ${one.name}`;
  if (!connected(forth, back)) {
    return `${one.name} and ${other.name} fall into groups that never meet, so that their effects cannot be compared`;
  }
  return undefined;
}

function partners(from: Factor, to: Factor): ReadonlyMap<string, ReadonlySet<string>> {
  const map = new Map<string, Set<string>>();
  from.levels.forEach((level, row) => {
    const set = map.get(level) ?? new Set<string>();
    set.add(to.levels[row] as string);
    map.set(level, set);
  });
  return map;
}

/** Whether every level can be reached from any other by pairs that occur. */
function connected(
  forth: ReadonlyMap<string, ReadonlySet<string>>,
  back: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const [start] = forth.keys();
  const seen = new Set(start === undefined ? [] : [start]);
  for (const level of seen) {
    for (const partner of forth.get(level) ?? []) {
      for (const next of back.get(partner) ?? []) seen.add(next);
    }
  }
  return seen.size === forth.size;
}
