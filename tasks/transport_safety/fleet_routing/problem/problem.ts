/** What has to be kept apart, and what needs a special vehicle. */
export type GoodsClass = "dry" | "chilled" | "hazardous";

/** A delivery as it stands after all changes. Times are minutes after midnight. */
export interface Order {
  readonly id: string;
  readonly site: string;
  readonly goods: GoodsClass;
  readonly grams: number;
  readonly litres: number;
  readonly open: number;
  readonly close: number;
  readonly service: number;
}

export interface Site {
  readonly id: string;
  /** Heaviest vehicle that may enter, in kilograms of gross weight. */
  readonly maxGrossKg: number;
}

export interface Vehicle {
  readonly id: string;
  readonly grossKg: number;
  readonly payloadGrams: number;
  readonly volumeLitres: number;
  readonly chilled: boolean;
  readonly hazardous: boolean;
  /** Euros. */
  readonly perDay: number;
  readonly perKm: number;
  readonly perHour: number;
}

/** Times in minutes. */
export interface Rules {
  readonly depot: string;
  readonly depotOpen: number;
  readonly depotClose: number;
  readonly maxDuty: number;
  readonly maxStretch: number;
  readonly minBreak: number;
}

/** Fastest travel between two places for vehicles of one gross weight; absent when there is no way. */
export interface Travel {
  readonly minutes: number;
  readonly hectometres: number;
}

export interface Problem {
  readonly rules: Rules;
  readonly orders: readonly Order[];
  readonly sites: ReadonlyMap<string, Site>;
  readonly vehicles: readonly Vehicle[];
  travel(grossKg: number, from: string, to: string): Travel | undefined;
}

/** A route as planned: visits in order, and when. Minutes after midnight. */
export interface PlannedRoute {
  readonly vehicle: string;
  readonly leave: number;
  readonly stops: readonly PlannedStop[];
  readonly back: number;
}

export interface PlannedStop {
  readonly order: string;
  readonly arrival: number;
  readonly start: number;
  readonly departure: number;
  /** Minutes of rest right after the service; 0 for none. */
  readonly rest: number;
}
