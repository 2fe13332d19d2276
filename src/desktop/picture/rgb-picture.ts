/** Pixels of three bytes, red, green, blue, row by row without gaps. */
export interface RgbPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}
