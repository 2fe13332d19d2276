import { parseInstanceId } from "../../contract/ids.ts";

/**
 * Whether an instance id fits a glob: `**` is anything, `*` anything but `/`, `?` one character but `/`. A
 * pattern without `@` is about the workflow, and takes all of its instances.
 */
export function matchInstance(pattern: string, instance: string): boolean {
  const subject = pattern.includes("@") ? instance : parseInstanceId(instance).workflow;
  return globExpression(pattern).test(subject);
}

function globExpression(pattern: string): RegExp {
  const source = pattern.replaceAll(/\*\*|[*?]|[\\^$.+()[\]{}|]/g, (token) => {
    if (token === "**") return ".*";
    if (token === "*") return "[^/]*";
    if (token === "?") return "[^/]";
    return `\\${token}`;
  });
  return new RegExp(`^${source}$`);
}
