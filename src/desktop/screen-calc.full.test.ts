import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test } from "vitest";
import { sandboxLayout } from "../contract/sandbox-layout.ts";
import { screenActionLineSchema } from "../contract/screen-action-line.ts";
import { compareCells } from "../grade/spreadsheet/compare-cells.ts";
import { readWorkbook } from "../grade/spreadsheet/read-workbook.ts";
import { until } from "../sandbox/conformance/expectations.ts";
import { hostClock } from "../sandbox/local/test-support/host-clock.ts";
import { channelUse } from "./channels/channel-use.ts";
import { createScreenServer } from "./mcp/create-screen-server.ts";
import { serveMcpOverHttp } from "./mcp/serve-mcp-over-http.ts";
import { openActionRecord } from "./recording/open-action-record.ts";
import { createScreenBridge } from "./screen-actions/create-screen-bridge.ts";
import { desktopMachine } from "./test-support/desktop-machine.ts";

const isRoot = process.getuid?.() === 0;
const table =
  "Item\tPrice\tQty\nÄpfel\t1.5\t4\nГруши\t2.25\t10\n桃子\t3\t7\n\tTotal\t=SUMPRODUCT(B2:B4;C2:C4)\n";

describe.skipIf(!isRoot)("a contestant that has only the screen", () => {
  test("opens Calc, types a table, saves it, and passes a check", async () => {
    await using cleanup = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), "ale-calc-"));
    cleanup.defer(() => rm(folder, { recursive: true, force: true }));
    const { desktop, sandbox } = cleanup.use(await desktopMachine());
    const record = openActionRecord({ folder });
    const bridge = cleanup.use(
      createScreenBridge(desktop.screen, {
        clock: hostClock,
        thumbnails: { width: 480, height: 480 },
        onAction: (event) => record.add(event),
      }),
    );
    const handle = serveMcpOverHttp(() => createScreenServer(bridge, { version: "1.0.0" }));
    const server = createServer((request, response) => void handle(request, response));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    cleanup.defer(() => {
      server.closeAllConnections();
      server.close();
    });
    const client = new Client({ name: "contestant", version: "1.0.0" });
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await client.connect(new StreamableHTTPClientTransport(url) as Transport);
    cleanup.defer(() => client.close());
    const act = async (name: string, input: Record<string, unknown> = {}): Promise<string> => {
      const result = (await client.callTool({ name, arguments: input })) as CallToolResult;
      const text = result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
      expect(result.isError, text).toBeUndefined();
      return text;
    };
    const windowCalled = (title: string): Promise<void> =>
      until(hostClock, `the window ${title}`, async () => (await act("windows")).includes(title));

    // The menu of the empty desktop, by mouse; the terminal is its first entry.
    await act("click", { x: 900, y: 300 });
    await act("wait", { seconds: 5 });
    await act("click", { x: 940, y: 310 });
    await windowCalled("[XTerm]");
    await act("wait", { seconds: 10 });
    await act("type", { text: "libreoffice --calc\n" });
    await windowCalled("LibreOffice Calc");
    await act("wait", { seconds: 60 });
    await act("screenshot");
    await act("type", { text: table });
    await act("wait", { seconds: 30 });
    await act("key", { keys: "ctrl+s" });
    await windowCalled("Save");
    await act("wait", { seconds: 30 });
    await act("key", { keys: "ctrl+a" });
    await act("type", { text: `${sandboxLayout.output}/prices.ods\n` });
    await until(hostClock, "the file is there", async () => {
      const file = await sandbox.stat(`${sandboxLayout.output}/prices.ods`);
      return file !== undefined && file.bytes > 0;
    });
    await act("wait", { seconds: 30 });
    await act("screenshot");

    const path = join(folder, "prices.ods");
    await writeFile(path, await sandbox.readFile(`${sandboxLayout.output}/prices.ods`));
    const workbook = await readWorkbook(path);
    if (workbook.kind === "bad") return expect.fail(workbook.outcome.message);
    const cells = {
      ...{ A1: "Item", B1: "Price", C1: "Qty" },
      ...{ A2: "Äpfel", B2: 1.5, C2: 4, A3: "Груши", B3: 2.25, C3: 10, A4: "桃子", B4: 3, C4: 7 },
      ...{ A5: null, B5: "Total", C5: 49.5 },
    };
    expect(compareCells(workbook.value, { sheet: "Sheet1", cells })).toMatchObject({ score: 1 });

    await bridge[Symbol.asyncDispose]();
    const { actions, picturesLeftOut } = await record.close();
    const lines = (await readFile(join(folder, "actions.jsonl"), "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => screenActionLineSchema.parse(JSON.parse(line)));
    expect(lines).toHaveLength(actions);
    expect(picturesLeftOut).toBe(0);
    expect(lines.every(({ before, after }) => before !== undefined && after !== undefined)).toBe(true);
    const use = channelUse({ actions: lines, required: "desktop" });
    expect(use.required.state).toBe("used");
    expect(use.programs[0]?.program).toMatch(/libreoffice/i);
  });
});
