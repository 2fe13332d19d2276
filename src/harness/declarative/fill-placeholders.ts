/** Values by name; `undefined` = known, and without a value in this trial. */
export type PlaceholderValues = ReadonlyMap<string, string | undefined>;

const pattern = /\{\{\s*([^{}|]*?)\s*(?:\|\s*([^{}]*?)\s*)?\}\}/g;

/** One `{{name}}` or `{{name|form}}` of a text. */
export interface Placeholder {
  readonly name: string;
  readonly form: string | undefined;
}

/** All that a text holds, in order. */
export function placeholdersIn(text: string): readonly Placeholder[] {
  return [...text.matchAll(pattern)].map(([, name = "", form]) => ({ name, form }));
}

/** The text with its placeholders filled in; `undefined` where one has no value. Values are not looked into again. */
export function fillPlaceholders(text: string, values: PlaceholderValues): string | undefined {
  let isWhole = true;
  const filled = text.replaceAll(pattern, (_, name: string, form: string | undefined) => {
    const value = values.get(name);
    if (value === undefined) isWhole = false;
    return form === "json" ? JSON.stringify(value ?? "") : (value ?? "");
  });
  return isWhole ? filled : undefined;
}
