import type { Random } from "ale/contract/random";
import type { Parcel } from "./make-parcels.ts";

/** NDVI of a healthy stand at the three dates, and its share of the parcels. */
const crops = [
  { name: "winter wheat", course: [0.46, 0.8, 0.36], share: 0.34 },
  { name: "grain maize", course: [0.2, 0.52, 0.75], share: 0.28 },
  { name: "sugar beet", course: [0.26, 0.66, 0.73], share: 0.2 },
  { name: "permanent grassland", course: [0.62, 0.74, 0.68], share: 0.18 },
] as const;
const rare = { name: "hops", course: [0.3, 0.62, 0.76] } as const;

/** A parcel's crop and how green it is at each date. */
export interface Stand {
  readonly crop: string;
  readonly course: readonly number[];
}

/**
 * Sows every parcel: the crop's course with an offset of the parcel, a little variation of the change, and in one
 * parcel of twelve a damage, or a stand that came on late. Three parcels grow a crop too rare to be compared.
 */
export function growCrops(random: Random, parcels: readonly Parcel[]): readonly Stand[] {
  return parcels.map((_parcel, index): Stand => {
    const offset = Math.max(-0.05, Math.min(0.05, random.normal(0, 0.025)));
    const change = Math.max(-0.024, Math.min(0.024, random.normal(0, 0.016)));
    const fate = random.next();
    const damage = fate < 0.06 ? -0.2 - 0.08 * random.next() : fate > 0.97 ? 0.15 : 0;
    let draw = random.next();
    const found = crops.find(({ share }) => {
      draw -= share;
      return draw < 0;
    });
    const crop = index % 31 === 7 ? rare : (found ?? crops[0]);
    const extra = crop === rare && index < 31 ? -0.3 : damage;
    const [first, second, third] = crop.course;
    return {
      crop: crop.name,
      course: [first + offset, second + offset + change / 2, third + offset + change + extra],
    };
  });
}
