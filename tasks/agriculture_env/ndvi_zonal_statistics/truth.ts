export type Status = "ok" | "cloudy" | "sparse" | "outside";

/** One row of the expected `parcel_ndvi.csv`. */
export interface ParcelDate {
  readonly parcel: string;
  readonly date: string;
  readonly pixels: number;
  readonly valid: number;
  /** Null where no pixel of the parcel lies in the scene. */
  readonly cloudShare: number | null;
  readonly status: Status;
  /** Only where the status is ok. */
  readonly statistics: { readonly mean: number; readonly median: number; readonly p10: number } | null;
}

/** A parcel's change and how far it is from that of its crop. */
export interface Anomaly {
  readonly parcel: string;
  readonly crop: string;
  readonly change: number;
  readonly cropMedian: number;
  readonly robustZ: number;
}
