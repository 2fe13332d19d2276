/** Values an error may carry: plain data, so that a record or `--json` can hold them. */
export type ErrorField = string | number | boolean | null | readonly string[];

export interface AleErrorOptions {
  /** Stable, kebab-case, e.g. `unknown-run`. Scripts match on it. */
  readonly code: string;
  /** What happened and where, in one sentence. */
  readonly message: string;
  /** What the reader should do now, in one sentence or one command. */
  readonly remedy?: string;
  /** The facts the message was built from. */
  readonly fields?: Readonly<Record<string, ErrorField>>;
  readonly cause?: unknown;
}

const marker: symbol = Symbol.for("ale.error");

/**
 * The one error base. Thrown only for a mistake of the operator or of ours: what an agent, a model, a task
 * or a grader's input does wrong is data in the record. Printed without a stack.
 */
export class AleError extends Error {
  readonly code: string;
  readonly remedy: string | undefined;
  readonly fields: Readonly<Record<string, ErrorField>>;

  constructor(options: AleErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AleError";
    this.code = options.code;
    this.remedy = options.remedy;
    this.fields = options.fields ?? {};
    Object.defineProperty(this, marker, { value: true });
  }

  /** True for an `AleError` of any copy of this package, which `instanceof` is not. */
  static isInstance(value: unknown): value is AleError {
    return typeof value === "object" && value !== null && marker in value;
  }
}
