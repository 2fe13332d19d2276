import { isExported } from "./source.ts";
import { renew } from "./use-data.ts";

/** Renews what is shown whenever the server tells that a run changed. */
export function followLiveChanges(): void {
  if (isExported) return;
  const source = new EventSource("/api/live");
  source.addEventListener("run", (event) => {
    const { id } = JSON.parse(event.data) as { readonly id: string };
    renew(`runs/${encodeURIComponent(id)}`);
    for (const prefix of ["board", "trend", "compare", "taxonomy", "failures"]) renew(prefix);
  });
  source.addEventListener("runs", () => renew("runs"));
}
