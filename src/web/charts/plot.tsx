import type * as Plot from "@observablehq/plot";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useText } from "../settings.tsx";

type PlotModule = typeof Plot;
let loading: Promise<PlotModule> | undefined;

/** A chart of Observable Plot, which is loaded with the first one. The numbers it shows stand in a table besides. */
export function PlotFigure({
  label,
  draw,
}: {
  readonly label: string;
  /** Called again whenever it is another function, or the width changes. */
  readonly draw: (plot: PlotModule, width: number) => Element;
}): ReactNode {
  const t = useText();
  const frame = useRef<HTMLDivElement>(null);
  const [plot, setPlot] = useState<PlotModule>();
  const [width, setWidth] = useState(0);
  useEffect(() => {
    loading ??= import("@observablehq/plot");
    loading.then(setPlot);
  }, []);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (plot === undefined || width === 0) return;
    const drawn = draw(plot, width);
    // The figure has one name of its own; Plot's names of its layers are not allowed where they stand.
    for (const layer of drawn.querySelectorAll("g[aria-label]")) layer.removeAttribute("aria-label");
    frame.current?.replaceChildren(drawn);
  }, [plot, width, draw]);
  return (
    <div className="chart" role="img" aria-label={label} ref={frame}>
      {t("loading")}
    </div>
  );
}
