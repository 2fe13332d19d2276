/** Two channels as a WAV file of 16-bit samples. */
export function writeWav(left: Float64Array, right: Float64Array, sampleRate: number): Uint8Array {
  const frames = Math.min(left.length, right.length);
  const file = Buffer.alloc(44 + frames * 4);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(36 + frames * 4, 4);
  file.write("WAVEfmt ", 8, "latin1");
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(2, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * 4, 28);
  file.writeUInt16LE(4, 32);
  file.writeUInt16LE(16, 34);
  file.write("data", 36, "latin1");
  file.writeUInt32LE(frames * 4, 40);
  const sample = (value = 0): number => Math.round(Math.min(1, Math.max(-1, value)) * 32767);
  for (let frame = 0; frame < frames; frame++) {
    file.writeInt16LE(sample(left[frame]), 44 + frame * 4);
    file.writeInt16LE(sample(right[frame]), 46 + frame * 4);
  }
  return file;
}

/** Reads what {@link writeWav} writes. */
export function readWav(file: Buffer): {
  readonly left: Float64Array;
  readonly right: Float64Array;
  readonly sampleRate: number;
} {
  const frames = Math.floor((file.length - 44) / 4);
  const [left, right] = [new Float64Array(frames), new Float64Array(frames)];
  for (let frame = 0; frame < frames; frame++) {
    left[frame] = file.readInt16LE(44 + frame * 4) / 32767;
    right[frame] = file.readInt16LE(46 + frame * 4) / 32767;
  }
  return { left, right, sampleRate: file.readUInt32LE(24) };
}
