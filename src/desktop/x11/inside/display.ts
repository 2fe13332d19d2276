import { coreRequest, DriverError, type ExtensionInfo, extensionRequest, XConnection } from "./connection.ts";

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The server's one screen and the extensions this program works with. */
export interface Display {
  readonly x: XConnection;
  readonly root: number;
  readonly width: number;
  readonly height: number;
  readonly minKeycode: number;
  readonly maxKeycode: number;
  readonly test: ExtensionInfo;
  readonly damage: ExtensionInfo;
  readonly fixes: ExtensionInfo;
}

/** Connects to a display by its socket, on this machine `/tmp/.X11-unix/X<number>`, and looks at what it is. */
export async function openDisplay(path: string): Promise<Display> {
  const x = await XConnection.open(path);
  const { setup } = x;
  const screen = 40 + Math.ceil(setup.readUInt16LE(24) / 4) * 4 + setup.readUInt8(29) * 8;
  const depth = setup.readUInt8(screen + 38);
  if (depth !== 24 || setup[30] !== 0) {
    throw new DriverError(
      "display-lacks",
      `the screen's depth is ${depth}, not 24, or its byte order is odd`,
    );
  }
  const [test, damage, fixes] = await Promise.all(
    ["XTEST", "DAMAGE", "XFIXES"].map((name) => x.extension(name)),
  );
  if (test === undefined || damage === undefined || fixes === undefined) {
    throw new DriverError("display-lacks", "the X server lacks XTEST, DAMAGE or XFIXES");
  }
  // Both must be told which version their client speaks before anything else.
  await x.ask(extensionRequest(fixes.opcode, 0, [5, 0]));
  await x.ask(extensionRequest(damage.opcode, 0, [1, 1]));
  return {
    x,
    root: setup.readUInt32LE(screen),
    width: setup.readUInt16LE(screen + 20),
    height: setup.readUInt16LE(screen + 22),
    minKeycode: setup.readUInt8(34),
    maxKeycode: setup.readUInt8(35),
    test,
    damage,
    fixes,
  };
}

export interface Property {
  readonly type: number;
  /** Bits of a unit: 8, 16 or 32; 0 where there is no such property. */
  readonly format: number;
  readonly value: Buffer;
}

/** A window's property, whole; of `none` where the window or the property is not there. */
export async function readProperty(
  x: XConnection,
  window: number,
  name: string,
  remove = false,
): Promise<Property> {
  const request = coreRequest(20, remove ? 1 : 0, 20);
  request.writeUInt32LE(window, 4);
  request.writeUInt32LE(await x.atom(name), 8);
  request.writeUInt32LE(0x0fff_ffff, 20);
  try {
    const reply = await x.ask(request);
    const format = reply.readUInt8(1);
    const bytes = (reply.readUInt32LE(16) * format) / 8;
    return { type: reply.readUInt32LE(8), format, value: reply.subarray(32, 32 + bytes) };
  } catch (error) {
    if (error instanceof DriverError && error.code === "display-error") {
      return { type: 0, format: 0, value: Buffer.alloc(0) };
    }
    throw error;
  }
}

/** A property of 32-bit units: windows, atoms, numbers. */
export async function readNumbers(x: XConnection, window: number, name: string): Promise<readonly number[]> {
  const { format, value } = await readProperty(x, window, name);
  if (format !== 32) return [];
  return Array.from({ length: value.length / 4 }, (_, index) => value.readUInt32LE(index * 4));
}

/** Sets a property, replacing it. `format` is 8 or 32. */
export function writeProperty(
  x: XConnection,
  window: number,
  name: number,
  type: number,
  format: 8 | 32,
  value: Buffer,
): void {
  const request = coreRequest(18, 0, 20 + Math.ceil(value.length / 4) * 4);
  request.writeUInt32LE(window, 4);
  request.writeUInt32LE(name, 8);
  request.writeUInt32LE(type, 12);
  request.writeUInt8(format, 16);
  request.writeUInt32LE(value.length / (format / 8), 20);
  value.copy(request, 24);
  x.send(request);
}

/** Sends an event of 32 bytes to a window. `mask` 0 is the window's own client. */
export function sendEvent(x: XConnection, window: number, mask: number, event: Buffer): void {
  const request = coreRequest(25, 0, 40);
  request.writeUInt32LE(window, 4);
  request.writeUInt32LE(mask, 8);
  event.copy(request, 12);
  x.send(request);
}

/** A ClientMessage of 32-bit units about a window. */
export function clientMessage(window: number, type: number, data: readonly number[]): Buffer {
  const event = Buffer.alloc(32);
  event.writeUInt8(33, 0);
  event.writeUInt8(32, 1);
  event.writeUInt32LE(window, 4);
  event.writeUInt32LE(type, 8);
  for (const [index, value] of data.entries()) event.writeUInt32LE(value >>> 0, 12 + index * 4);
  return event;
}
