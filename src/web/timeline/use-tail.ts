import { useEffect, useState } from "react";
import type { Item, ItemPage } from "../../server/api/item-page.ts";

/** Items of a file that is being written, as they come; `undefined` where nothing is followed. */
export function useTail(path: string, isLive: boolean): readonly Item[] | undefined {
  const [items, setItems] = useState<readonly Item[]>([]);
  useEffect(() => {
    if (!isLive) return;
    setItems([]);
    const source = new EventSource(`/api/${path}/tail`);
    source.addEventListener("open", () => setItems([]));
    source.addEventListener("items", (event) => {
      const page = JSON.parse(event.data) as ItemPage;
      setItems((before) => [...before, ...page.items]);
    });
    source.addEventListener("end", () => source.close());
    return () => source.close();
  }, [path, isLive]);
  return isLive ? items : undefined;
}
