import { coreRequest, DriverError, extensionRequest } from "./connection.ts";
import type { Display } from "./display.ts";

interface KeyPlace {
  readonly keycode: number;
  readonly isShifted: boolean;
}

/** A keysym in place `level` of a keycode that the layout leaves free. */
interface Slot {
  readonly keycode: number;
  readonly level: 0 | 1;
}

const mappingNotify = 34;
const shiftKeysym = 0xffe1;
const shiftLockKeysym = 0xffe5;
const lockMask = 2;
/** From here on symbols are those of multimedia keys. */
const vendorSymbols = 0x1008_0000;

/**
 * Presses keys by what they mean. What the layout lacks is put on its free keycodes, two symbols each. A program reads
 * the layout some time after it has been told of the change, so what was typed with a symbol may be looked up late: a
 * place is given to another symbol only after `settled`, when the program with the keyboard has read all it was sent.
 */
export class Keyboard {
  readonly #display: Display;
  readonly #settled: () => Promise<void>;
  readonly #held = new Map<number, KeyPlace>();
  #symbols: number[][] = [];
  #free: number[] = [];
  #isStale = true;

  constructor(display: Display, settled: () => Promise<void>) {
    this.#display = display;
    this.#settled = settled;
    display.x.listen((event) => {
      if ((event.readUInt8(0) & 0x7f) === mappingNotify) this.#isStale = true;
    });
  }

  async press(keysym: number, isDown: boolean): Promise<void> {
    const held = this.#held.get(keysym);
    if (!isDown) {
      if (held !== undefined) await this.#release(keysym, held);
      return;
    }
    await this.#bind([keysym]);
    const place = this.#placeOf(keysym);
    this.#held.set(keysym, place);
    const shift = place.isShifted && !this.#held.has(shiftKeysym);
    if (shift) this.#fake(this.#placeOf(shiftKeysym).keycode, true);
    this.#fake(place.keycode, true);
    await this.#display.x.sync();
  }

  /** Presses and releases one after the other, in order and without loss. */
  async type(keysyms: readonly number[]): Promise<void> {
    await this.#withoutLock(async () => {
      for (let at = 0; at < keysyms.length; ) {
        const until = await this.#bindFrom(keysyms, at);
        let isShiftDown = false;
        const shift = this.#placeOf(shiftKeysym).keycode;
        for (; at < until; at++) {
          const place = this.#placeOf(keysyms[at] as number);
          if (place.isShifted !== isShiftDown) this.#fake(shift, place.isShifted);
          isShiftDown = place.isShifted;
          this.#fake(place.keycode, true);
          this.#fake(place.keycode, false);
        }
        if (isShiftDown) this.#fake(shift, false);
        await this.#display.x.sync();
      }
    });
  }

  async releaseAll(): Promise<void> {
    for (const [keysym, place] of [...this.#held]) await this.#release(keysym, place);
  }

  async #release(keysym: number, place: KeyPlace): Promise<void> {
    this.#held.delete(keysym);
    this.#fake(place.keycode, false);
    const othersShifted = [...this.#held.values()].some((other) => other.isShifted);
    if (place.isShifted && !othersShifted && !this.#held.has(shiftKeysym)) {
      this.#fake(this.#placeOf(shiftKeysym).keycode, false);
    }
    await this.#display.x.sync();
  }

  /** With Caps Lock off, which is put back after. */
  async #withoutLock(work: () => Promise<void>): Promise<void> {
    await this.#refresh();
    const { x, root } = this.#display;
    const request = coreRequest(38, 0, 4);
    request.writeUInt32LE(root, 4);
    const state = (await x.ask(request)).readUInt16LE(24);
    const lock = (state & lockMask) === 0 ? undefined : this.#find(shiftLockKeysym)?.keycode;
    const tap = (): void => {
      if (lock === undefined) return;
      this.#fake(lock, true);
      this.#fake(lock, false);
    };
    tap();
    try {
      await work();
    } finally {
      tap();
    }
  }

  /** Makes places for as many of the symbols from `at` on as there is room for; gives where it ends. */
  async #bindFrom(keysyms: readonly number[], at: number): Promise<number> {
    await this.#refresh();
    const room = this.#free.length * 2;
    const lacking = new Set<number>();
    let until = at;
    for (; until < keysyms.length; until++) {
      const keysym = keysyms[until] as number;
      if (!lacking.has(keysym) && this.#find(keysym, true) === undefined) {
        if (lacking.size === room) break;
        lacking.add(keysym);
      }
    }
    if (until === at) throw new DriverError("screen-key", "the keyboard layout leaves no keycode free");
    await this.#bind([...lacking]);
    return until;
  }

  async #bind(wanted: readonly number[]): Promise<void> {
    await this.#refresh();
    const lacking = wanted.filter((keysym) => this.#find(keysym) === undefined);
    if (lacking.length === 0) return;
    const slots = this.#slots();
    let open = slots.filter((slot) => this.#symbolAt(slot) === 0);
    if (open.length < lacking.length) {
      await this.#settled();
      const kept = new Set(wanted);
      const keysOfHeld = new Set([...this.#held.values()].map((place) => place.keycode));
      open = slots.filter((slot) => !kept.has(this.#symbolAt(slot)) && !keysOfHeld.has(slot.keycode));
    }
    if (open.length < lacking.length) {
      throw new DriverError("screen-key", "every key the layout leaves free is held down");
    }
    const touched = new Set<number>();
    for (const [index, keysym] of lacking.entries()) {
      const { keycode, level } = open[index] as Slot;
      const symbols = this.#symbols[keycode - this.#display.minKeycode] as number[];
      symbols[level] = keysym;
      touched.add(keycode);
    }
    for (const run of runsOf([...touched].sort((first, second) => first - second))) this.#change(run);
    await this.#display.x.sync();
    // Our own change has been told of by now; what the server holds is what we wrote.
    this.#isStale = false;
  }

  #slots(): readonly Slot[] {
    return ([0, 1] as const).flatMap((level) => this.#free.map((keycode) => ({ keycode, level })));
  }

  #symbolAt({ keycode, level }: Slot): number {
    const [plain = 0, shifted = 0] = this.#symbols[keycode - this.#display.minKeycode] ?? [];
    if (level === 0) return plain;
    return shifted === plain ? 0 : shifted;
  }

  /** Of neighbouring keycodes. One symbol is given twice: a letter alone would stand for both its cases. */
  #change(keycodes: readonly number[]): void {
    const request = coreRequest(100, keycodes.length, 4 + keycodes.length * 8);
    request.writeUInt8(keycodes[0] as number, 4);
    request.writeUInt8(2, 5);
    for (const [index, keycode] of keycodes.entries()) {
      const plain = this.#symbolAt({ keycode, level: 0 });
      request.writeUInt32LE(plain, 8 + index * 8);
      request.writeUInt32LE(this.#symbolAt({ keycode, level: 1 }) || plain, 12 + index * 8);
    }
    this.#display.x.send(request);
  }

  #placeOf(keysym: number): KeyPlace {
    const place = this.#find(keysym);
    if (place === undefined) throw new DriverError("screen-key", `no key gives the symbol ${keysym}`);
    return place;
  }

  /** `fixedOnly`: only where the layout itself has it, not on keycodes of ours. */
  #find(keysym: number, fixedOnly = false): KeyPlace | undefined {
    for (const level of [0, 1] as const) {
      for (const [index, symbols] of this.#symbols.entries()) {
        const keycode = index + this.#display.minKeycode;
        if (symbols[level] !== keysym || (fixedOnly && this.#free.includes(keycode))) continue;
        return { keycode, isShifted: level === 1 };
      }
    }
    return undefined;
  }

  async #refresh(): Promise<void> {
    if (!this.#isStale) return;
    this.#isStale = false;
    const { x, minKeycode, maxKeycode } = this.#display;
    const count = maxKeycode - minKeycode + 1;
    const request = coreRequest(101, 0, 4);
    request.writeUInt8(minKeycode, 4);
    request.writeUInt8(count, 5);
    const [reply, modifiers] = await Promise.all([x.ask(request), x.ask(coreRequest(119, 0, 0))]);
    const each = reply.readUInt8(1);
    this.#symbols = Array.from({ length: count }, (_, index) =>
      Array.from({ length: Math.max(2, each) }, (__, level) =>
        level < each ? reply.readUInt32LE(32 + (index * each + level) * 4) : 0,
      ),
    );
    if (this.#free.length > 0) return;
    // Every notice of a change costs programs time: neighbours are changed in one, so the longest runs come first.
    const free = dispensable(this.#symbols, minKeycode, new Set(modifiers.subarray(32)));
    this.#free = [...runsOf(free)].sort((first, second) => second.length - first.length).flat();
  }

  #fake(keycode: number, isDown: boolean): void {
    const { x, test } = this.#display;
    x.send(fakeInput(test.opcode, isDown ? 2 : 3, keycode));
  }
}

/** XTEST's FakeInput: an event as if it came from the device itself. */
export function fakeInput(
  opcode: number,
  type: number,
  detail: number,
  at: { readonly root: number; readonly x: number; readonly y: number } = { root: 0, x: 0, y: 0 },
): Buffer {
  const request = extensionRequest(opcode, 2, [0, 0, 0, 0, 0, 0, 0, 0]);
  request.writeUInt8(type, 4);
  request.writeUInt8(detail, 5);
  request.writeUInt32LE(at.root, 12);
  request.writeInt16LE(at.x, 24);
  request.writeInt16LE(at.y, 26);
  return request;
}

/** Keycodes without which the layout still gives all it gives: unused ones, second places, keys of other devices. */
function dispensable(
  symbols: readonly (readonly number[])[],
  minKeycode: number,
  modifiers: ReadonlySet<number>,
): readonly number[] {
  const given = new Set<number>();
  return symbols.flatMap((own, index) => {
    const keycode = minKeycode + index;
    const isNeeded = own.some((symbol) => symbol !== 0 && symbol < vendorSymbols && !given.has(symbol));
    for (const symbol of own) given.add(symbol);
    return isNeeded || modifiers.has(keycode) ? [] : [keycode];
  });
}

function runsOf(sorted: readonly number[]): readonly (readonly number[])[] {
  const runs: number[][] = [];
  for (const number of sorted) {
    const last = runs.at(-1);
    if (last !== undefined && last.at(-1) === number - 1) last.push(number);
    else runs.push([number]);
  }
  return runs;
}
