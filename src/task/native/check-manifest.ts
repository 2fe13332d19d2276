import { basename, dirname, resolve } from "node:path";
import type { Finding } from "../../contract/finding.ts";
import type { TaskManifest } from "../../contract/task-manifest.ts";
import { nearest } from "../../yaml/nearest.ts";
import type { YamlPlaces } from "../../yaml/yaml-places.ts";
import { loadTaxonomy } from "../taxonomy.ts";

/** What a schema cannot see of a manifest: its place on disk, the taxonomy, parts that contradict each other. */
export async function checkManifest(
  dir: string,
  manifest: TaskManifest,
  places: YamlPlaces,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];

  const absolute = resolve(dir);
  const folder = `${basename(dirname(absolute))}/${basename(absolute)}`;
  if (manifest.id !== folder) {
    findings.push({
      severity: "error",
      code: "id-not-the-folder",
      message: `id is ${manifest.id}, but the folder is ${folder}`,
      remedy: `write id: ${folder}, or move the folder`,
      ...places.find(["id"]),
    });
  }

  const subfields = await loadTaxonomy();
  const { subfield } = manifest.taxonomy;
  if (!subfields.some(({ id }) => id === subfield)) {
    const ids = subfields.map(({ id }) => id);
    const cluster = ids.filter((id) => id.startsWith(`${subfield.split(".")[0]}.`));
    const near = nearest(subfield, cluster) ?? cluster[0] ?? nearest(subfield, ids);
    const meant = subfields.find(({ id }) => id === near);
    findings.push({
      severity: "error",
      code: "unknown-subfield",
      message: `taxonomy.subfield is ${subfield}, which is not in data/taxonomy.json`,
      remedy:
        meant === undefined
          ? `the subfields are ${ids[0]} to ${ids.at(-1)}`
          : `did you mean ${meant.id} (${meant.name})?`,
      ...places.find(["taxonomy", "subfield"]),
    });
  }

  if (manifest.required_channel !== undefined && !manifest.interface.includes(manifest.required_channel)) {
    findings.push({
      severity: "error",
      code: "channel-not-offered",
      message: `required_channel is ${manifest.required_channel}, which interface does not list`,
      remedy: `add ${manifest.required_channel} to interface`,
      ...places.find(["required_channel"]),
    });
  }

  findings.push(
    ...repeated(
      manifest.outputs.map(({ path }) => path),
      "output",
      "outputs",
      places,
    ),
  );
  findings.push(
    ...repeated(
      manifest.services.map(({ name }) => name),
      "service",
      "services",
      places,
    ),
  );
  return findings;
}

function repeated(
  names: readonly string[],
  what: string,
  key: string,
  places: YamlPlaces,
): readonly Finding[] {
  return names.flatMap((name, index) => {
    if (names.indexOf(name) === index) return [];
    const message = `the ${what} ${name} is listed twice`;
    return [{ severity: "error", code: `repeated-${what}`, message, ...places.find([key, index]) }];
  });
}
