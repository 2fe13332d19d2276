import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type MidiNote, readMidi } from "ale/grade/midi/read-midi";
import type { Probe, ProbeContext } from "ale/task";
import sharp from "sharp";
import type { Params } from "./params.ts";
import { writeMidi } from "./write-midi.ts";

type Context = ProbeContext<Params>;

const files = ["transcription.pdf", "transcription.mid", "screenshot.png"];

async function editNotes(
  { output, params }: Context,
  edit: (note: MidiNote, index: number) => MidiNote | undefined,
  tempo: number = params.tempo,
): Promise<void> {
  const path = join(output, "transcription.mid");
  const read = await readMidi(path);
  if (read.kind === "bad") throw new Error(read.outcome.message);
  const notes = read.value.notes.map(edit).filter((note) => note !== undefined);
  writeFileSync(path, writeMidi(notes, tempo));
}

export const probes: readonly Probe<Params>[] = [
  {
    name: "empty-files",
    kind: "empty",
    expected: 0,
    because: "Files without content are no transcription.",
    make({ output }) {
      for (const name of files) writeFileSync(join(output, name), "");
    },
  },
  {
    name: "midi-only",
    kind: "truncated",
    expected: 0,
    because: "A perfect MIDI file without print and screenshot is not what was asked for.",
    make({ output }) {
      rmSync(join(output, "transcription.pdf"));
      rmSync(join(output, "screenshot.png"));
    },
  },
  {
    name: "screenshot-of-nothing",
    kind: "near-miss",
    expected: 0,
    because: "A picture of an empty desktop shows no score.",
    async make({ output }) {
      const background = { r: 70, g: 90, b: 110 };
      const image = sharp({ create: { width: 1280, height: 900, channels: 3, background } });
      await image.png().toFile(join(output, "screenshot.png"));
    },
  },
  {
    name: "copied-input",
    kind: "copied-input",
    expected: 0,
    because: "The recording is no score of itself.",
    make({ input, output }) {
      for (const name of files) copyFileSync(join(input, "recording.wav"), join(output, name));
    },
  },
  {
    name: "one-note-repeated",
    kind: "format-only",
    expected: 0,
    because: "The right rhythm on one pitch transcribes nothing.",
    make: (context) => editNotes(context, (note) => ({ ...note, pitch: 62 })),
  },
  {
    name: "a-semitone-high",
    kind: "off-tolerance",
    expected: 0,
    because: "In the wrong key, no pitch is right but by chance.",
    make: (context) => editNotes(context, (note) => ({ ...note, pitch: note.pitch + 1 })),
  },
  {
    name: "values-doubled",
    kind: "unit-error",
    expected: [0.5, 0.6],
    because: "Halves for quarters at twice the tempo sound alike, but are not the notation asked for.",
    make: (context) =>
      editNotes(
        context,
        (note) => ({ ...note, onset: note.onset * 2, duration: note.duration * 2 }),
        context.params.tempo * 2,
      ),
  },
  {
    name: "no-dynamics",
    kind: "near-miss",
    expected: [0.8, 0.8],
    because: "Everything at one loudness between the marks: dynamics are 20 of 100.",
    make: (context) => editNotes(context, (note) => ({ ...note, velocity: 64 })),
  },
  {
    name: "two-pianos",
    kind: "near-miss",
    expected: [0.9, 0.9],
    because: "The instruments are 10 of 100.",
    make: (context) => editNotes(context, (note) => ({ ...note, program: 0 })),
  },
  {
    name: "wrong-tempo",
    kind: "off-tolerance",
    expected: [0.97, 0.97],
    because: "The tempo is 3 of the 30 for rhythm.",
    make: (context) => editNotes(context, (note) => note, context.params.tempo + 4),
  },
  {
    name: "a-sixteenth-late",
    kind: "off-tolerance",
    expected: [0.53, 0.54],
    because: "No note begins where it should: neither note values nor dynamics are found.",
    make: (context) => editNotes(context, (note) => ({ ...note, onset: note.onset + 0.25 })),
  },
  {
    name: "two-thirds-of-it",
    kind: "truncated",
    expected: [0.6, 0.9],
    because: "The last third of the piece is missing.",
    make: (context) =>
      editNotes(context, (note) => (note.onset < (context.params.bars * 8) / 3 ? note : undefined)),
  },
  {
    name: "another-program-wrote-it",
    kind: "valid-alternative",
    expected: 1,
    because:
      "One track of two channels, held a little shorter, slightly softer within the dynamic, is the same music.",
    make: (context) =>
      editNotes(context, (note) => ({
        ...note,
        channel: note.channel === 0 ? 5 : 2,
        duration: note.duration * 0.95,
        velocity: note.velocity - 4,
      })),
  },
];
