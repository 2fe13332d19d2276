import { coreRequest, DriverError, type XConnection } from "./connection.ts";
import { type Display, readProperty, sendEvent, writeProperty } from "./display.ts";

const selectionClear = 29;
const selectionRequest = 30;
const selectionNotify = 31;
const propertyNotify = 28;
const answerLimitMs = 3000;
/** More text is given and taken in parts by the protocol's INCR, which only reading knows. */
const largestText = 8 * 1024 * 1024;
const textTargets = ["UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "STRING", "TEXT"];

/** The selection CLIPBOARD: what other programs put there is asked of them, what is written here is held here. */
export class Clipboard {
  readonly #x: XConnection;
  readonly #window: number;
  readonly #waiting = new Set<(event: Buffer) => void>();
  #own: Buffer | undefined;

  constructor({ x, root }: Display) {
    this.#x = x;
    this.#window = x.newId();
    const create = coreRequest(1, 0, 32);
    create.writeUInt32LE(this.#window, 4);
    create.writeUInt32LE(root, 8);
    create.writeUInt16LE(1, 16);
    create.writeUInt16LE(1, 18);
    create.writeUInt16LE(2, 22);
    // Event mask: PropertyChange.
    create.writeUInt32LE(0x800, 28);
    create.writeUInt32LE(0x400000, 32);
    x.send(create);
    x.listen((event) => this.#hear(event));
  }

  async write(text: string): Promise<void> {
    const bytes = Buffer.from(text, "utf8");
    if (bytes.length > largestText) {
      throw new DriverError(
        "screen-unsupported",
        `a clipboard text of ${bytes.length} bytes is more than 8 MiB`,
      );
    }
    this.#own = bytes;
    const clipboard = await this.#x.atom("CLIPBOARD");
    const request = coreRequest(22, 0, 12);
    request.writeUInt32LE(this.#window, 4);
    request.writeUInt32LE(clipboard, 8);
    this.#x.send(request);
    await this.#x.sync();
  }

  /** Empty where nobody holds text. */
  async read(): Promise<string> {
    if (this.#own !== undefined) return this.#own.toString("utf8");
    for (const target of ["UTF8_STRING", "STRING"]) {
      const bytes = await this.#ask(target);
      if (bytes !== undefined) return bytes.toString(target === "STRING" ? "latin1" : "utf8");
    }
    return "";
  }

  async #ask(target: string): Promise<Buffer | undefined> {
    const x = this.#x;
    const answer = this.#next((event) => event.readUInt8(0) === selectionNotify);
    const request = coreRequest(24, 0, 20);
    request.writeUInt32LE(this.#window, 4);
    request.writeUInt32LE(await x.atom("CLIPBOARD"), 8);
    request.writeUInt32LE(await x.atom(target), 12);
    request.writeUInt32LE(await x.atom("ALE_CLIPBOARD"), 16);
    x.send(request);
    const event = await answer;
    if (event === undefined || event.readUInt32LE(20) === 0) return undefined;
    const isNew = (candidate: Buffer): boolean =>
      candidate.readUInt8(0) === propertyNotify && candidate[16] === 0;
    // Removing the property is what asks for the first part, so the watch for it stands before.
    let part = this.#next(isNew);
    const property = await readProperty(x, this.#window, "ALE_CLIPBOARD", true);
    if (property.type !== (await x.atom("INCR"))) return Buffer.from(property.value);
    const parts: Buffer[] = [];
    for (let bytes = 0; bytes < largestText; ) {
      if ((await part) === undefined) break;
      part = this.#next(isNew);
      const { value } = await readProperty(x, this.#window, "ALE_CLIPBOARD", true);
      if (value.length === 0) break;
      parts.push(Buffer.from(value));
      bytes += value.length;
    }
    return Buffer.concat(parts);
  }

  /** The next such event; `undefined` when none comes in time. */
  #next(matches: (event: Buffer) => boolean): Promise<Buffer | undefined> {
    return new Promise((resolve) => {
      const finish = (event: Buffer | undefined): void => {
        clearTimeout(timer);
        this.#waiting.delete(hear);
        resolve(event);
      };
      const hear = (event: Buffer): void => {
        if (matches(event)) finish(event);
      };
      const timer = setTimeout(() => finish(undefined), answerLimitMs);
      this.#waiting.add(hear);
    });
  }

  #hear(event: Buffer): void {
    const type = event.readUInt8(0) & 0x7f;
    if (type === selectionClear && event.readUInt32LE(8) === this.#window) this.#own = undefined;
    else if (type === selectionRequest) void this.#give(event);
    else if (type === propertyNotify || type === selectionNotify) {
      const plain = Buffer.from(event);
      plain.writeUInt8(type, 0);
      for (const hear of [...this.#waiting]) hear(plain);
    }
  }

  /** Answers another program's wish for what is held here (Inter-Client Communication Conventions 2.0, section 2). */
  async #give(event: Buffer): Promise<void> {
    const x = this.#x;
    const requestor = event.readUInt32LE(12);
    const selection = event.readUInt32LE(16);
    const target = event.readUInt32LE(20);
    const property = event.readUInt32LE(24) || target;
    const [targets, utf8, ...texts] = await Promise.all(
      ["TARGETS", "UTF8_STRING", ...textTargets].map((name) => x.atom(name)),
    );
    const own = this.#own;
    let given = property;
    if (own !== undefined && target === targets) {
      const list = Buffer.alloc((texts.length + 1) * 4);
      for (const [index, atom] of [targets, ...texts].entries()) list.writeUInt32LE(atom, index * 4);
      writeProperty(x, requestor, property, await x.atom("ATOM"), 32, list);
    } else if (own !== undefined && texts.includes(target)) {
      const latin = target === (await x.atom("STRING"));
      const value = latin ? Buffer.from(own.toString("utf8"), "latin1") : own;
      writeProperty(x, requestor, property, latin ? target : (utf8 as number), 8, value);
    } else {
      given = 0;
    }
    const notify = Buffer.alloc(32);
    notify.writeUInt8(selectionNotify, 0);
    event.copy(notify, 4, 4, 8);
    notify.writeUInt32LE(requestor, 8);
    notify.writeUInt32LE(selection, 12);
    notify.writeUInt32LE(target, 16);
    notify.writeUInt32LE(given, 20);
    sendEvent(x, requestor, 0, notify);
  }
}
