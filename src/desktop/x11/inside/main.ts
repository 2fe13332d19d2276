import * as net from "node:net";
import * as zlib from "node:zlib";
import { Clipboard } from "./clipboard.ts";
import { DriverError } from "./connection.ts";
import { type Display, openDisplay } from "./display.ts";
import { type FrameChange, FrameSource, readPointer } from "./frames.ts";
import { fakeInput, Keyboard } from "./keyboard.ts";
import { waitUntilQuiet } from "./quiet.ts";
import { serverState } from "./server-state.ts";
import { Windows } from "./windows.ts";

type Asked = { readonly id: number; readonly ask: string; readonly [name: string]: unknown };
type Told = { readonly [name: string]: unknown };

const answerWithinMs = 20_000;
/** Before a key is given another meaning. */
const typingSettleMs = 10_000;
const typingPauseMs = 100;

/** One message: how long the rest is, how long its JSON is, the JSON, bytes. Lengths are 32 bits, little-endian. */
function framed(head: Told, bytes: Buffer = Buffer.alloc(0)): readonly Buffer[] {
  const json = Buffer.from(JSON.stringify(head), "utf8");
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(4 + json.length + bytes.length, 0);
  lengths.writeUInt32LE(json.length, 4);
  return [lengths, json, bytes];
}

/** Does what it is asked on standard input, one message after the other, until that ends. */
async function serve(
  display: Display,
  { number: displayNumber, isPacked }: { readonly number: string; readonly isPacked: boolean },
  output: net.Socket,
): Promise<void> {
  const frames = new FrameSource(display);
  const windows = new Windows(display);
  const keyboard = new Keyboard(display, () => windows.settled(typingSettleMs, typingPauseMs));
  const clipboard = new Clipboard(display);
  const { x, root, test } = display;
  // Acts keep their order, pictures keep theirs, and neither waits for the other.
  let acts: Promise<unknown> = Promise.resolve();
  let pictures: Promise<unknown> = Promise.resolve();

  function tell(head: Told, bytes?: Buffer): void {
    output.cork();
    for (const part of framed(head, bytes)) output.write(part);
    output.uncork();
  }

  async function act(asked: Asked): Promise<Told> {
    const number = (name: string): number => Number(asked[name]);
    switch (asked.ask) {
      case "move":
        x.send(fakeInput(test.opcode, 6, 0, { root, x: number("x"), y: number("y") }));
        break;
      case "button":
        x.send(fakeInput(test.opcode, asked["down"] === true ? 4 : 5, number("button")));
        break;
      case "key":
        await keyboard.press(number("keysym"), asked["down"] === true);
        return {};
      case "type":
        await keyboard.type(asked["keysyms"] as readonly number[]);
        return {};
      case "release":
        await keyboard.releaseAll();
        return {};
      case "focus":
        await windows.focus(String(asked["window"]));
        return {};
      case "clipboard-write":
        await clipboard.write(String(asked["text"]));
        return {};
      default:
        throw new DriverError("driver-request", `there is nothing to ask called ${asked.ask}`);
    }
    await x.sync();
    return {};
  }

  async function answer(asked: Asked): Promise<readonly [Told, Buffer?]> {
    switch (asked.ask) {
      case "frame": {
        const change = frames.next.bind(frames);
        const next = pictures.then(change, change);
        pictures = next;
        return told(await next, isPacked);
      }
      case "pointer":
        return [await readPointer(display)];
      case "server":
        return [{ state: serverState(displayNumber) }];
      case "windows":
        return [{ windows: await windows.list() }];
      case "managed":
        await windows.managed(Number(asked["limitMs"]));
        return [{}];
      case "clipboard-read":
        return [{ text: await clipboard.read() }];
      case "quiet":
        return [{ quiet: await quiet(Number(asked["quietMs"]), Number(asked["limitMs"])) }];
      default: {
        const next = acts.then(
          () => act(asked),
          () => act(asked),
        );
        acts = next;
        return [await next];
      }
    }
  }

  /** A program that has not yet read what it was sent draws nothing: it is asked first. */
  async function quiet(quietMs: number, limitMs: number): Promise<boolean> {
    const from = Date.now();
    await windows.settled(limitMs, 0);
    return waitUntilQuiet(display, quietMs, Math.max(0, limitMs - (Date.now() - from)));
  }

  async function handle(asked: Asked): Promise<void> {
    try {
      const [head, bytes] = await inTime(answer(asked), Number(asked["limitMs"] ?? 0) + answerWithinMs);
      tell({ id: asked.id, ...head }, bytes);
    } catch (error) {
      const code = error instanceof DriverError ? error.code : "driver-failed";
      tell({
        id: asked.id,
        error: { code, message: error instanceof Error ? error.message : String(error) },
      });
    }
  }

  await x.sync();
  tell({ id: 0, width: display.width, height: display.height });
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    while (held.length >= 8 && held.length >= 4 + held.readUInt32LE(0)) {
      const end = 4 + held.readUInt32LE(0);
      const asked = JSON.parse(held.toString("utf8", 8, 8 + held.readUInt32LE(4))) as Asked;
      held = held.subarray(end);
      void handle(asked);
    }
  }
  await acts.catch(() => undefined);
  await keyboard.releaseAll();
}

/** An X server that is stopped, or busy with something without end, answers nothing and closes nothing. */
async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new DriverError("screen-stuck", `the display has not answered for ${ms / 1000} s`)),
      ms,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Pixels of the screen first, those of the pointer behind them. */
function told(change: FrameChange, isPacked: boolean): readonly [Told, Buffer] {
  const { rectangles, pixels, pointer, cursor } = change;
  const all = cursor === undefined ? pixels : Buffer.concat([pixels, cursor.pixels]);
  const bytes = isPacked && all.length > 0 ? zlib.deflateRawSync(all, { level: 1 }) : all;
  const shape = cursor === undefined ? {} : { cursor: { ...cursor, pixels: undefined } };
  return [{ rectangles, pointer, ...shape }, bytes];
}

/** Arguments: the display's number, `packed` or `plain`. */
async function main(): Promise<void> {
  const [number = "", form = ""] = process.argv.slice(2);
  const output = new net.Socket({ fd: 1, readable: false, writable: true });
  let display: Display;
  try {
    display = await openDisplay(`/tmp/.X11-unix/X${number}`);
  } catch (error) {
    for (const part of framed({ id: 0, error: { code: "display-lost", message: String(error) } }))
      output.write(part);
    output.end();
    return;
  }
  await Promise.race([serve(display, { number, isPacked: form === "packed" }, output), display.x.closed]);
  display.x.close();
  output.end();
  process.stdin.destroy();
}

await main();
