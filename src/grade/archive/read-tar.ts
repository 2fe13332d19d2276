import { Parser, type ReadEntry } from "tar";
import { type ArchiveGuard, ArchiveRefusal, MemberDigest } from "./archive-guard.ts";

/** Reads every member of an unpacked tar stream through the guard. */
export async function readTar(source: AsyncIterable<Uint8Array>, guard: ArchiveGuard): Promise<void> {
  let failure: unknown;
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      try {
        readMember(entry, guard, (error) => {
          failure ??= error;
        });
      } catch (error) {
        failure ??= error;
        entry.resume();
      }
    },
  });
  parser.on("error", (error) => {
    failure ??= error;
  });
  // A header too long to keep: the members after it would get other names than other programs give them.
  parser.on("ignoredEntry", () => {
    failure ??= new ArchiveRefusal("unreadable", "A header is too long, or of an unknown type.");
  });
  for await (const chunk of source) {
    parser.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if (failure !== undefined) throw failure;
  }
  await new Promise<void>((resolve) => {
    parser.on("end", resolve);
    parser.on("error", () => resolve());
    parser.end();
  });
  if (failure !== undefined) throw failure;
}

function readMember(entry: ReadEntry, guard: ArchiveGuard, fail: (error: unknown) => void): void {
  const path = guard.admit(entry.path);
  switch (entry.type) {
    case "Directory":
    case "GNUDumpDir":
      if (path !== "") guard.keep({ type: "folder", path });
      entry.resume();
      return;
    case "SymbolicLink":
    case "Link":
      guard.keepLink(path, entry.linkpath ?? "", entry.type === "Link" ? "root" : "member");
      entry.resume();
      return;
    case "File":
    case "OldFile":
    case "ContiguousFile": {
      guard.announce(entry.size);
      const digest = new MemberDigest(guard);
      entry.on("data", (chunk) => {
        try {
          digest.take(chunk);
        } catch (error) {
          fail(error);
        }
      });
      entry.on("end", () => {
        try {
          guard.keep(digest.finish(path));
        } catch (error) {
          fail(error);
        }
      });
      return;
    }
    default:
      throw new ArchiveRefusal("special-file", `A member is of the type ${entry.type}.`);
  }
}
