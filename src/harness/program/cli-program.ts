import type { Contestant, Effort } from "../../contract/contestant.ts";
import type { Limits } from "../../contract/limits.ts";
import type { WireName } from "../../contract/wire.ts";
import type { StreamReader } from "../trajectory/stream-reader.ts";

/** An MCP server as a program inside the sandbox reaches it: streamable HTTP, {@link CliLaunch.token} as bearer. */
export interface CliMcpServer {
  readonly name: string;
  readonly url: string;
}

/** One launch of a command line harness. All paths are inside the sandbox. */
export interface CliLaunch {
  readonly contestant: Contestant;
  /** The instruction, and in what form to end. */
  readonly prompt: string;
  /** Home of the agent and its working folder. */
  readonly home: string;
  /** Where its packages are, read-only: `node_modules` is below. */
  readonly program: string;
  /** A Node program, version 24, that is there whatever the image holds. */
  readonly node: string;
  /** As the gateway knows it. */
  readonly model: string;
  readonly effort?: Effort;
  /** The wire to use: the first of the program's that the model's upstream speaks. */
  readonly wire: WireName;
  /** Base URL of that wire, as its official client takes it. */
  readonly baseUrl: string;
  /** In place of a key. */
  readonly token: string;
  readonly mcp: readonly CliMcpServer[];
  readonly limits: Limits;
}

/** A file the harness reads at its start. */
export interface CliFile {
  /** Relative to the home. */
  readonly path: string;
  readonly content: string;
}

/** How to start it. */
export interface CliStart {
  readonly argv: readonly string[];
  /** Beside what the machine sets: PATH, HOME, USER, LANG, TZ and the task's own. */
  readonly env: Readonly<Record<string, string>>;
  readonly files: readonly CliFile[];
  /** Commands to run to their end before it, in order, such as a login; a failure is the harness's error. */
  readonly before?: readonly (readonly string[])[];
  /** Written to its standard input, which is closed then. Default: closed at once. */
  readonly input?: string;
}

/** What one command line harness is: how it is started and how its output is read. The rest is the same for all. */
export interface CliProgram {
  /** As contestants name it; its pinned packages are in `data/harnesses/<name>/`. */
  readonly name: string;
  readonly summary: string;
  /** Wires it speaks, best first. */
  readonly wires: readonly WireName[];
  /** Whether it takes MCP servers over HTTP. */
  readonly mcp: boolean;
  /** Names of settings it knows; others are refused before the exam. */
  readonly settings: readonly string[];
  /** The program is not installed: it is in the image. */
  readonly inImage?: boolean;
  /** Time to end by itself after SIGTERM, in milliseconds; then SIGKILL. Default 10 s. */
  readonly stopGraceMs?: number;
  start(launch: CliLaunch): CliStart;
  reader(): StreamReader;
  /** Whether its usage claims cover every call it makes; false where some are left out of its stream. Default true. */
  readonly claimsAllCalls?: boolean;
}
