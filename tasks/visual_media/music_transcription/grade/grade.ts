import type { Verdict } from "ale/contract/verdict";
import { readPdf } from "ale/grade/document/read-pdf";
import { findStaves } from "ale/grade/image/find-staves";
import { loadImage } from "ale/grade/image/load-image";
import { type MidiFile, readMidi } from "ale/grade/midi/read-midi";
import { dynamicsAgreement, pitchAgreement, rhythmAgreement } from "ale/grade/midi/transcription";
import type { Outcome } from "ale/grade/outcome";
import { check } from "ale/grade/rubric/check";
import { fromReference } from "ale/grade/rubric/from-reference";
import { gateAndScore } from "ale/grade/rubric/gate-and-score";
import type { Read } from "ale/grade/rubric/read";
import { locateArtifact, readBytes, readJson } from "ale/grade/rubric/read-artifact";
import { weightedRubric } from "ale/grade/rubric/weighted-rubric";
import type { GradeContext } from "ale/task";
import type { Params } from "../params.ts";
import type { Part } from "../piece.ts";
import { layoutOutcome } from "./layout-outcome.ts";
import { type PairedPart, pairParts } from "./pair-parts.ts";

const smallest = { width: 800, height: 600 } as const;

/** Gates on PDF, MIDI and screenshot, and on half of the pitches; then the five criteria with their published weights. */
export async function grade({ artifacts, reference, params }: GradeContext<Params>): Promise<Verdict> {
  const parts = fromReference(await readJson(reference, "parts.json")) as unknown as readonly Part[];
  const pdf = await reading(artifacts, "transcription.pdf", readPdf);
  const midi = await reading(artifacts, "transcription.mid", readMidi);
  const paired = midi.kind === "ok" ? pairParts(midi.value, parts) : [];
  const pitch = pitchAgreement(paired);
  const gates = [
    check({ id: "pdf", stage: "hand-in", gate: true, outcome: wasRead(pdf, "The PDF opens.") }),
    check({ id: "midi", stage: "hand-in", gate: true, outcome: wasRead(midi, "The MIDI file opens.") }),
    check({ id: "screenshot", stage: "hand-in", gate: true, outcome: await screenshotOutcome(artifacts) }),
    check({ id: "usable", stage: "pitch", gate: true, outcome: usable(pitch) }),
  ];
  if (pdf.kind === "bad" || midi.kind === "bad") return weightedRubric(gates);
  return gateAndScore(gates, [
    check({ id: "pitch", stage: "pitch", weight: 30, outcome: pitch }),
    check({ id: "note-values", stage: "rhythm", weight: 27, outcome: rhythmAgreement(paired) }),
    check({ id: "tempo", stage: "rhythm", weight: 3, outcome: tempoOutcome(midi.value, params.tempo) }),
    check({ id: "dynamics", stage: "dynamics", weight: 20, outcome: dynamicsAgreement(paired) }),
    check({ id: "instruments", stage: "instruments", weight: 10, outcome: instrumentsOutcome(paired) }),
    check({ id: "layout", stage: "layout", weight: 10, outcome: layoutOutcome(pdf.value, params) }),
  ]);
}

async function reading<T>(
  artifacts: string,
  name: string,
  read: (path: string) => Promise<Read<T>>,
): Promise<Read<T>> {
  const path = await locateArtifact(artifacts, name);
  return path.kind === "bad" ? path : read(path.value);
}

function wasRead(read: Read<unknown>, message: string): Outcome {
  return read.kind === "bad" ? read.outcome : { score: 1, message };
}

async function screenshotOutcome(artifacts: string): Promise<Outcome> {
  const bytes = await readBytes(artifacts, "screenshot.png");
  if (bytes.kind === "bad") return bytes.outcome;
  const image = await loadImage(bytes.value, "screenshot.png");
  if (image.kind === "bad") return image.outcome;
  const { width, height } = image.value;
  const staves = findStaves(image.value).length;
  const isLarge = width >= smallest.width && height >= smallest.height;
  return {
    score: Number(isLarge && staves >= 2),
    message: `The screenshot is ${width} × ${height} pixels and shows ${staves} staves; at least ${smallest.width} × ${smallest.height} and 2 are asked for.`,
  };
}

function usable({ score, message }: Outcome): Outcome {
  return { score: Number(score >= 0.5), message: `At least half of the pitches must agree: ${message}` };
}

function tempoOutcome({ tempos }: MidiFile, tempo: number): Outcome {
  const first = tempos[0]?.perMinute ?? 120;
  const isRight = tempos.length <= 1 && Math.abs(first - tempo) <= 1;
  return {
    score: Number(isRight),
    message: `The tempo is ${first.toFixed(1)}, should be ${tempo} throughout.`,
  };
}

function instrumentsOutcome(parts: readonly PairedPart[]): Outcome {
  const right = parts.filter(({ program, programs }) => programs.length === 1 && programs[0] === program);
  return {
    score: right.length / Math.max(1, parts.length),
    message: `${right.length} of ${parts.length} staves have the instrument that plays them.`,
    evidence: parts.map(({ name, program, programs }) => ({ name, program, found: programs })),
  };
}
