import { readFile } from "node:fs/promises";
import { z } from "zod";
import { parseJson } from "../../contract/json-fields.ts";
import { describeEnd, succeeded } from "../../sandbox/command.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { ScreenRegion } from "../../sandbox/screen.ts";

/** Something a program shows, as it tells assistive programs. */
export interface AccessibleNode {
  /** AT-SPI's name of its kind, such as `push button`. */
  readonly role: string;
  readonly name: string;
  readonly text?: string;
  /** On the screen, in pixels; absent where it has no place. */
  readonly box?: ScreenRegion;
  /** Of `focused`, `selected`, `checked`, `editable`, `expanded`, those it is in. */
  readonly states: readonly string[];
  readonly children: readonly AccessibleNode[];
}

/** What programs tell of what they show: many tell nothing, and some machines cannot ask. */
export type AccessibilityTree =
  /** `cut`: there is more than was asked for. */
  | { readonly state: "told"; readonly programs: readonly AccessibleNode[]; readonly cut: boolean }
  | { readonly state: "absent"; readonly reason: string };

export interface AccessibilityOptions {
  /** Of the desktop, started with `accessibility`. */
  readonly env: Readonly<Record<string, string>>;
  /** Default 2,000. */
  readonly maxNodes?: number;
  /** Characters of each name and text; default 500. */
  readonly maxText?: number;
  /** Part of the name of a program or the title of a window; only those then. */
  readonly only?: string;
  readonly signal?: AbortSignal;
}

/** Asks the programs of one desktop. Rejects as the machine does. */
export type AccessibilityReader = (asked: Omit<AccessibilityOptions, "env">) => Promise<AccessibilityTree>;

const box = z.strictObject({ x: z.int(), y: z.int(), width: z.int(), height: z.int() });
const nodeSchema: z.ZodType<AccessibleNode> = z.lazy(() =>
  z.strictObject({
    role: z.string(),
    name: z.string(),
    text: z.string().exactOptional(),
    box: box.exactOptional(),
    states: z.array(z.string()),
    children: z.array(nodeSchema),
  }),
);
const answerSchema = z.union([
  z.strictObject({ absent: z.string() }),
  z.strictObject({ programs: z.array(nodeSchema), cut: z.boolean() }),
]);

/** Asks the programs on a desktop what they show. What keeps it from being known is data. */
export async function readAccessibilityTree(
  sandbox: Sandbox,
  options: AccessibilityOptions,
): Promise<AccessibilityTree> {
  const { env, maxNodes = 2000, maxText = 500, only = "", signal } = options;
  const result = await sandbox.exec(["/usr/bin/python3", "-", String(maxNodes), String(maxText), only], {
    env,
    stdin: await readProgram(),
    timeoutMs: 30_000,
    maxOutputBytes: 16 * 1024 * 1024,
    ...(signal === undefined ? {} : { signal }),
  });
  if (!succeeded(result)) {
    const said = Buffer.from(result.stderr).toString("utf8").trim().split("\n").at(-1) ?? "";
    return {
      state: "absent",
      reason: `the question over AT-SPI failed: ${describeEnd(result.end)}; ${said}`,
    };
  }
  const answer = answerSchema.safeParse(parseJson(Buffer.from(result.stdout).toString("utf8")));
  if (!answer.success) return { state: "absent", reason: "the answer over AT-SPI cannot be read" };
  if ("absent" in answer.data) return { state: "absent", reason: answer.data.absent };
  return { state: "told", ...answer.data };
}

/**
 * Asks programs that are started from now on to tell what they show. Without effect on a machine that cannot; reading then
 * says why.
 */
export async function switchAccessibilityOn(
  sandbox: Sandbox,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const stdin = await readProgram();
  await sandbox.exec(["/usr/bin/python3", "-", "on"], { env, stdin, timeoutMs: 30_000 });
}

function readProgram(): Promise<string> {
  return readFile(new URL("../../../data/accessibility-tree.py", import.meta.url), "utf8");
}
