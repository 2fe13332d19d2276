/** What may follow a model's name without making it another model: a date or a revision number. */
const datedTail = /^[-@](?:\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|\d{3}|v\d+)$/;

/**
 * True when an answer comes from the model that was asked for: the same name, its dated form, what `-latest` stands
 * for, or one of the names it is known to answer under. Prefixes such as `models/` and `vendor/` do not count.
 */
export function isSameModel(asked: string, served: string, also: readonly string[] = []): boolean {
  const wanted = bare(asked);
  const given = bare(served);
  if (given === wanted || also.some((name) => bare(name) === given)) return true;
  if (wanted.endsWith("-latest")) return given.startsWith(wanted.slice(0, -"latest".length));
  return given.startsWith(wanted) && datedTail.test(given.slice(wanted.length));
}

function bare(name: string): string {
  return name.toLowerCase().slice(name.lastIndexOf("/") + 1);
}
