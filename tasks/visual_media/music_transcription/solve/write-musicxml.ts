import { instrumentOf } from "../instrument.ts";
import type { Params } from "../params.ts";
import { barLength, type Dynamic, type Note, type Part } from "../piece.ts";

/** Type and dots of a length in eighths. */
const values: Readonly<Record<number, readonly [type: string, dots: number]>> = {
  1: ["eighth", 0],
  2: ["quarter", 0],
  3: ["quarter", 1],
  4: ["half", 0],
  6: ["half", 1],
  8: ["whole", 0],
};
const order = [5, 0, 7, 2, 9, 4, 11];
const letters = ["F", "C", "G", "D", "A", "E", "B"];

/** The score as MusicXML 3.1, for MuseScore to open. */
export function writeMusicXml(params: Params, parts: readonly Part[]): string {
  const list = parts.map(({ instrument }, index) => {
    const { program } = instrumentOf(instrument);
    const id = `P${index + 1}`;
    return `<score-part id="${id}"><part-name>${instrument}</part-name><score-instrument id="${id}-I"><instrument-name>${instrument}</instrument-name></score-instrument><midi-instrument id="${id}-I"><midi-channel>${index + 1}</midi-channel><midi-program>${program + 1}</midi-program></midi-instrument></score-part>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE score-partwise PUBLIC "-//Recordare//DTD MusicXML 3.1 Partwise//EN" "http://www.musicxml.org/dtds/partwise.dtd">
<score-partwise version="3.1"><work><work-title>${params.title}</work-title></work>
<identification><creator type="composer">${params.composer}</creator></identification>
<part-list>${list.join("")}</part-list>
${parts.map((part, index) => writePart(params, part, index)).join("\n")}
</score-partwise>
`;
}

function writePart(params: Params, { instrument, notes }: Part, index: number): string {
  const { clef } = instrumentOf(instrument);
  const bars: string[] = [];
  let dynamic: Dynamic | undefined;
  for (let bar = 0; bar < params.bars; bar++) {
    const written: string[] = [];
    if (bar === 0) {
      written.push(
        `<attributes><divisions>2</divisions><key><fifths>${params.fifths}</fifths></key><time><beats>4</beats><beat-type>4</beat-type></time><clef><sign>${clef}</sign><line>${clef === "G" ? 2 : 4}</line></clef></attributes>`,
      );
      if (index === 0) {
        written.push(
          `<direction placement="above"><direction-type><metronome><beat-unit>quarter</beat-unit><per-minute>${params.tempo}</per-minute></metronome></direction-type><sound tempo="${params.tempo}"/></direction>`,
        );
      }
    }
    let at = bar * barLength;
    for (const note of notes.filter(({ onset }) => Math.floor(onset / barLength) === bar)) {
      written.push(...rests(note.onset - at));
      if (note.dynamic !== dynamic) {
        dynamic = note.dynamic;
        written.push(
          `<direction placement="below"><direction-type><dynamics><${dynamic}/></dynamics></direction-type></direction>`,
        );
      }
      written.push(writeNote(note, params.fifths));
      at = note.onset + note.length;
    }
    written.push(...rests((bar + 1) * barLength - at));
    bars.push(`<measure number="${bar + 1}">${written.join("\n")}</measure>`);
  }
  return `<part id="P${index + 1}">${bars.join("\n")}</part>`;
}

function writeNote({ pitch, length }: Note, fifths: number): string {
  const at = order.findIndex(
    (_, index) => ((order[index] ?? 0) + alterOf(index, fifths) + 120) % 12 === pitch % 12,
  );
  const alter = alterOf(at, fifths);
  const octave = Math.floor((pitch - alter) / 12) - 1;
  return `<note><pitch><step>${letters[at]}</step>${alter === 0 ? "" : `<alter>${alter}</alter>`}<octave>${octave}</octave></pitch>${duration(length)}</note>`;
}

/** The key signature's accidental of a step, both counted along the circle of fifths. */
function alterOf(step: number, fifths: number): number {
  if (fifths > 0) return step < fifths ? 1 : 0;
  return step >= 7 + fifths ? -1 : 0;
}

function rests(length: number): readonly string[] {
  const written: string[] = [];
  for (let left = length; left > 0; ) {
    const part = [8, 4, 2, 1].find((value) => value <= left) ?? 1;
    written.push(`<note><rest/>${duration(part)}</note>`);
    left -= part;
  }
  return written;
}

function duration(length: number): string {
  const value = values[length];
  if (value === undefined) throw new RangeError(`${length} eighths are no single note`);
  return `<duration>${length}</duration><type>${value[0]}</type>${"<dot/>".repeat(value[1])}`;
}
