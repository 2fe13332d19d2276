import { describe, expect, test } from "vitest";
import type { Finding } from "../contract/finding.ts";
import { testMachine } from "../testing/test-machine.ts";
import { createChoosingProvider } from "./choose-provider.ts";
import type { SandboxProvider, SandboxSpec } from "./provider.ts";
import type { Sandbox } from "./sandbox.ts";

const broken: Finding = { severity: "error", code: "broken", message: "it does not work here" };

/** A provider that only says whether it works, and for which machines. */
function provider(name: string, findings: (spec?: SandboxSpec) => readonly Finding[] = () => []) {
  const reaped: string[] = [];
  const made: SandboxProvider & { readonly reaped: string[] } = {
    name,
    reaped,
    preflight: async (spec) => findings(spec),
    create: async () => ({ provider: name }) as unknown as Sandbox,
    list: async () => [],
    async reap() {
      reaped.push(name);
      return [];
    },
  };
  return made;
}

const spec = testMachine({ role: "agent", memoryMb: 256, diskMb: 64, maxProcesses: 100 });

function choosing(...providers: readonly SandboxProvider[]) {
  const lines: string[] = [];
  const chooser = createChoosingProvider({
    providers: new Map(providers.map((each) => [each.name, each])),
    onChoice: (choice) => lines.push(`${choice.provider.name}: ${choice.reason}`),
  });
  return { chooser, lines };
}

async function madeBy(chooser: SandboxProvider, changes: Partial<SandboxSpec>): Promise<string> {
  const sandbox = await chooser.create({ ...spec, ...changes });
  return sandbox.provider;
}

describe("choosing a provider", () => {
  test("a machine without needs is made by the first that works", async () => {
    const { chooser, lines } = choosing(
      provider("local", () => [broken]),
      provider("container"),
    );
    expect(await madeBy(chooser, {})).toBe("container");
    expect(await madeBy(chooser, {})).toBe("container");
    expect(lines).toEqual(["container: local cannot be had here"]);
  });

  test("one exam may mix providers: an image, Windows, and neither", async () => {
    const { chooser, lines } = choosing(provider("local"), provider("container"), provider("vm"));
    expect(await madeBy(chooser, {})).toBe("local");
    expect(await madeBy(chooser, { image: "office" })).toBe("container");
    expect(await madeBy(chooser, { os: "windows" })).toBe("vm");
    expect(lines).toEqual([
      "local: it works here",
      "container: a task asks for the image office",
      "vm: a task asks for Windows",
    ]);
  });

  test("a task that asks for an image nobody has never gets a machine without", async () => {
    const { chooser } = choosing(
      provider("local"),
      provider("container", (asked) => (asked?.image === "office" ? [broken] : [])),
    );
    expect(await chooser.preflight({ ...spec, image: "office" })).toEqual([broken]);
    expect(await chooser.chosenFor?.({ ...spec, image: "office" })).toBe("container");
  });

  test("who can make a kind of machine is asked once, and who cannot each time", async () => {
    const asked: string[] = [];
    let built = false;
    const { chooser } = choosing(
      provider("container", (machine) => {
        asked.push(`container ${machine?.image}`);
        return machine?.image === "office" && !built ? [broken] : [];
      }),
      provider("vm", (machine) => {
        asked.push(`vm ${machine?.image}`);
        return machine?.image === "office" ? [broken] : [];
      }),
    );
    const mounts = [{ source: "/one", target: "/ale/one" }];
    await Promise.all([madeBy(chooser, { image: "base" }), madeBy(chooser, { image: "base", mounts })]);
    expect(await chooser.chosenFor?.({ ...spec, image: "base", memoryMb: 512 })).toBe("container");
    expect(asked).toEqual(["container base", "container base"]);
    await madeBy(chooser, { image: "office" });
    built = true;
    expect(await madeBy(chooser, { image: "office" })).toBe("container");
    await madeBy(chooser, { image: "office" });
    expect(asked.slice(2)).toEqual(["container office", "vm office", "container office"]);
  });

  test("what nobody here can give is said, with what to do", async () => {
    const { chooser } = choosing(provider("local"));
    await expect(chooser.create({ ...spec, os: "windows" })).rejects.toMatchObject({
      code: "sandbox-create",
      remedy: "leave the task out with --exclude",
    });
  });

  test("where nothing works at all, the findings of every provider are told", async () => {
    const { chooser } = choosing(
      provider("local", () => [broken]),
      provider("container", () => [broken]),
    );
    expect(await chooser.preflight()).toEqual([broken, broken]);
  });

  test("reaping spans all of them", async () => {
    const both = [provider("local"), provider("container")] as const;
    await choosing(...both).chooser.reap();
    expect(both.map((each) => each.reaped)).toEqual([["local"], ["container"]]);
  });
});
