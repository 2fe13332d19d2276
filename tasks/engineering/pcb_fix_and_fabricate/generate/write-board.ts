import type { Board } from "ale/grade/kicad/board";
import type { GenerateContext } from "ale/task";
import type { Params } from "../params.ts";
import type { Part } from "./draft-board.ts";

type Random = GenerateContext<Params>["random"];

/** The board in the format of KiCad 6. */
export function writeBoard(board: Board, parts: readonly Part[], title: string, random: Random): string {
  const nets = ["", ...board.nets];
  const netOf = (net: string): string => `(net ${nets.indexOf(net)} "${net}")`;
  const stamp = (): string => {
    const hex = (count: number): string =>
      Array.from({ length: count }, () => random.integer(0, 15).toString(16)).join("");
    return `(tstamp ${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)})`;
  };
  const footprints = parts.map(({ reference, kind, at: [x, y] }) => {
    const pads = board.pads
      .filter((pad) => pad.name.startsWith(`${reference}.`))
      .map((pad) => {
        const through = pad.drill > 0;
        const [dx, dy] = [pad.at[0] - x, pad.at[1] - y].map((value) => Number(value.toFixed(4)));
        const layers = through ? '"*.Cu" "*.Mask"' : '"F.Cu" "F.Paste" "F.Mask"';
        const net = pad.net === "" ? "" : ` ${netOf(pad.net)}`;
        return `    (pad "${pad.name.split(".")[1]}" ${through ? "thru_hole" : "smd"} ${pad.shape} (at ${dx} ${dy}) (size ${pad.size.join(" ")})${through ? ` (drill ${pad.drill})` : ""} (layers ${layers})${net} ${stamp()})`;
      });
    const [across, down] = [kind.room[0] * 0.635 - 0.3, kind.room[1] * 0.635 - 0.3];
    const text = (what: string, value: string, place: number, layer: string): string =>
      `    (fp_text ${what} "${value}" (at 0 ${place.toFixed(2)}) (layer "${layer}") (effects (font (size 0.8 0.8) (thickness 0.12))) ${stamp()})`;
    return [
      `  (footprint "house:${kind.name}" (layer "F.Cu") ${stamp()}`,
      `    (at ${x} ${y})`,
      `    (attr ${kind.prefix === "J" ? "through_hole" : "smd"})`,
      text("reference", reference, -down - 0.2, "F.Fab"),
      text("value", kind.name, down + 0.2, "F.Fab"),
      `    (fp_line (start ${-across} ${-down}) (end ${-across + 0.8} ${-down}) (layer "F.SilkS") (width 0.12) ${stamp()})`,
      ...pads,
      "  )",
    ].join("\n");
  });
  const lines = board.edges.map(
    ([from, to]) =>
      `  (gr_line (start ${from.join(" ")}) (end ${to.join(" ")}) (layer "Edge.Cuts") (width 0.1) ${stamp()})`,
  );
  const number = (net: string): string => `(net ${nets.indexOf(net)})`;
  const tracks = board.tracks.map(
    ({ points: [from, to], width, layer, net }) =>
      `  (segment (start ${from?.join(" ")}) (end ${to?.join(" ")}) (width ${width}) (layer "${layer}") ${number(net)} ${stamp()})`,
  );
  const vias = board.vias.map(
    ({ at, diameter, drill, net }) =>
      `  (via (at ${at.join(" ")}) (size ${diameter}) (drill ${drill}) (layers "F.Cu" "B.Cu") ${number(net)} ${stamp()})`,
  );
  return `(kicad_pcb (version 20211014) (generator pcbnew)
  (general (thickness 1.6))
  (paper "A4")
  (title_block (title "${title}"))
  (layers
    (0 "F.Cu" signal)
    (31 "B.Cu" signal)
    (34 "B.Paste" user)
    (35 "F.Paste" user)
    (36 "B.SilkS" user "B.Silkscreen")
    (37 "F.SilkS" user "F.Silkscreen")
    (38 "B.Mask" user)
    (39 "F.Mask" user)
    (44 "Edge.Cuts" user)
    (46 "B.CrtYd" user "B.Courtyard")
    (47 "F.CrtYd" user "F.Courtyard")
    (48 "B.Fab" user)
    (49 "F.Fab" user)
  )
  (setup (pad_to_mask_clearance 0))
${nets.map((net, index) => `  (net ${index} "${net}")`).join("\n")}
${[...footprints, ...lines, ...tracks, ...vias].join("\n")}
)
`;
}

/** The project file with the rules, so that KiCad's own rule check knows them. */
export function writeProject({ clearance, track, via, drill, edge }: Params): string {
  const project = {
    board: {
      design_settings: {
        rules: {
          min_clearance: clearance,
          min_track_width: track,
          min_via_diameter: via,
          min_through_hole_diameter: drill,
          min_via_annular_width: 0.1,
          min_copper_edge_clearance: edge,
          min_hole_clearance: clearance,
          min_hole_to_hole: 0.25,
        },
      },
    },
    meta: { filename: "board.kicad_pro", version: 1 },
    net_settings: {
      classes: [{ name: "Default", clearance, track_width: track, via_diameter: via, via_drill: drill }],
      meta: { version: 2 },
    },
  };
  return `${JSON.stringify(project, null, 2)}\n`;
}
