import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRun } from "../../src/record/open-run.ts";
import { openBrowser } from "../support/browser.ts";
import { laySumAtScreen } from "../support/sum-tasks.ts";
import { takePicture } from "../support/take-picture.ts";
import { haveLinuxImage, vmCache } from "../support/vm/vm-image.ts";
import { createWorkplace } from "./run-ale.ts";
import { startSitting, untilListed } from "./start-sitting.ts";
import { startWatching } from "./start-watching.ts";

const patience = { timeout: 300_000 };

test("a person opens a terminal from the menu of a virtual machine's desktop, works in it, and others watch", async () => {
  await haveLinuxImage();
  await using cleanup = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), "ale-vm-desktop-"));
  cleanup.defer(() => rm(dir, { recursive: true, force: true }));
  const place = cleanup.use(await createWorkplace());
  await mkdir(join(place.dir, "cache"), { recursive: true });
  await symlink(join(vmCache, "vm"), join(place.dir, "cache", "vm"));
  const browser = await openBrowser();
  cleanup.defer(() => browser.close());
  await laySumAtScreen(join(dir, "tasks"), [
    ["wall_minutes: 10", "wall_minutes: 40"],
    ["memory_mb: 1024", "memory_mb: 512"],
  ]);

  const where = ["--tasks-root", join(dir, "tasks"), "--runs-dir", join(dir, "runs")];
  const sitting = await startSitting(place, browser, [
    ...["computing_math/sum_column@small", "--provider", "vm", ...where],
  ]);
  cleanup.use(sitting);
  const { page, ale, errors } = sitting;
  const screen = page.getByRole("application", { name: "Screen of the machine" });
  const canvas = page.locator("canvas[data-revision]");
  await canvas.waitFor(patience);
  await takePicture(page, "sit-vm-empty");

  const watching = cleanup.use(await startWatching(place, browser, where));
  const seen = watching.page.locator("canvas[data-revision]");
  await seen.waitFor(patience);
  const scale = ((await screen.boundingBox())?.width ?? 0) / 1280;
  // Beside the pointer, where the menu's first entry will be: the terminal.
  const spot = "document.querySelector('canvas').getContext('2d').getImageData(364, 204, 1, 1).data.join()";
  const bare = await page.evaluate(spot);
  await screen.click({ button: "right", position: { x: 300 * scale, y: 200 * scale } });
  await expect.poll(() => page.evaluate(spot), patience).not.toBe(bare);
  await takePicture(page, "sit-vm-menu");
  const shown = page.getByLabel("Command to run on the machine");
  await screen.click({ position: { x: 345 * scale, y: 211 * scale } });
  await shown.fill("until wmctrl -l -x | grep -q xterm; do sleep 0.5; done; echo shown");
  await page.getByRole("button", { name: "Run" }).click();
  await page
    .getByRole("log")
    .getByText(/^shown$/m)
    .waitFor(patience);
  await screen.click({ position: { x: 500 * scale, y: 400 * scale } });
  await page.getByLabel("Text to type on the screen").fill("echo Größe 桃 > output/first.txt");
  await page.getByRole("button", { name: "Type" }).click();
  await screen.press("Enter");
  await untilListed(page, page.getByRole("button", { name: "Look again" }), "first.txt", patience.timeout);
  await takePicture(page, "sit-vm");
  await takePicture(watching.page, "watch-vm");
  await shown.fill("cat output/first.txt; id -un");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("log").getByText("Größe 桃\nagent").waitFor(patience);

  page.on("dialog", (dialog) => void dialog.accept());
  await page.getByRole("button", { name: "Give up" }).click();
  await page.getByText("0.000").first().waitFor(patience);
  await page.getByRole("button", { name: "Finish" }).click();
  const { dir: run } = JSON.parse((await ale.ended).stdout) as { readonly dir: string };
  const [attempt] = await (await openRun(run)).attempts();
  expect(attempt?.result).toMatchObject({ status: "completed" });
  expect(attempt?.result?.channels?.programs[0]?.program.toLowerCase()).toBe("xterm");
  expect(errors).toEqual([]);
  expect(watching.errors).toEqual([]);
});
