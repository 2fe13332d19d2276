import type { Finding } from "../../contract/finding.ts";
import type { EngineFacts } from "./engine-facts.ts";

const toolkit = "Install the NVIDIA Container Toolkit";

/** Whether the daemon can give a machine as many graphics processors. */
export function gpuFindings(facts: EngineFacts, wanted: number): readonly Finding[] {
  const { name, gpus } = facts;
  if (wanted === 0 || gpus.kind === "runtime") return [];
  const there = gpus.kind === "named" ? gpus.names.length : 0;
  if (there >= wanted) return [];
  const message = `The task asks for ${processors(wanted)}, and ${name} has ${there === 0 ? "none" : processors(there)}.`;
  const remedy =
    there > 0
      ? "Sit it on a host that has as many, or leave it out with `tasks.exclude`."
      : name === "docker"
        ? `${toolkit} and restart the daemon; or leave the task out with \`tasks.exclude\`.`
        : `${toolkit}, then nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml; or leave the task out with \`tasks.exclude\`.`;
  return [{ severity: "error", code: "gpu", message, remedy }];
}

function processors(count: number): string {
  return count === 1 ? "a graphics processor" : `${count} graphics processors`;
}
