import { AleError } from "../contract/ale-error.ts";
import type { Harness } from "../harness/harness.ts";
import { nearest } from "../yaml/nearest.ts";
import type { Harnesses } from "./create-harnesses.ts";

/** The harness of this name. Throws `unknown-harness` with the nearest one's name. */
export function chooseHarness({ byName }: Pick<Harnesses, "byName">, name: string): Harness {
  const harness = byName.get(name);
  if (harness !== undefined) return harness;
  const names = [...byName.keys()];
  const meant = nearest(name, names);
  throw new AleError({
    code: "unknown-harness",
    message: `there is no harness called ${name}`,
    remedy: meant === undefined ? `take one of: ${names.join(", ")}` : `did you mean ${meant}?`,
    fields: { harness: name },
  });
}
