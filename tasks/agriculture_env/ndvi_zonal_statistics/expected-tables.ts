import type { Anomaly, ParcelDate } from "./truth.ts";

/** The expected `parcel_ndvi.csv`. */
export function parcelTable(rows: readonly ParcelDate[]): string {
  const lines = rows.map(({ parcel, date, pixels, valid, cloudShare, status, statistics }) =>
    [
      parcel,
      date,
      pixels,
      valid,
      cloudShare === null ? "" : cloudShare.toFixed(6),
      status,
      ...(statistics === null
        ? ["", "", ""]
        : [statistics.mean, statistics.median, statistics.p10].map((value) => value.toFixed(6))),
    ].join(","),
  );
  const header = "parcel_id,date,pixels,valid_pixels,cloud_share,status,ndvi_mean,ndvi_median,ndvi_p10";
  return `${[header, ...lines].join("\n")}\n`;
}

/** The expected `anomalies.csv`. */
export function anomalyTable(anomalies: readonly Anomaly[]): string {
  const lines = anomalies.map(({ parcel, crop, change, cropMedian, robustZ }) =>
    [
      parcel,
      crop,
      change.toFixed(6),
      cropMedian.toFixed(6),
      robustZ.toFixed(4),
      robustZ < 0 ? "decline" : "growth",
    ].join(","),
  );
  return `${["parcel_id,crop,change,crop_median,robust_z,direction", ...lines].join("\n")}\n`;
}
