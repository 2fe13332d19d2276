import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { fromReference } from "../rubric/from-reference.ts";
import type { Read } from "../rubric/read.ts";
import { parseJson } from "./parse-json.ts";
import { parseXml, type XmlOptions } from "./parse-xml.ts";
import { parseYaml } from "./parse-yaml.ts";

/** The value as ordinary JSON objects, for comparison. */
function value(read: Read<unknown>): unknown {
  return JSON.parse(JSON.stringify(fromReference(read)));
}

function complaint(read: Read<unknown>): string {
  if (read.kind === "ok") throw new Error("was read");
  return read.outcome.message;
}

const json = fc.jsonValue({ maxDepth: 4, noUnicodeString: true });

describe("JSON", () => {
  it("is read as the built-in parser reads it", () => {
    fc.assert(
      fc.property(json, (data) => {
        expect(value(parseJson(JSON.stringify(data), "x"))).toEqual(JSON.parse(JSON.stringify(data)));
      }),
    );
  });
});

describe("YAML", () => {
  it("is read back as it was written", () => {
    fc.assert(
      fc.property(json, (data) => {
        expect(value(parseYaml(stringify(data), "x"))).toEqual(JSON.parse(JSON.stringify(data)));
      }),
    );
  });

  it("keeps dates as text and merge keys as keys, and expands aliases", () => {
    const text = "day: 2026-11-29\nbase: &b {x: 1}\nother: *b\nmerged:\n  <<: *b\n";
    expect(value(parseYaml(text, "x"))).toEqual({
      day: "2026-11-29",
      base: { x: 1 },
      other: { x: 1 },
      merged: { "<<": { x: 1 } },
    });
  });

  it("gives no meaning to keys such as __proto__", () => {
    const read = fromReference(parseYaml("__proto__: {polluted: true}\n", "x"));
    expect(Object.getPrototypeOf(read)).toBeNull();
    expect(Object.keys(read as object)).toEqual(["__proto__"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  const laughs = Array.from({ length: 12 }, (_, level) =>
    level === 0
      ? "a0: &a0 [x,x,x,x,x,x,x,x,x]"
      : `a${level}: &a${level} [${Array(9).fill(`*a${level - 1}`)}]`,
  ).join("\n");
  it.each([
    ["a billion laughs", laughs],
    ["a list within itself", "a: &a [*a]"],
    ["brackets without end", "[".repeat(200_000)],
    ["dashes without end", "- ".repeat(100_000)],
    ["a flood of anchors", `${"&a ".repeat(50_000)}x`],
    ["two documents", "a: 1\n---\nb: 2\n"],
    ["a number that is none", "a: .nan"],
    ["broken text", "a: [1"],
    ["too long a text", "#".repeat(2_000_001)],
  ])("refuses %s", (_case, text) => {
    expect(complaint(parseYaml(text, '"x.yaml"'))).toContain('"x.yaml"');
  });
});

describe("XML", () => {
  it("becomes objects with attributes, text, and lists of children", () => {
    const text = `<?xml version="1.0"?><!-- c --><i:inv xmlns:i="urn:i" b="2" a="&lt;1&#x41;">
      <line n='1'> Tea &amp; <![CDATA[<milk>]]></line><total/><line n="2">x</line></i:inv>`;
    expect(value(parseXml(text, "x"))).toEqual({
      inv: {
        "@b": "2",
        "@a": "<1A",
        line: [
          { "@n": "1", "#text": "Tea & <milk>" },
          { "@n": "2", "#text": "x" },
        ],
        total: [{}],
      },
    });
  });

  it("is the same under other prefixes and another order of attributes", () => {
    const one = parseXml('<a:r xmlns:a="urn:1" x="1" y="2"><a:c/></a:r>', "x", { namespaces: "resolve" });
    const two = parseXml('<r y="2" x="1" xmlns="urn:1"><c/></r>', "x", { namespaces: "resolve" });
    expect(value(one)).toEqual(value(two));
    expect(value(one)).toEqual({ "{urn:1}r": { "@x": "1", "@y": "2", "{urn:1}c": [{}] } });
    const other = parseXml('<r y="2" x="1" xmlns="urn:2"><c/></r>', "x", { namespaces: "resolve" });
    expect(value(other)).not.toEqual(value(one));
  });

  it("reads a DOCTYPE that declares nothing itself", () => {
    expect(value(parseXml('<!DOCTYPE html SYSTEM "file:///etc/passwd"><html/>', "x"))).toEqual({ html: {} });
  });

  it.each<[string, string, XmlOptions?]>([
    ["an entity bomb", '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>'],
    ["an external entity", '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
    ["an undeclared entity", "<a>&nbsp;</a>"],
    ["a bare ampersand", "<a>x & y</a>"],
    ["a character that XML forbids", "<a>&#0;</a>"],
    ["nesting without end", "<a>".repeat(300_000)],
    ["a flood of elements", `<a>${"<b/>".repeat(60)}</a>`, { maxNodes: 50 }],
    ["crossed tags", "<a><b></a></b>"],
    ["an open tag", "<a><b></b>"],
    ["two roots", "<a/><b/>"],
    ["no root", "<!-- nothing -->"],
    ["text outside", "<a/>x"],
    ["a repeated attribute", '<a x="1" x="2"/>'],
    ["an attribute without quotes", "<a x=1/>"],
    ["an undeclared prefix", "<p:a/>", { namespaces: "resolve" }],
    ["nothing", ""],
    ["a cut-off comment", "<a/><!-- "],
  ])("refuses %s", (_case, text, options) => {
    expect(complaint(parseXml(text, '"x.xml"', options))).toContain('"x.xml" cannot be read as XML');
  });
});
