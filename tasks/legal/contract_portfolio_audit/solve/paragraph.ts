/** A paragraph with the number that stands before it, `""` when there is none. */
export interface Paragraph {
  readonly number: string;
  readonly text: string;
}
