import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** One page of a real browser. */
export interface Page extends AsyncDisposable {
  /** Opens an address and waits until it is loaded. */
  open(address: string): Promise<void>;
  /** The value of a JavaScript expression on the page. */
  evaluate<T>(expression: string): Promise<T>;
  /** Runs an expression that leads to another page, such as a click on a button, and waits until that is loaded. */
  follow(expression: string): Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

const startTimeoutMs = 60_000;

/** Starts Chromium without a window and speaks the DevTools protocol to it. */
export async function startBrowser(scratch: string): Promise<Page> {
  const profile = join(scratch, "profile");
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"];
  const child = spawn(
    "chromium",
    [...flags, "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"],
    { stdio: "ignore", env: { ...process.env, HOME: scratch } },
  );
  const failed = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`chromium ended with ${code}`)));
  });
  failed.catch(() => undefined);
  const port = await Promise.race([failed, debuggingPort(join(profile, "DevToolsActivePort"))]);
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    readonly type: string;
    readonly webSocketDebuggerUrl: string;
  }[];
  const target = targets.find(({ type }) => type === "page");
  if (target === undefined) throw new Error("chromium has no page");
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await Promise.race([
    failed,
    new Promise((resolve) => socket.addEventListener("open", resolve, { once: true })),
  ]);
  return createPage(socket, failed, async () => {
    socket.close();
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  });
}

async function debuggingPort(path: string): Promise<string> {
  const until = performance.now() + startTimeoutMs;
  while (performance.now() < until) {
    const [port = ""] = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
    if (port !== "") return port;
    await sleep(50);
  }
  throw new Error("chromium did not open its debugging port");
}

async function createPage(
  socket: WebSocket,
  failed: Promise<never>,
  close: () => Promise<void>,
): Promise<Page> {
  const waiting = new Map<number, (message: Message) => void>();
  let loaded: (() => void) | undefined;
  let count = 0;
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    else if (message.method === "Page.loadEventFired") loaded?.();
  });
  async function send<T>(method: string, params: object = {}): Promise<T> {
    const id = ++count;
    const answer = new Promise<Message>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { result, error } = await Promise.race([failed, answer]);
    waiting.delete(id);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result as T;
  }
  async function thenLoaded(act: () => Promise<unknown>): Promise<void> {
    const load = new Promise<void>((resolve) => {
      loaded = resolve;
    });
    await act();
    await Promise.race([failed, load]);
  }
  async function evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await send<{
      readonly result: { readonly value: T };
      readonly exceptionDetails?: { readonly text: string };
    }>("Runtime.evaluate", { expression, returnByValue: true });
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${exceptionDetails.text}`);
    return result.value;
  }
  await send("Page.enable");
  return {
    open: (url) => thenLoaded(() => send("Page.navigate", { url })),
    evaluate,
    follow: (expression) => thenLoaded(() => evaluate(expression)),
    [Symbol.asyncDispose]: close,
  };
}
