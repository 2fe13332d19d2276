import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hostClock } from "../../sandbox/local/test-support/host-clock.ts";
import { runComputerAction } from "../computer-use/run-computer-action.ts";
import type { ScreenTarget } from "../conformance/screen-case.ts";
import { createScreenBridge } from "../screen-actions/create-screen-bridge.ts";
import type {
  ScreenActionEvent,
  ScreenBridge,
  ScreenBridgeOptions,
} from "../screen-actions/screen-bridge.ts";
import { openX11Target } from "../test-support/x11-probes.ts";
import { createScreenServer } from "./create-screen-server.ts";
import { serveMcpOverHttp } from "./serve-mcp-over-http.ts";

const isRoot = process.getuid?.() === 0;
const never = new AbortController().signal;
const toolNames = [
  ...["screenshot", "click", "double_click", "move", "drag", "scroll", "type", "key", "hold", "wait"],
  ...["cursor", "screen_size", "clipboard", "windows"],
];

describe.skipIf(!isRoot)("the screen over MCP", () => {
  let target: ScreenTarget;
  beforeAll(async () => {
    target = await openX11Target();
  });
  afterAll(() => target?.[Symbol.asyncDispose]());

  interface Connection extends AsyncDisposable {
    readonly client: Client;
    readonly bridge: ScreenBridge;
    readonly events: ScreenActionEvent[];
    call(name: string, input?: Record<string, unknown>): Promise<CallToolResult>;
  }

  async function connect(options: Partial<ScreenBridgeOptions> = {}): Promise<Connection> {
    await using cleanup = new AsyncDisposableStack();
    const events: ScreenActionEvent[] = [];
    const bridge = cleanup.use(
      createScreenBridge(target.screen, {
        clock: hostClock,
        onAction: (event) => void events.push(event),
        ...options,
      }),
    );
    const handle = serveMcpOverHttp(() => createScreenServer(bridge, { version: "1.0.0" }));
    const server = createServer((request, response) => void handle(request, response));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    cleanup.defer(() => {
      server.closeAllConnections();
      server.close();
    });
    const client = new Client({ name: "test", version: "1.0.0" });
    const { port } = server.address() as AddressInfo;
    const url = new URL(`http://127.0.0.1:${port}/`);
    await client.connect(new StreamableHTTPClientTransport(url) as Transport);
    cleanup.defer(() => client.close());
    const kept = cleanup.move();
    return {
      client,
      bridge,
      events,
      call: async (name, input = {}) => (await client.callTool({ name, arguments: input })) as CallToolResult,
      [Symbol.asyncDispose]: () => kept.disposeAsync(),
    };
  }

  const textOf = (result: CallToolResult): string =>
    result.content.map((part) => (part.type === "text" ? part.text : "")).join("");

  test("every tool is listed and says how places are told", async () => {
    await using pixels = await connect();
    const { tools } = await pixels.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(toolNames);
    const click = tools.find(({ name }) => name === "click");
    expect(click?.description).toContain("in pixels of the screenshot, which is 1280 wide and 800 high");
    await using thousandths = await connect({ coordinates: "thousandths" });
    const { tools: others } = await thousandths.client.listTools();
    expect(others.find(({ name }) => name === "click")?.description).toContain("in thousandths");
  });

  test("a terminal is used: looked at, clicked, typed into, read back", async () => {
    await using probe = await target.openText();
    await using screen = await connect();
    const shot = await screen.call("screenshot");
    expect(shot.content[0]).toMatchObject({ type: "image", mimeType: "image/png" });
    const windows = await screen.call("windows");
    expect(textOf(windows)).toContain(`(focused): ${probe.title} [XTerm]`);
    await screen.call("click", { x: 640, y: 400 });
    await screen.call("type", { text: "Grüße, мир 世界\n" });
    await screen.call("wait");
    await expect.poll(() => probe.text()).toBe("Grüße, мир 世界\n");
    await screen.call("clipboard", { text: "copied" });
    expect(textOf(await screen.call("clipboard"))).toBe("copied");
  });

  test("pictures are scaled for the model, and its pixels are those of the pictures", async () => {
    await using screen = await connect({ fit: { width: 640, height: 640 } });
    expect((await screen.call("screen_size")).structuredContent).toEqual({ width: 640, height: 400 });
    await screen.call("move", { x: 320, y: 200 });
    expect(await target.screen.cursor()).toEqual({ x: 640, y: 400 });
    expect((await screen.call("cursor")).structuredContent).toEqual({ x: 320, y: 200 });
  });

  test("thousandths reach every corner", async () => {
    await using screen = await connect({ coordinates: "thousandths" });
    await screen.call("move", { x: 1000, y: 1000 });
    expect(await target.screen.cursor()).toEqual({ x: 1279, y: 799 });
    await screen.call("move", { x: 0, y: 0 });
    expect(await target.screen.cursor()).toEqual({ x: 0, y: 0 });
  });

  test("what cannot be done is told to the model and does not end the server", async () => {
    await using screen = await connect();
    const outside = await screen.call("click", { x: 5000, y: 5 });
    expect(outside.isError).toBe(true);
    expect(textOf(outside)).toContain("not on the screen of 1280 × 800");
    const odd = await screen.call("key", { keys: "ctrl+NoSuchKey" });
    expect(textOf(odd)).toContain('no key called "NoSuchKey"');
    expect(textOf(await screen.call("key", {}))).toContain("bad arguments");
    expect((await screen.call("cursor")).isError).toBeUndefined();
  });

  test("a chord that fails half way leaves no key down", async () => {
    await using probe = await target.openEvents();
    await using screen = await connect();
    await screen.call("key", { keys: "ctrl+NoSuchKey" });
    await screen.call("key", { keys: "x" });
    await expect
      .poll(async () =>
        (await probe.events()).map((event) => event.kind === "key" && [event.key, event.isDown]),
      )
      .toEqual([
        ["Control_L", true],
        ["Control_L", false],
        ["x", true],
        ["x", false],
      ]);
  });

  test("every action is told of with its time, its programs and thumbnails before and after", async () => {
    await using probe = await target.openText();
    {
      await using screen = await connect({ thumbnails: { width: 320, height: 320 } });
      await screen.call("type", { text: "seen\n" });
      await screen.call("click", { x: 9999, y: 0 });
      await screen.bridge[Symbol.asyncDispose]();
      const [typed, failed] = screen.events;
      expect(screen.events.map(({ number }) => number)).toEqual([1, 2]);
      expect(typed).toMatchObject({ action: { kind: "type", text: "seen\n" }, focus: "XTerm" });
      expect(typed?.programs).toEqual(["XTerm"]);
      expect(typed?.wallMs).toBeGreaterThan(0);
      expect(typed?.before).toMatchObject({ mediaType: "image/jpeg", width: 320, height: 200 });
      // Whether the terminal had drawn by then is the machine's affair.
      expect(typed?.after).toMatchObject({ mediaType: "image/jpeg", width: 320, height: 200 });
      expect(failed?.failure).toContain("not on the screen");
    }
    expect(await probe.text()).toBe("seen\n");
  });

  test("Anthropic's computer tool is served", async () => {
    await using probe = await target.openEvents();
    await using screen = await connect();
    const run = (input: { readonly [key: string]: string | number | number[] }) =>
      runComputerAction(screen.bridge, "anthropic", input, never);
    const shot = await run({ action: "screenshot" });
    expect(shot).toMatchObject({ state: "done", outcome: { screenshot: { width: 1280, height: 800 } } });
    await run({ action: "left_click", coordinate: [400, 300], text: "shift" });
    await run({ action: "scroll", coordinate: [400, 300], scroll_direction: "down", scroll_amount: 2 });
    await run({ action: "key", text: "ctrl+s" });
    await expect
      .poll(async () =>
        (await probe.events())
          .filter(({ isDown }) => isDown)
          .map((event) => (event.kind === "key" ? event.key : event.button)),
      )
      .toEqual(["Shift_L", 1, 5, 5, "Control_L", "s"]);
    expect(await run({ action: "fly" })).toMatchObject({ state: "failed" });
    expect(await run({ action: "mouse_move", coordinate: [5000, 0] })).toMatchObject({ state: "failed" });
  });

  test("OpenAI's computer tool is served, each action with a screenshot", async () => {
    await using probe = await target.openEvents();
    await using screen = await connect();
    const run = (input: { readonly [key: string]: string | number | string[] }) =>
      runComputerAction(screen.bridge, "openai", input, never);
    const clicked = await run({ type: "click", button: "right", x: 400, y: 300 });
    expect(clicked).toMatchObject({ state: "done", outcome: { screenshot: { width: 1280 } } });
    await run({ type: "scroll", x: 400, y: 300, scroll_x: 0, scroll_y: -150 });
    await run({ type: "keypress", keys: ["CTRL", "A"] });
    await expect
      .poll(async () =>
        (await probe.events())
          .filter(({ isDown }) => isDown)
          .map((event) => (event.kind === "key" ? event.key : event.button)),
      )
      .toEqual([3, 4, 4, "Control_L", "a"]);
  });
});
