import { expect, test } from "vitest";
import { checkTasks, screenWorkflows, shellWorkflows } from "./check-tasks.ts";

test.each([...shellWorkflows, ...screenWorkflows])(
  "%s passes its quality control with the real programs",
  async (id) => {
    const { instances } = await checkTasks([id]);
    expect(instances.length).toBeGreaterThanOrEqual(2);
  },
);
