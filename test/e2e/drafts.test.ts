import { join } from "node:path";
import { expect, test } from "vitest";
import { scaffoldTask } from "../../src/task/scaffold/scaffold-task.ts";
import { createWorkplace } from "./run-ale.ts";

test("a new task is a draft: listed as one, and in no exam or sample", async () => {
  await using place = await createWorkplace();
  const roots = ["--tasks-root", join(place.dir, "tasks")] as const;
  await scaffoldTask({ id: "trade/stock_take", dir: join(place.dir, "tasks") });
  const listed = await place.ale("tasks", "ls", ...roots);
  expect(listed.stdout).toMatch(
    /trade\/stock_take@base .* draft, 8 places to fill in: npx ale tasks check trade\/stock_take/,
  );
  const json = await place.ale("tasks", "ls", ...roots, "--json");
  expect(JSON.parse(json.stdout)).toMatchObject([{ draft: true }, { draft: true }]);

  for (const command of [["run", "--agent", "nop"], ["plan"]]) {
    const none = await place.ale(...command, ...roots);
    expect(none.status).not.toBe(0);
    expect(none.stderr).toMatch(
      /trade\/stock_take is a draft and left out: .* title at task\.yaml:4, summary at task\.yaml:5, .* and 5 more/,
    );
  }
});
