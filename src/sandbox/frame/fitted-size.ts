/** Width and height in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The largest size of the same shape that fits, never larger than it is, never smaller than a pixel. */
export function fittedSize({ width, height }: PictureSize, fit: PictureSize | undefined): PictureSize {
  const scale = fit === undefined ? 1 : Math.min(1, fit.width / width, fit.height / height);
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}
