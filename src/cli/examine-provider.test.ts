import { expect, test } from "vitest";
import { AleError } from "../contract/ale-error.ts";
import type { SandboxProvider } from "../sandbox/provider.ts";
import { createFixedClock } from "../testing/fixed-clock.ts";
import { examineProvider } from "./examine-provider.ts";

test("what was a warning beforehand and then stops a machine is told once, as an error", async () => {
  const message = "the daemon has no image base";
  const remedy = "ale sandboxes build base";
  const other = { severity: "warning", code: "no-bridge", message: "no bridge", remedy: "start it" } as const;
  const provider: SandboxProvider = {
    name: "container",
    preflight: async () => [{ severity: "warning", code: "no-image", message, remedy }, other],
    create: async () => {
      throw new AleError({ code: "sandbox-create", message: `could not be made: ${message}`, remedy });
    },
    list: async () => [],
    reap: async () => [],
  };
  const report = await examineProvider(provider, createFixedClock());
  expect(report).toMatchObject({ provider: "container", works: false });
  const stops = {
    severity: "error",
    code: "sandbox-create",
    message: `could not be made: ${message}`,
    remedy,
  };
  expect(report.findings).toEqual([other, stops]);
});
