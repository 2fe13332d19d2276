/** Parameters of an instance. A type, not an interface, so that it has the index signature of task parameters. */
export type Params = {
  /** As the course is called in the gradebook and in the mail. */
  readonly course: string;
  readonly term: string;
  readonly students: number;
  /** How often each kind of decision is in the mail. */
  readonly decisions: number;
};
