import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Finding } from "../../contract/finding.ts";
import { testMachine } from "../../testing/test-machine.ts";
import type { SandboxSpec } from "../provider.ts";
import { providerOn } from "./test-support/conformance-target.ts";
import {
  dockerAnswers,
  type EngineAnswers,
  type EngineDouble,
  podmanAnswers,
  startEngineDouble,
} from "./test-support/engine-double.ts";

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ale-gpu-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const spec: SandboxSpec = testMachine({ run: "gpu", gpus: 2 });

/** All but that machines can be made. */
const withImage: EngineAnswers = {
  "GET /images/ale/base/json": { Id: "sha256:a", Config: { Labels: { "ale.packages": "x" } } },
  "POST /containers/create": [500, { message: "that is as far as this goes" }],
};

const withRuntime = { Runtimes: { runc: { path: "runc" }, nvidia: { path: "nvidia-container-runtime" } } };

async function gpuFindings(double: EngineDouble): Promise<readonly Finding[]> {
  const findings = await providerOn(double.socket, folder, "base").preflight(spec);
  return findings.filter(({ code }) => code === "gpu");
}

async function askedOf(double: EngineDouble): Promise<unknown> {
  await expect(providerOn(double.socket, folder, "base").create(spec)).rejects.toMatchObject({
    code: "sandbox-create",
  });
  const body = double.calls.find(({ call }) => call === "POST /containers/create")?.body;
  return (body as { readonly HostConfig: { readonly DeviceRequests: unknown } }).HostConfig.DeviceRequests;
}

function withInfo(answers: EngineAnswers, more: object): EngineAnswers {
  return { ...answers, ...withImage, "GET /info": { ...answers["GET /info"], ...more } };
}

test("Docker's runtime is asked for as many graphics processors as the task wants", async () => {
  await using double = await startEngineDouble(withInfo(dockerAnswers, withRuntime));
  expect(await gpuFindings(double)).toEqual([]);
  expect(await askedOf(double)).toEqual([{ Driver: "", Count: 2, Capabilities: [["gpu"]] }]);
});

test("where processors have names, they are asked for by name", async () => {
  const cdi = join(folder, "cdi");
  await mkdir(cdi);
  const names = ["0", "1", "10", "2", "all", "GPU-8a7c"].map((name) => `  - name: "${name}"\n`).join("");
  await writeFile(join(cdi, "nvidia.yaml"), `cdiVersion: 0.5.0\nkind: nvidia.com/gpu\ndevices:\n${names}`);
  await writeFile(
    join(cdi, "other.json"),
    JSON.stringify({ kind: "vendor.com/net", devices: [{ name: "0" }] }),
  );
  await writeFile(join(cdi, "broken.json"), "{");
  await using double = await startEngineDouble(withInfo(dockerAnswers, { CDISpecDirs: [cdi, "/absent"] }));
  expect(await gpuFindings(double)).toEqual([]);
  expect(await askedOf(double)).toEqual([
    { Driver: "cdi", DeviceIDs: ["nvidia.com/gpu=0", "nvidia.com/gpu=1"], Capabilities: [["gpu"]] },
  ]);
  await writeFile(join(cdi, "nvidia.yaml"), "kind: nvidia.com/gpu\ndevices:\n  - name: 0\n");
  await using few = await startEngineDouble(withInfo(dockerAnswers, { CDISpecDirs: [cdi] }));
  expect(await gpuFindings(few)).toMatchObject([
    {
      severity: "error",
      message: "The task asks for 2 graphics processors, and docker has a graphics processor.",
    },
  ]);
});

test("where there are none preflight says so, with what to install", async () => {
  for (const answers of [dockerAnswers, podmanAnswers]) {
    // Podman names runtimes whether it has them or not.
    const more = answers === podmanAnswers ? withRuntime : {};
    await using double = await startEngineDouble(withInfo(answers, more));
    const [finding] = await gpuFindings(double);
    expect(finding).toMatchObject({
      severity: "error",
      message: expect.stringMatching(
        /^The task asks for 2 graphics processors, and (docker|podman) has none\.$/,
      ),
      remedy: expect.stringContaining("NVIDIA Container Toolkit"),
    });
    expect(await gpuFindings(double)).toHaveLength(1);
  }
});

test("a machine that wants none asks for none", async () => {
  await using double = await startEngineDouble(withInfo(dockerAnswers, withRuntime));
  const { gpus: _, ...plain } = spec;
  await expect(providerOn(double.socket, folder, "base").create(plain)).rejects.toThrow(
    "as far as this goes",
  );
  const body = double.calls.find(({ call }) => call === "POST /containers/create")?.body;
  expect(body).not.toHaveProperty("HostConfig.DeviceRequests");
});
