/** Prefixes in force at an element: its own declarations, then its parent's. */
export interface NamespaceScope {
  readonly declared: ReadonlyMap<string, string>;
  readonly parent: NamespaceScope | undefined;
}

/** How namespaces show in names: not at all, or resolved as `{uri}local`. */
export type NamespaceMode = "ignore" | "resolve";

const xmlNamespace = "http://www.w3.org/XML/1998/namespace";

/** The prefix that an attribute declares (`""` for the default namespace), or `undefined`. */
export function declaredPrefix(attribute: string): string | undefined {
  if (attribute === "xmlns") return "";
  return attribute.startsWith("xmlns:") ? attribute.slice(6) : undefined;
}

/**
 * The name as the plain value has it, or `undefined` when its prefix is not declared. Attributes without a prefix
 * are in no namespace (Namespaces in XML 1.0, section 6.2).
 */
export function resolveName(
  name: string,
  kind: "element" | "attribute",
  scope: NamespaceScope,
  mode: NamespaceMode,
): string | undefined {
  const colon = name.indexOf(":");
  const local = name.slice(colon + 1);
  if (mode === "ignore") return local;
  const prefix = colon < 0 ? "" : name.slice(0, colon);
  if (prefix === "xml") return `{${xmlNamespace}}${local}`;
  if (prefix === "" && kind === "attribute") return local;
  const uri = lookUp(prefix, scope);
  if (uri === undefined) return prefix === "" ? local : undefined;
  return uri === "" ? local : `{${uri}}${local}`;
}

function lookUp(prefix: string, scope: NamespaceScope): string | undefined {
  for (let at: NamespaceScope | undefined = scope; at !== undefined; at = at.parent) {
    const uri = at.declared.get(prefix);
    if (uri !== undefined) return uri;
  }
  return undefined;
}
