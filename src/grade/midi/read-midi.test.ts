import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readMidi } from "./read-midi.ts";

/** A flute's three notes and a cello's one, as MuseScore 3.2 exports them. */
const museScore = Buffer.from(
  "4d546864000000060001000301e04d54726b0000001300ff58040402180800ff510309896801ff2f00" +
    "4d54726b0000004800ff5902010000b0790000640000650000060c00647f00657f00c04900b00764000a3f005b00005d0000ff21010000904331835f4300014531854f4500014260816f420001ff2f00" +
    "4d54726b0000003a00ff5902010000b1790000640000650000060c00647f00657f00c12a00b10764000a3f005b00005d0000ff21010000912b508e7f2b0001ff2f00",
  "hex",
);

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ale-midi-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(bytes: Uint8Array) {
  const path = join(folder, "file.mid");
  await writeFile(path, bytes);
  return readMidi(path);
}

describe("a MIDI file", () => {
  test("of MuseScore gives notes in quarters, with program and velocity", async () => {
    const file = await read(museScore);
    expect(file).toMatchObject({ kind: "ok", value: { tracks: 3 } });
    if (file.kind === "bad") return;
    expect(file.value.tempos.map(({ perMinute }) => Math.round(perMinute))).toEqual([96]);
    expect(
      file.value.notes.map(({ track, program, pitch, velocity, onset, duration }) => [
        track,
        program,
        pitch,
        velocity,
        onset,
        Math.round(duration * 10) / 10,
      ]),
    ).toEqual([
      [2, 42, 43, 80, 0, 4],
      [1, 73, 67, 49, 0, 1],
      [1, 73, 69, 49, 1, 1.5],
      [1, 73, 66, 96, 2.5, 0.5],
    ]);
  });

  test("cut off anywhere within its tracks is bad, and never throws", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: museScore.length - 1 }), async (length) => {
        expect((await read(museScore.subarray(0, length))).kind).toBe("bad");
      }),
    );
  });

  test("of any bytes is read or bad, and never throws", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(museScore.length - 1), fc.nat(255)), { maxLength: 6 }),
        async (edits) => {
          const bytes = new Uint8Array(museScore);
          for (const [at, byte] of edits) bytes[at] = byte;
          expect(["ok", "bad"]).toContain((await read(bytes)).kind);
        },
      ),
    );
  });

  test("that is none is bad with the reason", async () => {
    expect(await read(Buffer.from("RIFF....WAVE"))).toMatchObject({ kind: "bad" });
    expect(await read(new Uint8Array())).toMatchObject({
      kind: "bad",
      outcome: { score: 0, message: '"file.mid" cannot be read as MIDI: it is cut off.' },
    });
  });
});
