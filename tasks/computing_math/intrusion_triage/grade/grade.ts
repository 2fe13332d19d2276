import { check } from "ale/grade/rubric/check";
import { fromReference } from "ale/grade/rubric/from-reference";
import { readJson } from "ale/grade/rubric/read-artifact";
import { weightedRubric } from "ale/grade/rubric/weighted-rubric";
import type { GradeContext } from "ale/task";
import type { Truth } from "../incident.ts";
import type { Params } from "../params.ts";
import { asObject, incidentChecks, textsOf } from "./incident-checks.ts";
import { readTimeline } from "./read-timeline.ts";
import { timelineCheck } from "./timeline-check.ts";

/** A gate on a report that names an intruder and a compromised host; then every field, and the timeline. */
export async function grade({
  artifacts,
  reference,
}: GradeContext<Params>): Promise<ReturnType<typeof weightedRubric>> {
  const truth = fromReference(await readJson(reference, "truth.json")) as unknown as Truth;
  const read = await readJson(artifacts, "incident.json", { maxBytes: 1024 * 1024 });
  const gate = { id: "report", stage: "scope", gate: true } as const;
  if (read.kind === "bad") return weightedRubric([check({ ...gate, outcome: read.outcome })]);
  const given = asObject(read.value);
  const { attacker_ips: intruders, compromised_hosts: hosts } = truth.incident;
  const namesOne = textsOf(given["attacker_ips"]).some((ip) => intruders.includes(ip));
  const namesHost = textsOf(given["compromised_hosts"]).some((host) => hosts.includes(host));
  const passes = namesOne && namesHost;
  return weightedRubric([
    check({
      ...gate,
      outcome: {
        score: passes ? 1 : 0,
        message: passes
          ? "The report names an intruder and a compromised host."
          : "The report names no address of the intruder, or no compromised host.",
      },
    }),
    ...incidentChecks(given, truth.incident),
    timelineCheck(await readTimeline(artifacts), truth.timeline),
  ]);
}
