import { describe, expect, test } from "vitest";
import { until } from "../../sandbox/conformance/expectations.ts";
import { hostClock } from "../../sandbox/local/test-support/host-clock.ts";
import { desktopMachine } from "../test-support/desktop-machine.ts";
import { type AccessibleNode, readAccessibilityTree } from "./read-accessibility-tree.ts";

const isRoot = process.getuid?.() === 0;
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
});
