import { AleError } from "../../contract/ale-error.ts";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { DriverLink } from "./driver-link.ts";
import { packDriver } from "./pack-driver.ts";
import { X11Screen } from "./x11-screen.ts";

export interface X11ScreenOptions {
  /** The display's number; default 1. */
  readonly display?: number;
  /** Node inside the sandbox; default `sandboxLayout.node`. */
  readonly node?: string;
  /** Packs pixels before they are sent: for a slow way to the sandbox. Default false. */
  readonly isFar?: boolean;
}

/**
 * The screen of an X server that already runs inside a sandbox. Its program runs as root, out of the agent's reach.
 * Rejects with `desktop-start` when the server cannot be reached or Node is not there.
 */
export async function createX11Screen(sandbox: Sandbox, options: X11ScreenOptions = {}): Promise<X11Screen> {
  const { display = 1, node = sandboxLayout.node, isFar = false } = options;
  const { text, extension } = await packDriver();
  const path = `/ale/screen-${display}.${extension}`;
  await sandbox.writeFile(path, text, { owner: "root", mode: 0o644 });
  const process = await sandbox.spawn([node, path, String(display), isFar ? "packed" : "plain"], {
    user: "root",
  });
  const link = new DriverLink(process);
  const { head } = await link.ready.catch((cause: unknown) => {
    throw new AleError({
      code: "desktop-start",
      message: `The screen's program could not be started in the sandbox: ${(cause as Error).message}`,
      remedy: `Show Node 24 or newer inside at ${node}, and see that the display :${display} runs.`,
      cause,
    });
  });
  return new X11Screen({
    link,
    width: Number(head["width"]),
    height: Number(head["height"]),
    isPacked: isFar,
    close: async () => {
      process.stdin.end();
      await process.stop(1000);
    },
  });
}
