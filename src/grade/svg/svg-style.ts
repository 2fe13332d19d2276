import type { SvgElement, SvgPath } from "./svg-tree.ts";

/** A property as an element itself states it, in its `style` or as an attribute; style sheets are not looked at. */
export function ownProperty(element: SvgElement, property: string): string | undefined {
  for (const declaration of (element.attributes.get("style") ?? "").split(";").reverse()) {
    const colon = declaration.indexOf(":");
    if (colon >= 0 && declaration.slice(0, colon).trim() === property)
      return declaration.slice(colon + 1).trim();
  }
  return element.attributes.get(property)?.trim();
}

/** An inherited property, stated by the element or by the nearest one around it. */
export function inheritedProperty(path: SvgPath, property: string): string | undefined {
  for (const element of [...path].reverse()) {
    const own = ownProperty(element, property);
    if (own !== undefined && own !== "inherit") return own;
  }
  return undefined;
}
