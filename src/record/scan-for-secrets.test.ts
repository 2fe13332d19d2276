import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createRedactor } from "./redactor.ts";
import { commonSecretPatterns, scanForSecrets } from "./scan-for-secrets.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "ale-scan-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const secret = 'k3y/with+"odd"=chars-1234';
const values = { SERVICE_KEY: secret };

test("a secret is found at every offset around a chunk border", async () => {
  const chunkBytes = 256;
  for (let offset = chunkBytes - secret.length - 2; offset <= chunkBytes + 2; offset++) {
    await writeFile(join(root, "a.bin"), `${"x".repeat(offset)}${secret}${"y".repeat(600)}`);
    const scan = await scanForSecrets(root, { values, patterns: [], chunkBytes });
    expect(scan.hits).toEqual([{ path: "a.bin", offset, where: "content", secret: "SERVICE_KEY" }]);
  }
});

test("a secret is found between any bytes, encoded or not", async () => {
  const forms: ((text: string) => Buffer)[] = [
    (text) => Buffer.from(text),
    (text) => Buffer.from(text, "utf16le"),
    (text) => Buffer.from(encodeURIComponent(text)),
    (text) => Buffer.from(JSON.stringify({ text })),
    (text) => Buffer.from(Buffer.from(text).toString("hex")),
    (text) => Buffer.from(Buffer.from(`a${text}b`).toString("base64")),
    (text) => Buffer.from(Buffer.from(`ab${text}`).toString("base64url")),
    (text) => Buffer.from(Buffer.from(`abc${text}z`).toString("base64")),
  ];
  const bytes = fc.uint8Array({ maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(bytes, bytes, fc.constantFrom(...forms), async (before, after, encode) => {
      await writeFile(join(root, "a.bin"), Buffer.concat([before, encode(secret), after]));
      const scan = await scanForSecrets(root, { values, patterns: [], chunkBytes: 64 });
      expect(scan.hits.map((hit) => hit.secret)).toEqual(["SERVICE_KEY"]);
    }),
    { numRuns: 60 },
  );
});

test("keys of known looks are found without knowing them, and ordinary text is not", async () => {
  await mkdir(join(root, "deep"));
  await writeFile(join(root, "deep", "log.txt"), `using sk-ant-api03-${"a1B2".repeat(20)} now`);
  await writeFile(join(root, "plain.txt"), "a risk-free task-list; AKIA is a prefix; ghp_ too");
  const scan = await scanForSecrets(root, { values: {}, patterns: commonSecretPatterns });
  expect(scan.hits).toEqual([
    { path: join("deep", "log.txt"), offset: 6, where: "content", secret: "sk- API key" },
  ]);
  expect(scan.files).toBe(2);
});

test("file names are looked at, links are not followed, short values are not secrets", async () => {
  const outside = await mkdtemp(join(tmpdir(), "ale-outside-"));
  await writeFile(join(outside, "secret.txt"), "plain-secret-value");
  await symlink(join(outside, "secret.txt"), join(root, "link"));
  await writeFile(join(root, "plain-secret-value.txt"), "1234567");
  const scan = await scanForSecrets(root, {
    values: { KEY: "plain-secret-value", SHORT: "1234567" },
    patterns: [],
  });
  await rm(outside, { recursive: true });
  expect(scan.hits).toEqual([{ path: "plain-secret-value.txt", offset: 0, where: "name", secret: "KEY" }]);
});

test("what the redactor has written holds no secret", async () => {
  const redactor = createRedactor([secret, `${secret}-longer`]);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.string(), fc.constantFrom(secret, `${secret}-longer`))),
      async (parts) => {
        await writeFile(join(root, "a.json"), JSON.stringify(redactor.redactJson({ text: parts.join("") })));
        expect((await scanForSecrets(root, { values, patterns: [] })).hits).toEqual([]);
      },
    ),
    { numRuns: 40 },
  );
});
