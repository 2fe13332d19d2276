/** Body of every answer that is not the thing asked for. */
export interface ApiProblem {
  readonly code: string;
  readonly message: string;
  readonly remedy?: string;
}
