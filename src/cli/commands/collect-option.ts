/** Commander's reducer for an option that may be given several times. */
export function collectOption(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}
