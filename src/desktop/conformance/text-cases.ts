import { expect, expectEqual, expectRejection } from "../../sandbox/conformance/expectations.ts";
import { windowOf } from "./input-cases.ts";
import { behaviour, type ScreenCase, type ScreenTarget } from "./screen-case.ts";

const still = { quietMs: 300, limitMs: 10_000 };

/** About a thousand characters in three scripts, more of them different than a keyboard has keys free. */
const manySigns = [
  ..."Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich; 0123456789 !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
  ..."Съешь же ещё этих мягких французских булок, да выпей чаю. ШИРОКАЯ ЭЛЕКТРИФИКАЦИЯ ЮЖНЫХ ГУБЕРНИЙ",
  ...Array.from({ length: 780 }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 37) % 420))),
];
const lines: readonly string[] = Array.from({ length: Math.ceil(manySigns.length / 80) }, (_, index) =>
  manySigns.slice(index * 80, index * 80 + 80).join(""),
);

export const textCases: readonly ScreenCase[] = [
  behaviour("a thousand characters in three scripts are typed without loss", async (target) => {
    await using probe = await target.openText();
    const text = `${lines.join("\n")}\n`;
    await target.screen.type(text);
    await expectText(target, probe, text);
  }),
  behaviour("capital letters and signs of a script the layout lacks stay what they are", async (target) => {
    await using probe = await target.openText();
    const text = "Ж ж Ω ω Ñ ñ € “x” – …\n";
    await target.screen.type(text);
    await target.screen.type(text);
    await expectText(target, probe, text + text);
  }),
  behaviour("text is typed as it is written though Caps Lock is on", async (target) => {
    await using probe = await target.openText();
    const press = async (key: string): Promise<void> => {
      await target.screen.key(key, "down");
      await target.screen.key(key, "up");
    };
    await press("Caps_Lock");
    try {
      await target.screen.type("Abc aBC\n");
    } finally {
      await press("Caps_Lock");
    }
    await expectText(target, probe, "Abc aBC\n");
  }),
  behaviour("a control character is no key", async ({ screen }) => {
    await expectRejection(screen.type("\u0007"), "screen-key", "the bell");
  }),
  behaviour("the clipboard gives back what was written to it, whatever the script", async ({ screen }) => {
    for (const text of ["plain", "Ünï ✓ Привет 你好 😀\nsecond line", "x".repeat(300_000)]) {
      await screen.writeClipboard(text);
      expectEqual(await screen.readClipboard(), text, "clipboard");
    }
  }),
  behaviour("windows are told with title, place and focus, and are given the focus", async (target) => {
    const { screen } = target;
    await using first = await target.openText();
    await using second = await target.openEvents();
    const opened = await windowOf(target, second);
    expect(opened.width > 0 && opened.height > 0, "the window has no size");
    await screen.focus((await windowOf(target, first)).id);
    expectEqual((await windowOf(target, first)).focused, true, "the first has the focus");
    expectEqual((await windowOf(target, second)).focused, false, "the second has the focus");
    await screen.focus(opened.id);
    expectEqual((await windowOf(target, second)).focused, true, "the second has the focus");
    await screen.quiet(still);
  }),
  behaviour("a window that is not there is not given the focus", async ({ screen }) => {
    await expectRejection(screen.focus("no-such-window"), "screen-window", "focus");
  }),
];

const arrivalLimitMs = 30_000;

/** What was lost or changed is seen in the text told, so it is compared even when less has come than was typed. */
async function expectText(
  { clock }: ScreenTarget,
  probe: { text(): Promise<string> },
  wanted: string,
): Promise<void> {
  const end = clock.monotonic() + arrivalLimitMs;
  let seen = await probe.text();
  while (seen.length < wanted.length && clock.monotonic() < end) {
    await clock.sleep(10);
    seen = await probe.text();
  }
  expectEqual(seen, wanted, "text");
}
