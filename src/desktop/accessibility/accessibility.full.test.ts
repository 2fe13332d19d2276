import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { describe, expect, test } from "vitest";
import { until } from "../../sandbox/conformance/expectations.ts";
import { hostClock } from "../../sandbox/local/test-support/host-clock.ts";
import { createScreenServer } from "../mcp/create-screen-server.ts";
import { createScreenBridge } from "../screen-actions/create-screen-bridge.ts";
import { desktopMachine } from "../test-support/desktop-machine.ts";
import { type AccessibleNode, readAccessibilityTree } from "./read-accessibility-tree.ts";

const isRoot = process.getuid?.() === 0;
const never = new AbortController().signal;
const page = "<title>Form</title><h1>Hello</h1><button>Send it</button><input value='abc'>";

function allOf(nodes: readonly AccessibleNode[]): readonly AccessibleNode[] {
  return nodes.flatMap((node) => [node, ...allOf(node.children)]);
}

describe.skipIf(!isRoot)("the accessibility tree", () => {
  test("what a browser shows is told with its places, and within bounds", async () => {
    await using machine = await desktopMachine({ accessibility: true });
    const { sandbox, desktop } = machine;
    const { env, screen } = desktop;
    expect(await readAccessibilityTree(sandbox, { env })).toEqual({
      state: "told",
      programs: [],
      cut: false,
    });
    await sandbox.writeFile("/tmp/page.html", page);
    const browser = await sandbox.spawn(["chromium", "file:///tmp/page.html"], { env });
    browser.stdout.resume();
    browser.stderr.resume();
    let nodes: readonly AccessibleNode[] = [];
    await until(hostClock, "the page's button is told", async () => {
      const tree = await readAccessibilityTree(sandbox, { env });
      nodes = tree.state === "told" ? allOf(tree.programs) : [];
      return nodes.some(({ name }) => name === "Send it");
    });
    const button = nodes.find(({ name }) => name === "Send it");
    expect(button?.role).toBe("push button");
    expect(button?.box?.x).toBeGreaterThanOrEqual(0);
    expect(button?.box?.x).toBeLessThan(screen.width);
    expect(nodes.find(({ text }) => text === "abc")).toMatchObject({ role: "entry", states: ["editable"] });
    const few = await readAccessibilityTree(sandbox, { env, maxNodes: 3 });
    expect(few).toMatchObject({ state: "told", cut: true });
  });

  test("a machine that cannot ask says why", async () => {
    await using machine = await desktopMachine({ accessibility: true });
    const env = {
      ...machine.desktop.env,
      GI_TYPELIB_PATH: "/nowhere",
      DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere",
    };
    const tree = await readAccessibilityTree(machine.sandbox, { env });
    expect(tree).toMatchObject({ state: "absent", reason: expect.stringContaining("AT-SPI") });
  });

  test("a contestant with the setting reads it with a tool of the screen, others have no such tool", async () => {
    await using machine = await desktopMachine({ accessibility: true });
    const { sandbox, desktop } = machine;
    const { env, screen } = desktop;
    await using plain = createScreenBridge(screen, { clock: hostClock });
    expect(plain.tools.map(({ name }) => name)).not.toContain("accessibility_tree");
    await using bridge = createScreenBridge(screen, {
      clock: hostClock,
      accessibility: (asked) => readAccessibilityTree(sandbox, { env, ...asked }),
    });
    const client = new Client({ name: "test", version: "1.0.0" });
    const [here, there] = InMemoryTransport.createLinkedPair();
    await createScreenServer(bridge, { version: "1.0.0" }).connect(there as Transport);
    await client.connect(here as Transport);
    const ask = async (input: Record<string, unknown> = {}): Promise<string> => {
      const result = await client.callTool({ name: "accessibility_tree", arguments: input });
      return (result.content as { readonly text: string }[]).map(({ text }) => text).join("");
    };
    await sandbox.writeFile("/tmp/page.html", page);
    const programs = [
      await sandbox.spawn(["xterm", "-title", "silent terminal"], { env }),
      await sandbox.spawn(["chromium", "file:///tmp/page.html"], { env }),
    ];
    for (const { stdout, stderr } of programs) {
      stdout.resume();
      stderr.resume();
    }
    let told = "";
    await until(hostClock, "the page's button is told", async () => {
      told = await ask({ max_items: 2000 });
      return told.includes('push button "Send it"') && told.includes("silent terminal");
    });
    expect(told).toMatch(/- entry \(editable\) at \d+, \d+, \d+ × \d+ text "abc"/);
    expect(told).toMatch(/tell nothing; use the screenshot:\n- silent terminal \[/);
    expect(await ask({ only: "silent terminal" })).toMatch(/^No program tells what it shows of "silent/);
    const few = await ask({ only: "Form", max_items: 4 });
    expect(few).toContain("There is more");
    expect(few.split("\n").length).toBeLessThanOrEqual(6);
    const [, x, y] = /push button "Send it" at (\d+), (\d+)/.exec(told) ?? [];
    await bridge.run({ kind: "click", at: { x: Number(x), y: Number(y) }, button: "left", times: 1 }, never);
    await until(hostClock, "the button that was clicked has the focus", async () =>
      /push button "Send it" \(focused\)/.test(await ask({ only: "Form", max_items: 2000 })),
    );
  });
});
