import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { screenActionLineSchema } from "../../src/contract/screen-action-line.ts";
import { openRun } from "../../src/record/open-run.ts";
import { openBrowser } from "../support/browser.ts";
import { laySumAtScreen } from "../support/sum-tasks.ts";
import { takePicture } from "../support/take-picture.ts";
import { createWorkplace } from "./run-ale.ts";
import { startSitting, untilListed } from "./start-sitting.ts";

test("a person types into a terminal on the machine's screen through the page, and is on record for it", async () => {
  await using cleanup = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), "ale-sit-screen-"));
  cleanup.defer(() => rm(dir, { recursive: true, force: true }));
  const place = cleanup.use(await createWorkplace());
  const browser = await openBrowser();
  cleanup.defer(() => browser.close());
  await laySumAtScreen(join(dir, "tasks"), [["wall_minutes: 2", "wall_minutes: 10"]]);

  const { page, ale, errors } = cleanup.use(
    await startSitting(place, browser, [
      ...[
        "computing_math/sum_column@small",
        "--tasks-root",
        join(dir, "tasks"),
        "--runs-dir",
        join(dir, "runs"),
      ],
    ]),
  );
  const screen = page.getByRole("application", { name: "Screen of the machine" });
  await page.locator("canvas[data-revision]").waitFor();
  await page.getByLabel("Command to run on the machine").fill("setsid xterm -maximized >/dev/null 2>&1 &");
  const before = await screen.getAttribute("data-revision");
  await page.getByRole("button", { name: "Run" }).click();
  await expect.poll(() => screen.getAttribute("data-revision"), { timeout: 30_000 }).not.toBe(before);
  const line = page.getByLabel("Command to run on the machine");
  await line.fill("until xwininfo -root -tree | grep -q XTerm; do sleep 0.2; done; echo shown");
  await page.getByRole("button", { name: "Run" }).click();
  await page
    .getByRole("log")
    .getByText(/^shown$/m)
    .waitFor();

  await screen.click();
  await page.keyboard.type("cd output; echo Typed-1 > first.txt");
  await page.keyboard.press("Enter");
  const look = page.getByRole("button", { name: "Look again" });
  await untilListed(page, look, "first.txt");
  await page.getByLabel("Text to type on the screen").fill("echo 桃子-Груши > second.txt; cat second.txt");
  await page.getByRole("button", { name: "Type" }).click();
  await screen.press("Enter");
  await untilListed(page, look, "second.txt");
  await takePicture(page, "screen");
  await line.fill("cat output/first.txt output/second.txt");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("log").getByText("Typed-1\n桃子-Груши").waitFor();
  await screen.press("Control+a");
  await screen.press("Shift+Escape");
  expect(await page.evaluate("document.activeElement === document.body")).toBe(true);

  page.on("dialog", (dialog) => void dialog.accept());
  await page.getByRole("button", { name: "Give up" }).click();
  await page.getByRole("button", { name: "Finish" }).click();
  const { dir: run } = JSON.parse((await ale.ended).stdout) as { readonly dir: string };
  const [attempt] = await (await openRun(run)).attempts();
  expect(attempt?.result).toMatchObject({ status: "completed", contestant: { name: "human:me" } });
  const actions = (await readFile(join(attempt?.dir ?? "", "actions.jsonl"), "utf8"))
    .trimEnd()
    .split("\n")
    .map((text) => screenActionLineSchema.parse(JSON.parse(text)));
  expect(actions.map(({ action }) => action.kind)).toEqual(expect.arrayContaining(["button", "type", "key"]));
  const { channels } = attempt?.result ?? {};
  expect(channels?.programs[0]?.program).toBe("XTerm");
  expect(channels?.channels.screen.calls).toBe(actions.length);
  expect(channels?.channels.shell.calls).toBeGreaterThanOrEqual(3);
  expect(channels?.required).toMatchObject({ state: "used", channel: "desktop" });
  expect(errors).toEqual([]);
});
