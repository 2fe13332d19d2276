import { until } from "../../sandbox/conformance/expectations.ts";
import { hostClock } from "../../sandbox/local/test-support/host-clock.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { EventProbe, ProbeEvent, ScreenTarget, TextProbe } from "../conformance/screen-case.ts";
import type { Desktop } from "../start-desktop.ts";
import { desktopMachine } from "./desktop-machine.ts";

/** A desktop in a local machine, probed with xev and a terminal: programs that know nothing of ours. */
export async function openX11Target(): Promise<ScreenTarget> {
  const machine = await desktopMachine();
  const { desktop, sandbox } = machine;
  return {
    screen: desktop.screen,
    clock: hostClock,
    openEvents: () => openEvents(sandbox, desktop),
    openText: () => openText(sandbox, desktop),
    [Symbol.asyncDispose]: () => machine[Symbol.asyncDispose](),
  };
}

const still = { quietMs: 200, limitMs: 5000 };
let opened = 0;

async function openEvents(sandbox: Sandbox, desktop: Desktop): Promise<EventProbe> {
  const title = `events ${opened++}`;
  const running = await sandbox.spawn(["xev", "-geometry", "400x300+200+150", "-name", title], {
    env: desktop.env,
  });
  let output = "";
  running.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString("utf8");
  });
  await untilFocused(desktop, title);
  return {
    title,
    events: async () => readEvents(output),
    async [Symbol.asyncDispose]() {
      await running.stop(0);
      await untilGone(desktop, title);
    },
  };
}

function readEvents(output: string): readonly ProbeEvent[] {
  return output.split("\n\n").flatMap((block): readonly ProbeEvent[] => {
    const [, kind, action] = /^(Button|Key)(Press|Release) event/m.exec(block) ?? [];
    const isDown = action === "Press";
    const [, x, y] = /root:\((-?\d+),(-?\d+)\)/.exec(block) ?? [];
    const [, button] = /button (\d+),/.exec(block) ?? [];
    const [, key] = /\(keysym 0x[0-9a-f]+, (\w+)\)/.exec(block) ?? [];
    if (kind === "Key" && key !== undefined) return [{ kind: "key", key, isDown }];
    if (kind !== "Button" || button === undefined) return [];
    return [{ kind: "button", button: Number(button), isDown, x: Number(x), y: Number(y) }];
  });
}

async function openText(sandbox: Sandbox, desktop: Desktop): Promise<TextProbe> {
  const title = `text ${opened++}`;
  const path = `/tmp/${title.replace(" ", "-")}`;
  const line = ["sh", "-c", ': > "$1"; exec cat > "$1"', "sh", path];
  const running = await sandbox.spawn(["xterm", "-T", title, "-e", ...line], { env: desktop.env });
  running.stdout.resume();
  running.stderr.resume();
  await untilFocused(desktop, title);
  await until(hostClock, `${path} is there`, async () => (await sandbox.stat(path)) !== undefined);
  return {
    title,
    text: async () => Buffer.from(await sandbox.readFile(path)).toString("utf8"),
    async [Symbol.asyncDispose]() {
      await running.stop(0);
      await untilGone(desktop, title);
    },
  };
}

async function untilFocused({ screen }: Desktop, title: string): Promise<void> {
  await until(hostClock, `${title} has the focus`, async () =>
    (await screen.windows()).some((window) => window.focused && window.title.includes(title)),
  );
  await screen.quiet(still);
}

async function untilGone({ screen }: Desktop, title: string): Promise<void> {
  await until(hostClock, `${title} is gone`, async () =>
    (await screen.windows()).every((window) => !window.title.includes(title)),
  );
  await screen.quiet(still);
}
