const hiddenArguments = /"--(params|seed)=(?:[^"\\]|\\.)*"/g;

/**
 * A line of events without the parameters and seed that a task's programs were started with: an instance is made from them,
 * and they may tell its answer.
 */
export function maskSecrets(line: string): string {
  return line.replaceAll(hiddenArguments, '"--$1=…"');
}
