import { expectEqual, expectRejection, until } from "../../sandbox/conformance/expectations.ts";
import type { ScreenPoint, ScreenWindow } from "../../sandbox/screen.ts";
import {
  behaviour,
  type EventProbe,
  type ProbeEvent,
  type ScreenCase,
  type ScreenTarget,
} from "./screen-case.ts";

export const inputCases: readonly ScreenCase[] = [
  behaviour("the pointer goes where it is moved, corners included", async ({ screen }) => {
    const { width, height } = screen;
    for (const [x, y] of [
      [0, 0],
      [width - 1, height - 1],
      [17, 23],
    ] as const) {
      await screen.move({ x, y });
      expectEqual(await screen.cursor(), { x, y }, "cursor");
    }
  }),
  behaviour("the pointer cannot be moved off the screen", async ({ screen }) => {
    for (const [x, y] of [
      [screen.width, 0],
      [0, -1],
      [Number.NaN, 0],
      [1.5, 0],
    ] as const) {
      await expectRejection(screen.move({ x, y }), "screen-point", `${x}, ${y}`);
    }
  }),
  behaviour("each button goes down and up where the pointer is", async (target) => {
    await using probe = await target.openEvents();
    const at = await middleOf(target, probe);
    await target.screen.move(at);
    for (const button of ["left", "middle", "right"] as const) {
      await target.screen.button(button, "down");
      await target.screen.button(button, "up");
    }
    const wanted = [1, 2, 3].flatMap((button) => [
      { kind: "button", button, isDown: true, ...at },
      { kind: "button", button, isDown: false, ...at },
    ]);
    expectEqual(await eventsOf(target, probe, "button", wanted.length), wanted, "events");
  }),
  behaviour("a button is held while the pointer moves", async (target) => {
    await using probe = await target.openEvents();
    const at = await middleOf(target, probe);
    const to = { x: at.x + 40, y: at.y + 30 };
    await target.screen.move(at);
    await target.screen.button("left", "down");
    await target.screen.move(to);
    await target.screen.button("left", "up");
    const wanted = [
      { kind: "button", button: 1, isDown: true, ...at },
      { kind: "button", button: 1, isDown: false, ...to },
    ];
    expectEqual(await eventsOf(target, probe, "button", 2), wanted, "events");
  }),
  behaviour("the wheel turns down and right by positive notches, up and left by negative", async (target) => {
    await using probe = await target.openEvents();
    await target.screen.move(await middleOf(target, probe));
    await target.screen.scroll({ x: 0, y: 2 });
    await target.screen.scroll({ x: 0, y: -1 });
    await target.screen.scroll({ x: 1, y: 0 });
    await target.screen.scroll({ x: -1, y: 0 });
    const events = await eventsOf(target, probe, "button", 10);
    const turned = events.flatMap((event) => (event.kind === "button" && event.isDown ? [event.button] : []));
    expectEqual(turned, [5, 5, 4, 7, 6], "wheel buttons");
  }),
  behaviour("keys go down and up by their names and the usual other names", async (target) => {
    await using probe = await target.openEvents();
    const names = ["a", "Return", "F5", "Escape", "esc", "enter", "Page_Down", "PageDown", "left"];
    const keys = ["a", "Return", "F5", "Escape", "Escape", "Return", "Next", "Next", "Left"];
    for (const name of names) {
      await target.screen.key(name, "down");
      await target.screen.key(name, "up");
    }
    const wanted = keys.flatMap((key) => [true, false].map((isDown) => ({ kind: "key", key, isDown })));
    expectEqual(await eventsOf(target, probe, "key", wanted.length), wanted, "events");
  }),
  behaviour("a chord's modifiers are held while its key is pressed", async (target) => {
    await using probe = await target.openEvents();
    for (const key of ["ctrl", "shift", "k"]) await target.screen.key(key, "down");
    for (const key of ["k", "shift", "ctrl"]) await target.screen.key(key, "up");
    const events = await eventsOf(target, probe, "key", 6);
    const keys = events.map((event) => (event.kind === "key" ? [event.key.toLowerCase(), event.isDown] : []));
    const wanted = [
      ["control_l", true],
      ["shift_l", true],
      ["k", true],
      ["k", false],
      ["shift_l", false],
      ["control_l", false],
    ];
    expectEqual(keys, wanted, "events");
  }),
  behaviour("a key nobody knows is refused", async ({ screen }) => {
    await expectRejection(screen.key("NoSuchKey", "down"), "screen-key", "NoSuchKey");
    await expectRejection(screen.key("", "down"), "screen-key", "an empty name");
  }),
];

/** The middle of the probe's window. */
export async function middleOf(
  target: ScreenTarget,
  probe: { readonly title: string },
): Promise<ScreenPoint> {
  const { x, y, width, height } = await windowOf(target, probe);
  return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
}

/** The probe's window, once the desktop knows of it. */
export async function windowOf(
  { screen, clock }: ScreenTarget,
  probe: { readonly title: string },
): Promise<ScreenWindow> {
  let found: ScreenWindow | undefined;
  await until(clock, `a window called ${probe.title} opens`, async () => {
    found = (await screen.windows()).find((window) => window.title.includes(probe.title));
    return found !== undefined;
  });
  return found as ScreenWindow;
}

/** The first events of a kind, once there are so many. */
async function eventsOf(
  { clock }: ScreenTarget,
  probe: EventProbe,
  kind: ProbeEvent["kind"],
  count: number,
): Promise<readonly ProbeEvent[]> {
  let seen: readonly ProbeEvent[] = [];
  await until(clock, `${count} events of kind ${kind}`, async () => {
    seen = (await probe.events()).filter((event) => event.kind === kind);
    return seen.length >= count;
  });
  return seen;
}
