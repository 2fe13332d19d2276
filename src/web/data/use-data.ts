import { useCallback, useEffect, useSyncExternalStore } from "react";
import type { ApiProblem } from "../../server/api/api-problem.ts";
import { ProblemError, readJson } from "./source.ts";

/** Something on its way from the server. */
export type Loaded<T> =
  | { readonly kind: "loading" }
  | { readonly kind: "problem"; readonly problem: ApiProblem }
  | { readonly kind: "value"; readonly value: T };

const loading: Loaded<never> = { kind: "loading" };

interface Slot {
  state: Loaded<unknown>;
  readonly watchers: Set<() => void>;
  /** Number of the request whose answer counts. */
  request: number;
}

const slots = new Map<string, Slot>();
/** Answers that nobody shows are kept up to this many. */
const mostIdle = 200;

function slotOf(path: string): Slot {
  const known = slots.get(path);
  if (known !== undefined) return known;
  const slot: Slot = { state: loading, watchers: new Set(), request: 0 };
  slots.set(path, slot);
  forgetIdle();
  return slot;
}

function forgetIdle(): void {
  for (const [path, slot] of slots) {
    if (slots.size <= mostIdle) return;
    if (slot.watchers.size === 0 && slot.state.kind !== "loading") slots.delete(path);
  }
}

function request(path: string, slot: Slot): void {
  const number = ++slot.request;
  readJson<unknown>(path)
    .then((value): Loaded<unknown> => ({ kind: "value", value }), asProblem)
    .then((state) => {
      if (slot.request !== number) return;
      slot.state = state;
      for (const watcher of slot.watchers) watcher();
    });
}

function asProblem(error: unknown): Loaded<never> {
  const problem: ApiProblem =
    error instanceof ProblemError ? error.problem : { code: "client", message: String(error) };
  return { kind: "problem", problem };
}

/** The answer of an API path; kept, and renewed when the server says that something changed. */
export function useData<T>(path: string): Loaded<T> {
  const subscribe = useCallback(
    (watcher: () => void) => {
      const slot = slotOf(path);
      slot.watchers.add(watcher);
      return () => slot.watchers.delete(watcher);
    },
    [path],
  );
  useEffect(() => {
    const slot = slotOf(path);
    if (slot.request === 0) request(path, slot);
  }, [path]);
  return useSyncExternalStore(subscribe, () => slotOf(path).state) as Loaded<T>;
}

/** Asks again for everything that starts so: at once what is on the screen, the rest when it is next shown. */
export function renew(prefix: string): void {
  for (const [path, slot] of slots) {
    if (!path.startsWith(prefix)) continue;
    if (slot.watchers.size > 0) request(path, slot);
    else slots.delete(path);
  }
}
