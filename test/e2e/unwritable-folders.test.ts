import { expect, test } from "vitest";
import { createWorkplace } from "./run-ale.ts";

const told = expect.stringMatching(/^ale: the folder \/proc\/x cannot be made: .*\n {5}.*--runs-dir/m);

test("a run whose folder cannot be made ends at once, and says so", async () => {
  await using place = await createWorkplace();
  const run = ["run", "--agent", "oracle", "--task", "computing_math/*", "--runs-dir", "/proc/x"];
  expect(await place.ale(...run)).toMatchObject({ status: 1, stderr: told });
});

test.each(["ALE_STATE_DIR", "ALE_CACHE_DIR"])("a run is not begun where %s cannot be made", async (name) => {
  await using place = await createWorkplace();
  const there = place.with({ [name]: "/proc/x" });
  const run = ["run", "--agent", "oracle", "--task", "computing_math/*"];
  expect(await there.ale(...run)).toMatchObject({ status: 1, stdout: "", stderr: told });
});

test("the doctor finds a folder that cannot be made", async () => {
  await using place = await createWorkplace();
  const { status, stdout } = await place.with({ ALE_STATE_DIR: "/proc/x" }).ale("doctor", "--json");
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    healthy: false,
    findings: expect.arrayContaining([expect.objectContaining({ code: "folder-not-made" })]),
  });
});
