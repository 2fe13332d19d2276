import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { screenActionLineSchema } from "../../src/contract/screen-action-line.ts";
import { openRun } from "../../src/record/open-run.ts";
import { startCuaMachine } from "../support/attached/cua-machine.ts";
import { openBrowser } from "../support/browser.ts";
import { sumScript } from "../support/provider-exam.ts";
import { laySumAtScreen } from "../support/sum-tasks.ts";
import { takePicture } from "../support/take-picture.ts";
import { createWorkplace } from "./run-ale.ts";
import { startSitting } from "./start-sitting.ts";
import { startWatching } from "./start-watching.ts";

test("a person works at the screen of a machine with a computer-server through the page, and others watch", async () => {
  await using cleanup = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), "ale-cua-desktop-"));
  cleanup.defer(() => rm(dir, { recursive: true, force: true }));
  const cua = cleanup.use(await startCuaMachine("desk"));
  const { name, address, key = "", containerName } = cua.machine;
  process.env["ALE_TEST_CUA_KEY"] = key;
  const place = cleanup.use(await createWorkplace());
  const entry = { kind: "cua", name, address, key_env: "ALE_TEST_CUA_KEY", container_name: containerName };
  const file = { schema: "ale/machines@1", machines: [entry] };
  await writeFile(join(place.dir, "machines.yaml"), JSON.stringify(file));
  const browser = await openBrowser();
  cleanup.defer(() => browser.close());
  await laySumAtScreen(join(dir, "tasks"));

  const where = ["--tasks-root", join(dir, "tasks"), "--runs-dir", join(dir, "runs")];
  const sitting = await startSitting(place, browser, [
    ...["computing_math/sum_column@small", "--provider", "attached", ...where],
  ]);
  cleanup.use(sitting);
  const { page, ale, errors } = sitting;
  const screen = page.getByRole("application", { name: "Screen of the machine" });
  await page.locator("canvas[data-revision]").waitFor({ timeout: 120_000 });
  expect(
    await page.evaluate("[...document.querySelectorAll('canvas')].map((c) => [c.width, c.height])"),
  ).toEqual([[1024, 768]]);

  const watching = cleanup.use(await startWatching(place, browser, where));
  const seen = watching.page.locator("canvas[data-revision]");
  await seen.waitFor();
  const before = await seen.getAttribute("data-revision");
  const box = await screen.boundingBox();
  const scale = (box?.width ?? 0) / cua.desktop.width;
  await screen.click({ position: { x: 300 * scale, y: 200 * scale } });
  await page.keyboard.type("ab");
  await page.getByLabel("Text to type on the screen").fill("Größe 桃");
  await page.getByRole("button", { name: "Type" }).click();
  // What is typed while an act is under way goes with the next.
  const typed = (): string =>
    cua.desktop.acts
      .map((act) => (act.startsWith("type_text ") ? act.slice("type_text ".length) : ""))
      .join("");
  await expect.poll(typed, { timeout: 30_000 }).toBe("abGröße 桃");
  const acts = cua.desktop.acts.join("\n");
  const at = "(299|300|301),(199|200|201)";
  expect(acts).toMatch(new RegExp(`move_cursor ${at}\nmouse_down left\n(move_cursor ${at}\n)*mouse_up left`));
  expect(acts).toMatch(/mouse_up left\ntype_text a/);
  await expect.poll(() => seen.getAttribute("data-revision"), { timeout: 30_000 }).not.toBe(before);
  await takePicture(page, "sit-attached");
  await takePicture(watching.page, "watch-attached");

  await page.getByLabel("Command to run on the machine").fill(sumScript);
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("button", { name: "Look again" }).click();
  await page.getByRole("link", { name: "total.json" }).waitFor();
  await page.getByRole("button", { name: "Hand in and be graded" }).click();
  await page.getByText("1.000").first().waitFor();
  await page.getByRole("button", { name: "Finish" }).click();
  const { dir: run } = JSON.parse((await ale.ended).stdout) as { readonly dir: string };
  const [attempt] = await (await openRun(run)).attempts();
  expect(attempt?.result).toMatchObject({ status: "completed", score: { known: true, value: 1 } });
  const actions = (await readFile(join(attempt?.dir ?? "", "actions.jsonl"), "utf8"))
    .trimEnd()
    .split("\n")
    .map((text) => screenActionLineSchema.parse(JSON.parse(text)).action.kind);
  expect([...new Set(actions)]).toEqual(["button", "type"]);
  expect(errors).toEqual([]);
  expect(watching.errors).toEqual([]);
});
