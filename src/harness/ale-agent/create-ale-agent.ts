import type { Harness } from "../harness.ts";
import { agentFindings } from "./agent-settings.ts";
import { agentWires, launchAgent } from "./launch-agent.ts";

/**
 * The reference harness: a plain loop on the host that acts on the machine through tools, whichever of the four wires
 * its model speaks. @param version of this package.
 */
export function createAleAgent(version: string): Harness {
  return {
    name: "ale-agent",
    summary:
      "the reference harness: a plain loop with shell, files, notes, budget and screen, out of the sandbox",
    wires: agentWires,
    outside: true,
    version: async () => version,
    preflight: async (contestant) => agentFindings(contestant),
    needs: async () => ({ mounts: [], env: {} }),
    launch: (session) => launchAgent(version, session),
  };
}
