import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import type { ItemSearch } from "../../server/api/item-page.ts";
import { Load } from "../parts/load.tsx";
import { useText } from "../settings.tsx";

const route = "/runs/$run/trials/$trial/$attempt";

/** Looks for a text in all items of the attempt, seen or not. */
export function ItemSearchBox({
  path,
  onChoose,
}: {
  readonly path: string;
  readonly onChoose: (item: number) => void;
}): ReactNode {
  const t = useText();
  const label = useId();
  const { q = "" } = useSearch({ from: route });
  const navigate = useNavigate({ from: route });
  const [text, setText] = useState(q);
  const search = (query: string): void => {
    navigate({
      search: ({ q: _, ...rest }) => (query === "" ? rest : { ...rest, q: query }),
      replace: true,
      resetScroll: false,
    });
  };
  return (
    <search>
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          search(text.trim());
        }}
      >
        <span className="field">
          <label id={label} htmlFor="item-search">
            {t("searchRun")}
          </label>
          <input
            id="item-search"
            type="search"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </span>
        <button type="submit">{t("search")}</button>
        {q === "" ? null : (
          <button
            type="button"
            className="quiet"
            onClick={() => {
              setText("");
              search("");
            }}
          >
            {t("clear")}
          </button>
        )}
      </form>
      {q === "" ? null : (
        <Load<ItemSearch> path={`${path}/search?q=${encodeURIComponent(q)}`}>
          {(found) => <Hits found={found} onChoose={onChoose} />}
        </Load>
      )}
    </search>
  );
}

function Hits({
  found,
  onChoose,
}: {
  readonly found: ItemSearch;
  readonly onChoose: (item: number) => void;
}): ReactNode {
  const t = useText();
  const { hits, more } = found;
  return (
    <>
      <p role="status" className="soft">
        {hits.length === 0 ? t("noHits") : t(more ? "moreHits" : "hits", { n: hits.length })}
      </p>
      <ul className="hits">
        {hits.map((hit) => (
          <li key={hit.offset}>
            <button type="button" className="hit" onClick={() => onChoose(hit.item)}>
              <b>{hit.item + 1}</b> <span className="soft">{hit.excerpt}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
