import { spawn } from "node:child_process";
import { once } from "node:events";
import { Duplex, PassThrough, Writable } from "node:stream";
import { StewardLink } from "../steward-link.ts";
import { stewardProgram } from "../steward-program.ts";

/** A steward on this host, without a container around it. */
export interface TestSteward extends AsyncDisposable {
  readonly link: StewardLink;
  readonly pid: number;
}

/**
 * Starts the steward as it is, but for what it does to its machine: it prepares nothing, and ends no process when it is
 * asked to quiesce.
 */
export async function startSteward(): Promise<TestSteward> {
  let text = stewardProgram();
  for (const part of ["no_cores();\nprepare();\n", '    kill "KILL", -1;\n']) {
    if (text.split(part).length !== 2) throw new RangeError(`the steward has no such part: ${part}`);
    text = text.replace(part, "");
  }
  const child = spawn("perl", ["-e", text, "--", "1000", "/", "/", "/", ""], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const told = new PassThrough();
  child.stdout.on("data", (piece: Buffer) => told.write(Buffer.concat([headOf(piece), piece])));
  child.stdout.on("end", () => told.end());
  const asked = new Writable({
    write: (piece, _, done) => void child.stdin.write(piece, () => done()),
    final: (done) => void child.stdin.end(() => done()),
    destroy: (_, done) => {
      child.stdin.destroy();
      done(null);
    },
  });
  const link = new StewardLink(Duplex.from({ readable: told, writable: asked }));
  await link.begun;
  return {
    link,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      link.close();
      await exited;
    },
  };
}

/** As the daemon marks a piece of standard output. */
function headOf(piece: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt8(1);
  head.writeUInt32BE(piece.length, 4);
  return head;
}
