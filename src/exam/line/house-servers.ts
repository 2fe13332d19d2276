import type { TrialEventBody } from "../../contract/trial-event.ts";
import type { Machine } from "../../desktop/machine/create-machine.ts";
import type { BudgetView } from "../../desktop/mcp/budget-view.ts";
import { createBudgetServer } from "../../desktop/mcp/create-budget-server.ts";
import { createMachineServer } from "../../desktop/mcp/create-machine-server.ts";
import { createScreenServer } from "../../desktop/mcp/create-screen-server.ts";
import { serveMcpOverHttp } from "../../desktop/mcp/serve-mcp-over-http.ts";
import type { ToolCallEvent } from "../../desktop/mcp/tool-server.ts";
import type { ScreenBridge } from "../../desktop/screen-actions/screen-bridge.ts";
import type { McpHandler } from "../../gateway/gateway.ts";

export interface HouseServersOptions {
  readonly version: string;
  readonly budget: () => BudgetView;
  /** Offered to loops outside the machine only: programs inside have it already. */
  readonly machine?: Machine;
  /** The trial's screen, where its task is done at one. Tells of its actions itself. */
  readonly bridge: ScreenBridge | undefined;
  readonly note: (event: Extract<TrialEventBody, { type: "agent" }>) => void;
}

/** The house's MCP servers of one trial, by name; each call is an event. */
export function houseServers(options: HouseServersOptions): Readonly<Record<string, McpHandler>> {
  const { version, budget, machine, bridge, note } = options;
  const told = (server: string) => ({
    version,
    onCall: ({ tool, arguments: given, outcome }: ToolCallEvent) =>
      note({ type: "agent", kind: `${server}.${tool}`, data: { arguments: given, failed: outcome.failed } }),
  });
  return {
    budget: serveMcpOverHttp(() => createBudgetServer({ read: budget, ...told("budget") })),
    ...(bridge === undefined
      ? {}
      : { screen: serveMcpOverHttp(() => createScreenServer(bridge, { version })) }),
    ...(machine === undefined
      ? {}
      : { machine: serveMcpOverHttp(() => createMachineServer(machine, told("machine"))) }),
  };
}
