import { createMachine } from "../../desktop/machine/create-machine.ts";
import { endpointsAt } from "../../gateway/endpoints.ts";
import type { TrialMeter } from "../../gateway/gateway.ts";
import type { ModelAccess } from "../../harness/harness.ts";
import { budgetOf } from "./budget-of.ts";
import type { GatewayLinesOptions } from "./gateway-lines-options.ts";
import { houseServers } from "./house-servers.ts";
import type { LineRequest, LineWatch } from "./trial-line.ts";

/** A contestant's grant at the gateway, with the house's servers behind the same token. */
export interface OpenGrant extends AsyncDisposable {
  /** @param origin of the gateway, as programs inside the machine reach it. */
  access(origin: string): ModelAccess;
  meter(): TrialMeter;
  close(judging?: AbortSignal): Promise<TrialMeter>;
}

export function openGrant(options: GatewayLinesOptions, request: LineRequest, watch: LineWatch): OpenGrant {
  const { gateway, clock, version } = options;
  const { trial, contestant, harness, limits, record, note } = request;
  const startedAt = clock.monotonic();
  const machine = harness.outside === true ? createMachine(watch.sandbox) : undefined;
  const mcp = houseServers({
    version,
    note,
    bridge: watch.bridge,
    ...(machine === undefined ? {} : { machine }),
    budget: () => {
      const times = { wallMs: clock.monotonic() - startedAt, workingMs: watch.working.elapsedMs() };
      return budgetOf(limits, times, grant.meter());
    },
  });
  const replay = options.replayOf?.(request);
  const grant = gateway.openTrial({
    trial: trial.id,
    contestant,
    limits,
    onWait: (forMs) => watch.working.pause(forMs),
    onExceeded: watch.exceed,
    record,
    ...(replay === undefined ? {} : { replay }),
    mcp,
  });
  return {
    access: (origin) => ({
      token: grant.token,
      wires: gateway.wiresOf(contestant),
      endpoints: endpointsAt(origin),
      hostEndpoints: grant.endpoints,
      mcp: Object.keys(mcp).map((name) => ({
        name,
        url: `${origin}/mcp/${name}`,
        hostUrl: `${gateway.origin}/mcp/${name}`,
      })),
    }),
    meter: grant.meter,
    close: grant.close,
    async [Symbol.asyncDispose]() {
      await grant[Symbol.asyncDispose]();
      await machine?.[Symbol.asyncDispose]();
    },
  };
}
