import { AleError } from "../../contract/ale-error.ts";
import { chosenProviders } from "../bench/chosen-providers.ts";
import type { ConductOptions } from "./conduct-options.ts";

/**
 * A run that is resumed goes on with the machines it began with, also where they are chosen anew. Rejects with
 * `provider-changed` when another provider would now be taken for a task.
 */
export async function requireSameProviders({ run, bench, tasks }: ConductOptions): Promise<void> {
  if (bench.provider.chosenFor === undefined) return;
  const chosen = await chosenProviders(bench, run.plan, tasks);
  for (const { instance, comparability } of run.lock.instances) {
    const [task = ""] = instance.split("@");
    const before = comparability["provider"];
    const now = chosen[task];
    if (now === undefined || now === before) continue;
    throw new AleError({
      code: "provider-changed",
      message: `${instance} had machines of the provider ${String(before)} when this run was made, and would now get those of ${now}`,
      remedy: `Make ${String(before)} work again (ale sandboxes doctor), or start a new run: such scores do not mix.`,
      fields: { instance, before: String(before), now },
    });
  }
}
