import { type ReactNode, useId } from "react";
import { useText } from "../settings.tsx";

/** A text that narrows a list down, and how much of the list is left. */
export function FilterField({
  label,
  value,
  onChange,
  shown,
  all,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly shown: number;
  readonly all: number;
}): ReactNode {
  const t = useText();
  const id = useId();
  return (
    <p className="fields">
      <span className="field">
        <label htmlFor={id}>{label}</label>
        <input id={id} type="search" value={value} onChange={(event) => onChange(event.target.value)} />
      </span>
      <span className="soft" role="status">
        {t("shownOf", { shown, all })}
      </span>
    </p>
  );
}

/** Whether a text holds every word of a filter, in any case. */
export function holdsWords(text: string, filter: string): boolean {
  const lower = text.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
