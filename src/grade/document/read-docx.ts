import { basename } from "node:path";
import { quote } from "../quote.ts";
import { bad, ok, type Read } from "../rubric/read.ts";
import type { DocumentBlock, DocumentComment, DocxDocument } from "./docx-document.ts";
import { DocxStory, type StoryContext } from "./docx-story.ts";
import { readNumbering, readStyles } from "./docx-styles.ts";
import { mainPart, type Relationship, readRelationships } from "./relationships.ts";
import { PackageProblem, type XmlAttributes, type XmlHandler } from "./xml-scanner.ts";
import { type PackageLimits, ZipPackage } from "./zip-package.ts";

export interface ReadDocxOptions extends PackageLimits {
  /** How tracked changes stand in the text: `accepted` (default) or `rejected`. They are listed either way. */
  readonly revisions?: "accepted" | "rejected";
}

/**
 * Reads a Word document (DOCX): text in order with headings, lists and tables, tracked changes and comments with their
 * authors, notes, headers and footers. Bad when it is damaged, encrypted or bomb-like, or no Word document.
 *
 * @param path of a file on the host, e.g. from `locateArtifact`.
 */
export async function readDocx(path: string, options: ReadDocxOptions = {}): Promise<Read<DocxDocument>> {
  try {
    using zip = await ZipPackage.open(path, options);
    return ok(await readPackage(zip, options.revisions ?? "accepted"));
  } catch (error) {
    if (!(error instanceof PackageProblem)) throw error;
    return bad(`${quote(basename(path))} cannot be read as a Word document: ${error.message}.`);
  }
}

async function readPackage(zip: ZipPackage, revisions: "accepted" | "rejected"): Promise<DocxDocument> {
  const part = await mainPart(zip);
  if (part === undefined || !zip.has(part)) throw new PackageProblem("it is none");
  const relationships = [...(await readRelationships(zip, part)).values()];
  const styles = await readStyles(zip, targets(zip, relationships, "styles")[0]);
  const numbering = await readNumbering(zip, targets(zip, relationships, "numbering")[0]);
  const context: StoryContext = { revisions, styles, numbering };
  const stories = async (type: string, element: string): Promise<readonly Story[]> => {
    const found: Story[] = [];
    for (const target of targets(zip, relationships, type))
      found.push(...(await readStories(zip, target, element, context)));
    return found;
  };

  const [main] = await readStories(zip, part, "document", context);
  if (main === undefined) throw new PackageProblem("it is none");
  const comments = (await stories("comments", "comment")).map(
    ({ attributes, story }): DocumentComment => ({
      author: attributes.get("author") ?? "",
      ...(attributes.has("date") ? { date: attributes.get("date") ?? "" } : {}),
      text: blocksText(story.blocks),
      about: main.story.commented.get(attributes.get("id") ?? "") ?? "",
    }),
  );
  const notes = [...(await stories("footnotes", "footnote")), ...(await stories("endnotes", "endnote"))]
    // The lines between text and notes are stored as notes too.
    .filter(({ attributes }) => (attributes.get("type") ?? "normal") === "normal")
    .map(({ story }) => blocksText(story.blocks).trim());
  return {
    body: main.story.blocks,
    revisions: main.story.revisions,
    comments,
    notes,
    headers: (await stories("header", "hdr")).map(({ story }) => blocksText(story.blocks)),
    footers: (await stories("footer", "ftr")).map(({ story }) => blocksText(story.blocks)),
  };
}

/** The text of blocks: paragraphs and table rows on lines of their own, cells separated by tabs. */
export function blocksText(blocks: readonly DocumentBlock[]): string {
  return blocks
    .map((block) =>
      block.kind === "paragraph" ? block.text : block.rows.map((row) => row.join("\t")).join("\n"),
    )
    .join("\n");
}

function targets(zip: ZipPackage, relationships: readonly Relationship[], type: string): readonly string[] {
  const found = relationships.filter((relationship) => relationship.type === type && !relationship.external);
  return [...new Set(found.map(({ target }) => target))].filter((target) => zip.has(target));
}

interface Story {
  readonly attributes: XmlAttributes;
  readonly story: DocxStory;
}

const maxStories = 100_000;

/** One story for each element of the name. */
async function readStories(
  zip: ZipPackage,
  part: string,
  element: string,
  context: StoryContext,
): Promise<readonly Story[]> {
  const stories: Story[] = [];
  let current: DocxStory | undefined;
  const handler: XmlHandler = {
    open: (name, attributes) => {
      if (current !== undefined) current.open(name, attributes);
      else if (name === element) {
        if (stories.length >= maxStories) throw new PackageProblem("it has too many notes or comments");
        current = new DocxStory(context);
        stories.push({ attributes, story: current });
      }
    },
    text: (text) => current?.text(text),
    close: (name) => {
      if (name === element) current = undefined;
      else current?.close(name);
    },
  };
  await zip.scan(part, handler);
  return stories;
}
