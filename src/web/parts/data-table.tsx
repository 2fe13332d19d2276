import {
  type ColumnDef,
  createSortedRowModel,
  type RowData,
  rowSortingFeature,
  type SortingState,
  sortFns,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { useText } from "../settings.tsx";
import { ScrollWindow } from "./scroll-window.tsx";

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel(), sortFns });

/** A column: how it is called, sorted by and shown. */
export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** Sorted by this; a column without it is not sorted. Missing values stand last. */
  readonly value?: (row: Row) => number | string | null;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: "right";
  /** Long names: they may go over lines where the screen is narrow. */
  readonly names?: boolean;
  /** Left out where the screen is narrow. */
  readonly wide?: boolean;
}

export interface DataTableProps<Row> {
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
}

/** Rows from this number on are drawn only where they are seen. */
const virtualFrom = 100;
const rowHeight = 37;

/** A table whose columns sort; long ones scroll in a window of their own. */
export function DataTable<Row extends RowData>({
  caption,
  rows,
  columns,
  rowKey,
}: DataTableProps<Row>): ReactNode {
  const t = useText();
  const frame = useRef<HTMLElement>(null);
  const [sorting, setSorting] = useState<SortingState>([]);
  const definitions = useMemo(
    () =>
      columns.map(
        (column): ColumnDef<typeof features, Row> => ({
          id: column.id,
          // TanStack puts `undefined` last, whichever way a column is sorted.
          accessorFn: (row) => column.value?.(row) ?? undefined,
          enableSorting: column.value !== undefined,
          sortUndefined: "last",
          sortFn: "auto",
        }),
      ),
    [columns],
  );
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({
    features,
    columns: definitions,
    data,
    state: { sorting },
    onSortingChange: setSorting,
  });
  const sorted = table.getRowModel().rows;
  const isVirtual = sorted.length >= virtualFrom;
  const virtual = useVirtualizer({
    count: isVirtual ? sorted.length : 0,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 20,
  });
  const slots = virtual.getVirtualItems();
  const shown = isVirtual ? slots.map((slot) => sorted[slot.index]) : sorted;
  const before = slots[0]?.start ?? 0;
  const after = isVirtual ? virtual.getTotalSize() - (slots.at(-1)?.end ?? 0) : 0;
  const classOf = (column: Column<Row>): string =>
    [
      column.align === "right" ? "number" : "",
      column.wide === true ? "wide" : "",
      column.names === true ? "names-cell" : "",
    ]
      .join(" ")
      .trim();
  return (
    <ScrollWindow className={isVirtual ? "scroll scroll-window" : "scroll"} frame={frame} label={caption}>
      <table aria-rowcount={sorted.length + 1}>
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => {
              const direction =
                sorting[0]?.id === column.id ? (sorting[0].desc ? "descending" : "ascending") : "none";
              return (
                <th key={column.id} scope="col" className={classOf(column)} aria-sort={direction}>
                  {column.value === undefined ? (
                    column.title
                  ) : (
                    <button
                      type="button"
                      className="sort"
                      title={t("sortBy", { column: column.title })}
                      onClick={() => table.getColumn(column.id)?.toggleSorting()}
                    >
                      {column.title}
                      <span aria-hidden="true" className="sort-mark">
                        {direction === "descending" ? "↓" : direction === "ascending" ? "↑" : ""}
                      </span>
                    </button>
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {before > 0 ? <Gap height={before} columns={columns.length} /> : null}
          {shown.map((row) =>
            row === undefined ? null : (
              <tr key={rowKey(row.original)}>
                {columns.map((column) => (
                  <td key={column.id} className={classOf(column)}>
                    {column.cell(row.original)}
                  </td>
                ))}
              </tr>
            ),
          )}
          {after > 0 ? <Gap height={after} columns={columns.length} /> : null}
        </tbody>
      </table>
    </ScrollWindow>
  );
}

function Gap({ height, columns }: { readonly height: number; readonly columns: number }): ReactNode {
  return (
    <tr className="gap">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}
