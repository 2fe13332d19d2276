import { createRandom } from "ale/contract/random";
import { inspectMesh, type MeshFacts } from "ale/grade/mesh/inspect-mesh";
import { readStl } from "ale/grade/mesh/read-stl";
import type { TriangleMesh } from "ale/grade/mesh/triangle-mesh";
import type { Outcome } from "ale/grade/outcome";
import { check } from "ale/grade/rubric/check";
import { fromReference } from "ale/grade/rubric/from-reference";
import { bad, ok, type Read } from "ale/grade/rubric/read";
import { locateArtifact, readBytes, readJson } from "ale/grade/rubric/read-artifact";
import { weightedRubric } from "ale/grade/rubric/weighted-rubric";
import type { GradeContext } from "ale/task";
import type { Params } from "../params.ts";
import { type Dimensions, volumeOf } from "../part/dimensions.ts";
import { judgeExtent, judgeFeatures, judgeSurface, judgeVariables, judgeVolume } from "./judge-part.ts";
import { readVariables, runOpenScad } from "./run-openscad.ts";

interface Body {
  readonly mesh: TriangleMesh;
  readonly facts: MeshFacts;
}

const limits = { maxTriangles: 300_000 };

/** A gate on one closed body of about the right volume; then the mesh, and what the source makes of another size. */
export async function grade(context: GradeContext<Params>): Promise<ReturnType<typeof weightedRubric>> {
  const { artifacts, reference, scratch, seed } = context;
  const { part, other } = fromReference(await readJson(reference, "part.json")) as unknown as {
    readonly part: Dimensions;
    readonly other: Dimensions;
  };
  const body = await openBody(artifacts, part);
  if (body.kind === "bad") {
    return weightedRubric([check({ id: "body", stage: "mesh", gate: true, outcome: body.outcome })]);
  }
  const { mesh, facts } = body.value;
  const random = createRandom(`${seed}/grade`);
  const source = await locateArtifact(artifacts, "part.scad", { maxBytes: 1024 ** 2 });
  const remade = source.kind === "bad" ? source : remake(source.value, other, scratch);
  const variables = source.kind === "bad" ? source : readVariables(source.value, scratch);
  const of = (judge: (body: Body) => Outcome): Outcome =>
    remade.kind === "bad" ? remade.outcome : judge(remade.value);
  return weightedRubric([
    check({
      id: "body",
      stage: "mesh",
      gate: true,
      outcome: { score: 1, message: "The mesh is one closed body of about the right volume." },
    }),
    check({ id: "volume", stage: "mesh", weight: 15, outcome: judgeVolume(facts, part) }),
    check({ id: "extent", stage: "mesh", weight: 10, outcome: judgeExtent(facts, part) }),
    check({
      id: "features",
      stage: "features",
      weight: 35,
      outcome: judgeFeatures(mesh, part, random.fork("part")),
    }),
    check({
      id: "surface",
      stage: "mesh",
      weight: 15,
      outcome: judgeSurface(mesh, part, random.fork("surface")),
    }),
    check({
      id: "source-values",
      stage: "source",
      weight: 5,
      outcome: variables.kind === "bad" ? variables.outcome : judgeVariables(variables.value, part),
    }),
    check({
      id: "source-volume",
      stage: "source",
      weight: 5,
      outcome: of((made) => judgeVolume(made.facts, other)),
    }),
    check({
      id: "source-features",
      stage: "source",
      weight: 15,
      outcome: of((made) => judgeFeatures(made.mesh, other, random.fork("other"))),
    }),
  ]);
}

async function openBody(artifacts: string, part: Dimensions): Promise<Read<Body>> {
  const bytes = await readBytes(artifacts, "part.stl", { maxBytes: 20 * 1024 ** 2 });
  if (bytes.kind === "bad") return bytes;
  const mesh = readStl(bytes.value, "part.stl", limits);
  if (mesh.kind === "bad") return mesh;
  const facts = inspectMesh(mesh.value);
  if (!facts.closed) return bad(`The mesh is not closed: ${facts.openEdges} edges do not meet.`);
  if (facts.shells !== 1) return bad(`The mesh is ${facts.shells} bodies.`);
  const share = facts.volume / volumeOf(part);
  if (!(share > 0.8 && share < 1.2)) {
    return bad(`The volume is ${Math.round(share * 1000) / 10} % of what it should be.`);
  }
  return ok({ mesh: mesh.value, facts });
}

function remake(source: string, other: Dimensions, scratch: string): Read<Body> {
  const made = runOpenScad(source, other, scratch);
  if (made.kind === "bad") return made;
  const mesh = readStl(made.value, "what part.scad makes", limits);
  return mesh.kind === "bad" ? mesh : ok({ mesh: mesh.value, facts: inspectMesh(mesh.value) });
}
