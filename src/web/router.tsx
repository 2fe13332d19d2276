import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import { BoardPage } from "./pages/board-page.tsx";
import { NotFoundPage } from "./pages/not-found-page.tsx";
import { RunPage } from "./pages/run-page.tsx";
import { RunsPage } from "./pages/runs-page.tsx";
import { TrialPage } from "./pages/trial-page.tsx";
import { Shell } from "./shell.tsx";

/** What a page's address may say behind `?`; anything else is dropped. */
type Search<Keys extends string> = { readonly [K in Keys]?: string };

function searchOf<const Keys extends readonly string[]>(
  keys: Keys,
): (raw: Record<string, unknown>) => Search<Keys[number]> {
  return (raw) =>
    Object.fromEntries(
      keys.flatMap((key) => {
        const value = raw[key];
        return value === undefined || value === "" ? [] : [[key, String(value)]];
      }),
    ) as Search<Keys[number]>;
}

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage });

const routes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/",
    validateSearch: searchOf(["lane", "run", "domain", "tier"]),
    component: BoardPage,
  }),
  createRoute({ getParentRoute: () => rootRoute, path: "/runs", component: RunsPage }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/runs/$run",
    validateSearch: searchOf(["filter", "sort"]),
    component: RunPage,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/runs/$run/trials/$trial/$attempt",
    validateSearch: searchOf(["part", "kind", "item", "q", "file"]),
    component: TrialPage,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/compare",
    validateSearch: searchOf(["run", "first", "second"]),
    component: lazyRouteComponent(() => import("./pages/compare-page.tsx"), "ComparePage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/tasks",
    validateSearch: searchOf(["filter", "domain", "tier"]),
    component: lazyRouteComponent(() => import("./pages/tasks-page.tsx"), "TasksPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/tasks/$domain/$name",
    component: lazyRouteComponent(() => import("./pages/task-page.tsx"), "TaskPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/failures",
    validateSearch: searchOf(["run", "rule", "contestant"]),
    component: lazyRouteComponent(() => import("./pages/failures-page.tsx"), "FailuresPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/coverage",
    component: lazyRouteComponent(() => import("./pages/coverage-page.tsx"), "CoveragePage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/sit",
    component: lazyRouteComponent(() => import("./pages/sit-page.tsx"), "SitPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/sit/$token",
    component: lazyRouteComponent(() => import("./pages/token-entrance.tsx"), "SitEntrance"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/watch",
    validateSearch: searchOf(["trial", "attempt"]),
    component: lazyRouteComponent(() => import("./pages/watch-page.tsx"), "WatchPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/watch/$token",
    component: lazyRouteComponent(() => import("./pages/token-entrance.tsx"), "WatchEntrance"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/serve/$token",
    component: lazyRouteComponent(() => import("./pages/token-entrance.tsx"), "ViewerEntrance"),
  }),
] as const;

/** Addresses stand behind `#`: the same from a server and from a folder on disk. */
export const router = createRouter({
  routeTree: rootRoute.addChildren(routes),
  history: createHashHistory(),
  // Plain texts, as people type and read them: the router's own form puts quotes around numbers.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search: Readonly<Record<string, string | undefined>>) => {
    const query = new URLSearchParams(
      Object.entries(search).flatMap(([key, value]) =>
        value === undefined || value === "" ? [] : [[key, value]],
      ),
    ).toString();
    return query === "" ? "" : `?${query}`;
  },
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
