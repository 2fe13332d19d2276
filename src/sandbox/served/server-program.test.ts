import { execFileSync, spawn } from "node:child_process";
import { Duplex } from "node:stream";
import { describe, expect, test } from "vitest";
import { MachineClient } from "./machine-client.ts";
import { serverProgram } from "./server-program.ts";

/** A server without a host, and a channel for a command that is over, whose output comes through a pipe. */
const surroundings = `
link = Link(os.pipe()[0], os.pipe()[1], False, False)
server = Server(link)
told = []
link.send = lambda kind, number, payload=b"": told.append((kind.decode(), number))

def channel(number):
    source, writer = os.pipe()
    os.set_blocking(source, False)
    made = server.channels[number] = Channel(number)
    made.sources = {1: source}
    server.watch(source, selectors.EVENT_READ, server.pump, made)
    return made, source, writer
`;

/** Runs Python among the program's own definitions; gives what it prints as JSON. */
async function within(script: string): Promise<unknown> {
  const definitions = (await serverProgram()).replace("main(sys.argv[1:])", "");
  return JSON.parse(
    execFileSync("python3", ["-"], { input: definitions + surroundings + script }).toString(),
  );
}

describe("the program that serves a machine", () => {
  test("takes no event of a closed handle for one of the handle that has its number now", async () => {
    const printed = await within(`
first, source, writer = channel(2)
os.write(writer, b"old")
trigger, pulled = os.pipe()
os.write(pulled, b"!")

def swap(*_):
    global second
    server.close(trigger)
    server.close(source)
    first.sources = {}
    second, other, _ = channel(4)
    server.unwatch(other)
    os.dup2(other, source)
    second.sources = {1: source}
    server.watch(source, selectors.EVENT_READ, server.pump, second)
    link.closed = True

server.watch(trigger, selectors.EVENT_READ, swap, None)
batch = server.selector.select
server.selector.select = lambda limit: sorted(batch(limit), key=lambda event: event[0].fd != trigger)
server.run()
print(json.dumps([told, list(server.channels)]))
`);
    expect(printed).toEqual([[], [2, 4]]);
  });

  test("bears that the last writer goes between two looks at an output", async () => {
    const printed = await within(`
over, source, writer = channel(2)
over.final, over.finished = {"exit": 0, "ok": True}, {2}
read, writers = os.read, [writer]

def read_and_lose(handle, size):
    try:
        return read(handle, size)
    except BlockingIOError:
        while writers:
            os.close(writers.pop())
        raise

os.read = read_and_lose
server.pump(over, source)
server.pump(over, source)
print(json.dumps([told, over.sources, list(server.channels)]))
`);
    expect(printed).toEqual([
      [
        ["F", 2],
        ["A", 2],
      ],
      {},
      [],
    ]);
  });

  test("sends nothing of a stream that it has said is at its end", async () => {
    const printed = await within(`
over, source, writer = channel(2)
over.final = {"exit": 0, "ok": True}
server.pump(over, source)
os.write(writer, b"late")
server.pump(over, source)
print(json.dumps(told))
`);
    expect(printed).toEqual([["F", 2]]);
  });

  test("says why when it fails", async () => {
    const child = spawn("python3", ["-c", await serverProgram()], { stdio: ["pipe", "pipe", "ignore"] });
    const client = await MachineClient.open(Duplex.from({ readable: child.stdout, writable: child.stdin }));
    await expect(client.request({ op: "dance" })).rejects.toMatchObject({
      code: "sandbox-gone",
      message: expect.stringMatching(
        /the program on the machine failed: KeyError: 'dance' \(request, line \d+\)/,
      ),
    });
    client.close();
  });
});
