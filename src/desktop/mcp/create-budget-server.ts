import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { defineTool, success } from "../tools/agent-tool.ts";
import type { BudgetView } from "./budget-view.ts";
import { budgetData, describeBudget } from "./describe-budget.ts";
import { createToolServer, type ToolServerOptions } from "./tool-server.ts";

export interface BudgetServerOptions extends Pick<ToolServerOptions, "version" | "onCall"> {
  /** Asked at each call. */
  readonly read: () => BudgetView;
}

/** The `budget` MCP server: one tool that tells a contestant what it has left. */
export function createBudgetServer({ read, ...options }: BudgetServerOptions): McpServer {
  const budget = defineTool({
    name: "budget",
    description: "Tells how much time, tokens, money and model calls you have used and have left.",
    input: z.strictObject({}),
    run: async () => {
      const view = read();
      return success(describeBudget(view), budgetData(view));
    },
  });
  return createToolServer({ name: "ale-budget", tools: [budget], ...options });
}
