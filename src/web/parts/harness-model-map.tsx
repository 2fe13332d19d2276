import type { ReactNode } from "react";
import type { HarnessModelMap } from "../../server/api/board-view.ts";
import { interval, percent } from "../format.ts";
import { useText } from "../settings.tsx";

/** Harnesses by models: a table whose cells are the darker the higher the score. */
export function HarnessModelTable({ map }: { readonly map: HarnessModelMap }): ReactNode {
  const t = useText();
  const cells = new Map(map.cells.map((cell) => [`${cell.harness}\0${cell.model}`, cell]));
  return (
    <div className="scroll">
      <table className="heat">
        <caption className="soft">{t("atEffort", { effort: map.effort })}</caption>
        <thead>
          <tr>
            <th scope="col">{t("harness")}</th>
            {map.models.map((model) => (
              <th key={model} scope="col" className="number">
                {model}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {map.harnesses.map((harness) => (
            <tr key={harness}>
              <th scope="row">{harness}</th>
              {map.models.map((model) => {
                const cell = cells.get(`${harness}\0${model}`);
                if (cell === undefined)
                  return (
                    <td key={model} className="number soft">
                      {t("notRun")}
                    </td>
                  );
                const share = Math.round((cell.value ?? 0) * 45);
                return (
                  <td
                    key={model}
                    className="number"
                    title={cell.contestant}
                    style={{ background: `color-mix(in oklab, var(--accent) ${share}%, var(--paper))` }}
                  >
                    <b>{percent(cell.value)}</b> {interval(cell.low, cell.high)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
