import { lastWords } from "../../contract/last-words.ts";
import type { HarnessOutcome } from "../harness.ts";
import { parseClaim } from "../trajectory/parse-claim.ts";
import type { StreamFacts } from "../trajectory/stream-reader.ts";

/**
 * What a harness's stream and exit say of its work. Whether an error it met was the upstream's is for the gateway to
 * say, which saw the calls.
 */
export function outcomeOfStream(facts: StreamFacts, stderr: string): HarnessOutcome {
  const told = {
    usage: facts.usage,
    costUsd: facts.costUsd,
    claim: parseClaim(facts.finalMessage).claim,
  };
  const { ending } = facts;
  if (ending.kind === "completed") return { kind: "completed", ...told };
  if (ending.error === "refusal") return { kind: "refused", reason: ending.message, ...told };
  const said = lastWords(stderr, maxSaid);
  const more = ending.message.includes(said) ? "" : `; it said: ${said}`;
  return { kind: "agent-error", reason: `${ending.message}${more}`, ...told };
}

/** Longest piece of standard error that goes into a reason, in characters. */
const maxSaid = 500;
