import type { Random } from "ale/contract/random";
import type { Stand } from "./grow-crops.ts";
import type { Parcel } from "./make-parcels.ts";

/** GeoJSON (RFC 7946): Polygon or MultiPolygon in longitude and latitude, in no particular order. */
export function parcelLayer(random: Random, parcels: readonly Parcel[]): string {
  const features = random.shuffle(parcels).map(({ id, farm, lonLat }) => ({
    type: "Feature",
    properties: { parcel_id: id, farm_id: farm },
    geometry:
      lonLat.length === 1
        ? { type: "Polygon", coordinates: lonLat[0] }
        : { type: "MultiPolygon", coordinates: lonLat },
  }));
  const lines = features.map((feature) => JSON.stringify(feature)).join(",\n");
  return `{"type":"FeatureCollection","name":"parcels","features":[\n${lines}\n]}\n`;
}

/**
 * The farmers' declarations, as a European office exports them: semicolons, decimal commas, last season's rows among
 * this season's, and a few parcels that were never declared.
 */
export function cropTable(
  random: Random,
  parcels: readonly Parcel[],
  stands: readonly Stand[],
  season: number,
): { readonly text: string; readonly cropOf: ReadonlyMap<string, string> } {
  const cropOf = new Map<string, string>();
  const lines: string[] = [];
  const names = [...new Set(stands.map(({ crop }) => crop))];
  for (const [index, { id }] of parcels.entries()) {
    const { crop } = stands[index] as Stand;
    const area = (random.next() * 9 + 0.2).toFixed(2).replace(".", ",");
    lines.push(`${id};${season - 1};${random.pick(names)};${area}`);
    if (random.next() < 0.05) continue;
    cropOf.set(id, crop);
    lines.push(`${id};${season};${crop};${area}`);
  }
  return { text: `parcel_id;season;crop;declared_ha\r\n${random.shuffle(lines).join("\r\n")}\r\n`, cropOf };
}

/** The part of a scene's metadata that matters: how digital numbers become reflectance. */
export function sceneMetadata(date: string, offset: number): string {
  const baseline = offset === 0 ? "03.01" : "05.09";
  const offsets = [1, 2, 3, 7]
    .map((band) => `      <BOA_ADD_OFFSET band_id="${band}">${offset}</BOA_ADD_OFFSET>`)
    .join("\n");
  const list =
    offset === 0 ? "" : `\n    <BOA_ADD_OFFSET_VALUES_LIST>\n${offsets}\n    </BOA_ADD_OFFSET_VALUES_LIST>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Level-2A_User_Product>
  <General_Info>
    <PRODUCT_START_TIME>${date}T10:06:19.024Z</PRODUCT_START_TIME>
    <PROCESSING_BASELINE>${baseline}</PROCESSING_BASELINE>
    <QUANTIFICATION_VALUES_LIST>
      <BOA_QUANTIFICATION_VALUE unit="none">10000</BOA_QUANTIFICATION_VALUE>
    </QUANTIFICATION_VALUES_LIST>${list}
    <Special_Values><SPECIAL_VALUE_TEXT>NODATA</SPECIAL_VALUE_TEXT><SPECIAL_VALUE_INDEX>0</SPECIAL_VALUE_INDEX></Special_Values>
  </General_Info>
</Level-2A_User_Product>
`;
}
