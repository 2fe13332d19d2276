import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { create } from "tar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AleError } from "../../contract/ale-error.ts";
import { fromReference } from "../rubric/from-reference.ts";
import { archiveEntries, compareArchive } from "./compare-archive.ts";
import { inspectArchive } from "./inspect-archive.ts";

let dir: string;
const sha = (data: string | Uint8Array) => `sha256:${createHash("sha256").update(data).digest("hex")}`;
const text = (value: string) => new TextEncoder().encode(value);

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "ale-archive-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function save(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(dir, name);
  await writeFile(path, bytes);
  return path;
}

/** A folder packed by the tar library, with a hand over what is packed. */
async function tarOf(name: string, fill: (folder: string) => Promise<void>, gzip = false): Promise<string> {
  const folder = await mkdtemp(join(dir, "tree-"));
  await fill(folder);
  const path = join(dir, name);
  await create({ cwd: folder, file: path, gzip, preservePaths: true }, ["."]);
  return path;
}

/** Makes an archive that well-behaved programs will not make. */
async function python(name: string, script: string): Promise<string> {
  const path = join(dir, name);
  execFileSync("python3", ["-c", `import zipfile, tarfile, io, sys\npath = sys.argv[1]\n${script}`, path]);
  return path;
}

const expected = { "a.txt": sha("alpha"), "sub/b.bin": sha(Uint8Array.of(0, 255)) };
const fillTree = async (folder: string) => {
  await mkdir(join(folder, "sub"));
  await writeFile(join(folder, "a.txt"), "alpha");
  await writeFile(join(folder, "sub", "b.bin"), Uint8Array.of(0, 255));
};

describe("inspecting an archive", () => {
  it("lists zip, tar and tar.gz alike, whatever the file is called", async () => {
    const zip = await save(
      "any.dat",
      zipSync({ "sub/b.bin": Uint8Array.of(0, 255), "a.txt": text("alpha"), "sub/": text("") }),
    );
    for (const [path, format] of [
      [zip, "zip"],
      [await tarOf("tree.tar", fillTree), "tar"],
      [await tarOf("tree.tgz", fillTree, true), "tar.gz"],
    ] as const) {
      expect(await inspectArchive(path)).toEqual({
        kind: "entries",
        format,
        entries: [
          { type: "file", path: "a.txt", bytes: 5, digest: sha("alpha") },
          { type: "folder", path: "sub" },
          { type: "file", path: "sub/b.bin", bytes: 2, digest: sha(Uint8Array.of(0, 255)) },
        ],
      });
    }
  });

  it("takes a plain gzip file as one member", async () => {
    const inspection = await inspectArchive(await save("calls.vcf.gz", gzipSync("##fileformat")));
    expect(inspection).toMatchObject({ format: "gzip", entries: [{ path: "calls.vcf", bytes: 12 }] });
  });

  it("keeps a link that stays inside", async () => {
    const path = await tarOf("link.tar", async (folder) => {
      await writeFile(join(folder, "a.txt"), "alpha");
      await symlink("a.txt", join(folder, "b.txt"));
    });
    expect(await inspectArchive(path)).toMatchObject({ entries: [{}, { type: "link", target: "a.txt" }] });
  });

  it("says of other files that they are no archive", async () => {
    expect(await inspectArchive(await save("x.zip", text("plain text")))).toEqual({ kind: "not-archive" });
    expect(await inspectArchive(await save("y.zip", text("")))).toEqual({ kind: "not-archive" });
  });

  it.each([
    [
      "a zip that climbs out",
      "unsafe-name",
      "z = zipfile.ZipFile(path, 'w'); z.writestr('../x', 'x'); z.close()",
    ],
    [
      "a zip with an absolute name",
      "unsafe-name",
      "z = zipfile.ZipFile(path, 'w'); z.writestr('/etc/x', 'x'); z.close()",
    ],
    [
      "a zip with one name twice",
      "unsafe-name",
      "z = zipfile.ZipFile(path, 'w'); z.writestr('x', 'a'); z.writestr('x', 'b'); z.close()",
    ],
    [
      "a zip with a link out",
      "link-out",
      "z = zipfile.ZipFile(path, 'w'); i = zipfile.ZipInfo('l'); i.create_system = 3; i.external_attr = 0o120777 << 16; z.writestr(i, '/etc/passwd'); z.close()",
    ],
    [
      "a zip bomb",
      "archive-bomb",
      "z = zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED); z.writestr('x', bytes(40_000_000)); z.close()",
    ],
    [
      "a zip bomb behind other bytes",
      "archive-bomb",
      "open(path, 'wb').write(b'junk' * 9); z = zipfile.ZipFile(path, 'a', zipfile.ZIP_DEFLATED); z.writestr('x', bytes(40_000_000)); z.close()",
    ],
    [
      "a zip that lies about its sizes",
      "unreadable",
      "z = zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED); z.writestr('x', bytes(4_000_000)); z.close(); d = open(path, 'rb').read().replace((4_000_000).to_bytes(4, 'little'), (4).to_bytes(4, 'little')); open(path, 'wb').write(d)",
    ],
    [
      "a zip too deep",
      "too-deep",
      "z = zipfile.ZipFile(path, 'w'); z.writestr('d/' * 50 + 'x', 'x'); z.close()",
    ],
    [
      "a crowded zip",
      "too-many-files",
      "z = zipfile.ZipFile(path, 'w'); [z.writestr(str(i), '') for i in range(1001)]; z.close()",
    ],
    [
      "a cut-off zip",
      "unreadable",
      "z = zipfile.ZipFile(path, 'w'); z.writestr('x', 'x' * 999); z.close(); d = open(path, 'rb').read(); open(path, 'wb').write(d[:500])",
    ],
    [
      "a tar that climbs out",
      "unsafe-name",
      "t = tarfile.open(path, 'w'); t.addfile(tarfile.TarInfo('a/../../x')); t.close()",
    ],
    [
      "a tar with a link out",
      "link-out",
      "t = tarfile.open(path, 'w'); i = tarfile.TarInfo('l'); i.type = tarfile.SYMTYPE; i.linkname = '../../x'; t.addfile(i); t.close()",
    ],
    [
      "a tar with a hard link out",
      "link-out",
      "t = tarfile.open(path, 'w'); i = tarfile.TarInfo('l'); i.type = tarfile.LNKTYPE; i.linkname = '/etc/passwd'; t.addfile(i); t.close()",
    ],
    [
      "a tar with a device",
      "special-file",
      "t = tarfile.open(path, 'w'); i = tarfile.TarInfo('d'); i.type = tarfile.CHRTYPE; t.addfile(i); t.close()",
    ],
    [
      "a tar.gz bomb",
      "archive-bomb",
      "t = tarfile.open(path, 'w:gz'); i = tarfile.TarInfo('x'); i.size = 40_000_000; t.addfile(i, io.BytesIO(bytes(i.size))); t.close()",
    ],
    [
      "a cut-off tar",
      "unreadable",
      "t = tarfile.open(path, 'w'); i = tarfile.TarInfo('x'); i.size = 4000; t.addfile(i, io.BytesIO(bytes(i.size))); t.close(); d = open(path, 'rb').read(); open(path, 'wb').write(d[:1024])",
    ],
    [
      "a gzip bomb",
      "archive-bomb",
      "import gzip; f = gzip.open(path, 'wb'); f.write(bytes(40_000_000)); f.close()",
    ],
    [
      "a damaged gzip file",
      "unreadable",
      "import gzip; f = gzip.open(path, 'wb'); f.write(b'abc' * 999); f.close(); d = bytearray(open(path, 'rb').read()); d[-6] ^= 1; open(path, 'wb').write(d)",
    ],
  ])("refuses %s", async (name, code, script) => {
    const path = await python(name.replaceAll(" ", "-"), script);
    const inspection = await inspectArchive(path, { maxEntries: 1000 });
    expect(inspection).toMatchObject({ kind: "refused", code });
  });

  it("throws for a path that cannot be opened", async () => {
    await expect(inspectArchive(join(dir, "none"))).rejects.toBeInstanceOf(AleError);
  });
});

describe("comparing an archive", () => {
  const compare = async (members: Record<string, Uint8Array>, allowExtra = false) => {
    const inspection = await inspectArchive(await save("compare.zip", zipSync(members)));
    return compareArchive(fromReference(archiveEntries(inspection, "x")), expected, { allowExtra }).score;
  };
  const right = { "a.txt": text("alpha"), "sub/b.bin": Uint8Array.of(0, 255) };

  it("is 1 for the same files, and lower for changed, missing, moved and extra ones", async () => {
    expect(await compare(right)).toBe(1);
    expect(await compare({ ...right, "a.txt": text("beta") })).toBe(0.5);
    expect(await compare({ "a.txt": text("alpha") })).toBe(2 / 3);
    expect(await compare({ "b.txt": text("alpha"), "sub/b.bin": Uint8Array.of(0, 255) })).toBe(0.5);
    expect(await compare({ ...right, c: text("") })).toBe(0.8);
    expect(await compare({ ...right, c: text("") }, true)).toBe(1);
  });

  it("gives a refused archive, and what is none, score 0 with the reason", async () => {
    const bomb = await inspectArchive(await save("b.gz", gzipSync(Buffer.alloc(1000))), { maxBytes: 10 });
    expect(archiveEntries(bomb, '"b.gz"')).toMatchObject({
      kind: "bad",
      outcome: { score: 0, message: expect.stringContaining("archive-bomb") },
    });
    expect(archiveEntries({ kind: "not-archive" }, '"b.gz"').kind).toBe("bad");
    expect((await readFile(join(dir, "b.gz"))).length).toBeGreaterThan(0);
  });
});
