/** True when the list names the host: itself, or by `*.domain` any host below the domain (not the domain). */
export function allowsHost(allow: readonly string[], host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  return allow.some((entry) => {
    const rule = entry.toLowerCase();
    return rule.startsWith("*.") ? name.endsWith(rule.slice(1)) : name === rule;
  });
}
