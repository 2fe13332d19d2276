import { expect, test } from "vitest";
import type { Finding } from "../../contract/finding.ts";
import { testMachine } from "../../testing/test-machine.ts";
import { hostClock } from "../local/test-support/host-clock.ts";
import type { SandboxSpec } from "../provider.ts";
import { connectEngine } from "./engine.ts";
import { imageFindings } from "./image-findings.ts";
import { type EngineAnswers, podmanAnswers, startEngineDouble } from "./test-support/engine-double.ts";

async function findingsOf(
  answers: EngineAnswers,
  image: string,
  spec?: SandboxSpec,
): Promise<readonly Finding[]> {
  await using double = await startEngineDouble(answers);
  const engine = await connectEngine([double.socket]);
  return await imageFindings(engine, { image, spec, credentialFiles: [], clock: hostClock });
}

test("with Podman, an image that is not here is warned of: nobody could look whether its name is right", async () => {
  const image = "reg.test/x:1";
  expect(await findingsOf(podmanAnswers, image, testMachine({ image }))).toMatchObject([
    {
      severity: "warning",
      code: "image-not-looked-up",
      message: expect.stringMatching(/^Podman cannot ask reg\.test for the image reg\.test\/x:1 beforehand/),
      remedy: "podman pull reg.test/x:1",
    },
  ]);
});

test("with Podman, an image that is here gives nothing to say", async () => {
  const here = { Id: "sha256:1", RepoDigests: ["reg.test/x@sha256:2"], Config: {} };
  const answers = { ...podmanAnswers, "GET /images/reg.test/x:1/json": here };
  expect(await findingsOf(answers, "reg.test/x:1")).toEqual([]);
});

test("that the usual image is missing stops who needs it, and is a warning, with who that is, to all others", async () => {
  const [stops] = await findingsOf(podmanAnswers, "base", testMachine());
  expect(stops).toMatchObject({ severity: "error", message: "the daemon has no image base" });
  const [warns] = await findingsOf(podmanAnswers, "base");
  expect(warns).toEqual({
    ...stops,
    severity: "warning",
    message: "the daemon has no image base, which tasks that name no image need",
  });
});
