import { known, type Maybe, unknown } from "../contract/absence.ts";
import { cholesky, forwardSolve } from "./cholesky.ts";
import { expectation, type Item, logPass, nodes, type ResponseTally } from "./item-response-model.ts";

/** Standard errors of one task's estimates. */
export type ItemErrors = (task: string) => {
  readonly difficulty: Maybe<number>;
  readonly discrimination: Maybe<number>;
};

/** The information matrix grows with the square of the tasks, and its cost with the cube. */
const mostTasks = 100;
const step = 1e-5;

/**
 * Standard errors from the observed information: the gradient of the marginal log-likelihood, which Fisher's identity
 * gives exactly, differentiated numerically (Louis, J. R. Stat. Soc. B 44, 1982); the difficulty's by the delta method.
 */
export function itemErrors(tallies: readonly ResponseTally[], items: ReadonlyMap<string, Item>): ItemErrors {
  const tasks = [...items.keys()];
  const refuse =
    (reason: string): ItemErrors =>
    () => ({
      difficulty: unknown(reason),
      discrimination: unknown(reason),
    });
  if (tasks.length > mostTasks) return refuse(`more than ${mostTasks} tasks: errors are not computed`);
  const size = 2 * tasks.length;
  const byContestant = Map.groupBy(tallies, (tally) => tally.contestant);
  const at = (parameters: Float64Array): Float64Array => gradient(byContestant, tasks, parameters);
  const estimate = Float64Array.from(
    tasks.flatMap((task) => [items.get(task)?.slope ?? 0, items.get(task)?.intercept ?? 0]),
  );
  const information = new Float64Array(size * size);
  for (let column = 0; column < size; column++) {
    const [above, below] = [estimate.slice(), estimate.slice()];
    above[column] = (above[column] as number) + step;
    below[column] = (below[column] as number) - step;
    const [high, low] = [at(above), at(below)];
    for (let row = 0; row < size; row++) {
      information[row * size + column] = ((low[row] as number) - (high[row] as number)) / (2 * step);
    }
  }
  const factor = cholesky(symmetric(information, size), size);
  if (factor === undefined) return refuse("the likelihood is flat: too few responses for errors");
  const errorOf = (direction: Float64Array): Maybe<number> =>
    known(Math.sqrt(forwardSolve(factor, direction).reduce((sum, value) => sum + value * value, 0)));
  return (task) => {
    const place = 2 * tasks.indexOf(task);
    const [slope, intercept] = [estimate[place] as number, estimate[place + 1] as number];
    const along = new Float64Array(size);
    along[place] = 1;
    const difficulty = new Float64Array(size);
    difficulty[place] = intercept / slope ** 2;
    difficulty[place + 1] = -1 / slope;
    return { discrimination: errorOf(along), difficulty: errorOf(difficulty) };
  };
}

/** Of the marginal log-likelihood: slope and intercept of each task in turn. */
function gradient(
  byContestant: ReadonlyMap<string, readonly ResponseTally[]>,
  tasks: readonly string[],
  parameters: Float64Array,
): Float64Array {
  const items = new Map(
    tasks.map((task, index): [string, Item] => [
      task,
      { slope: parameters[2 * index] as number, intercept: parameters[2 * index + 1] as number },
    ]),
  );
  const position = new Map(tasks.map((task, index) => [task, 2 * index]));
  const chances = new Map(
    [...items].map(([task, item]) => [task, nodes.map((ability) => Math.exp(logPass(item, ability)[0]))]),
  );
  const { posteriors } = expectation(byContestant, items);
  const result = new Float64Array(parameters.length);
  for (const [contestant, own] of byContestant) {
    const posterior = posteriors.get(contestant) ?? [];
    for (const { task, passes, runs } of own) {
      const place = position.get(task) ?? 0;
      const chance = chances.get(task) ?? [];
      posterior.forEach((share, node) => {
        const rest = share * (passes - runs * (chance[node] as number));
        result[place] = (result[place] as number) + rest * (nodes[node] as number);
        result[place + 1] = (result[place + 1] as number) + rest;
      });
    }
  }
  return result;
}

function symmetric(matrix: Float64Array, size: number): Float64Array {
  return matrix.map((value, index) => {
    const [row, column] = [Math.floor(index / size), index % size];
    return (value + (matrix[column * size + row] as number)) / 2;
  });
}
