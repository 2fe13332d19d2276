import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodePng } from "../../../../test/support/attached/cua-machine.ts";
import { CuaDesktop } from "../../../testing/cua-server/cua-desktop.ts";
import { CuaServer } from "../../../testing/cua-server/cua-server.ts";
import { hostClock } from "../../local/test-support/host-clock.ts";
import { CuaClient } from "./cua-client.ts";
import { cuaKey } from "./cua-key.ts";
import { CuaScreen } from "./cua-screen.ts";

const desktop = new CuaDesktop(encodePng);
let server: CuaServer;
let screen: CuaScreen;

beforeAll(async () => {
  server = await CuaServer.start({ prefix: [], desktop });
  const client = new CuaClient({ kind: "cua", name: "one", address: server.address });
  screen = await CuaScreen.open(client, hostClock);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

describe("the screen of a CUA computer-server", () => {
  test("is seen: all of it, a region, and whether it has changed", async () => {
    const before = await screen.screenshot();
    expect([before.width, before.height]).toEqual([1024, 768]);
    expect((await screen.screenshot()).revision).toBe(before.revision);
    await screen.move({ x: 100, y: 200 });
    expect((await screen.screenshot()).revision).not.toBe(before.revision);
    const region = { x: 90, y: 190, width: 40, height: 30 };
    expect((await screen.screenshot({ region, format: "jpeg" })).mediaType).toBe("image/jpeg");
    await expect(screen.screenshot({ region: { ...region, x: 1000 } })).rejects.toMatchObject({
      code: "screen-point",
    });
  });

  test("tells the display that it is, where it is one", async () => {
    expect(screen.env).toBeUndefined();
    await using other = await CuaServer.start({ prefix: [], desktop, display: ":7" });
    const client = new CuaClient({ kind: "cua", name: "two", address: other.address });
    expect((await CuaScreen.open(client, hostClock)).env).toEqual({ DISPLAY: ":7" });
  });

  test("is acted on: pointer, wheel, keys and text, in the server's own terms", async () => {
    desktop.acts.length = 0;
    await screen.move({ x: 3, y: 4 });
    await screen.button("left", "down");
    await screen.button("left", "up");
    await screen.scroll({ x: 0, y: 2 });
    await screen.key("ctrl", "down");
    await screen.key("Return", "down");
    await screen.key("F5", "up");
    await screen.type("a b\nü");
    expect(await screen.cursor()).toEqual({ x: 3, y: 4 });
    expect(desktop.acts).toEqual([
      "move_cursor 3,4",
      "mouse_down left",
      "mouse_up left",
      "scroll 0,-2",
      "key_down ctrl",
      "key_down enter",
      "key_up f5",
      "type_text a b",
      "press_key enter",
      "type_text ü",
    ]);
    await expect(screen.move({ x: 1024, y: 0 })).rejects.toMatchObject({ code: "screen-point" });
  });

  test("has a clipboard and windows, the topmost last", async () => {
    await screen.writeClipboard("kept");
    expect(await screen.readClipboard()).toBe("kept");
    await screen.focus("2");
    expect((await screen.windows()).map(({ id, title, focused }) => [id, title, focused])).toEqual([
      ["1", "Editor", false],
      ["2", "Files", true],
    ]);
    await screen.focus("1");
    expect((await screen.windows()).map(({ id }) => id)).toEqual(["2", "1"]);
  });

  test("is quiet when nothing moves", async () => {
    expect(await screen.quiet({ quietMs: 50, limitMs: 60_000 })).toBe(true);
  });

  test("knows X's names of keys, and says so of a name it does not know", () => {
    expect(["Return", "Escape", "Page_Down", "Prior", "super", "x", "F12"].map(cuaKey)).toEqual([
      "enter",
      "esc",
      "page_down",
      "page_up",
      "cmd",
      "x",
      "f12",
    ]);
    expect(() => cuaKey("Hyper")).toThrow("There is no key called Hyper");
  });
});
