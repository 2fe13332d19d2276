import type { Hono } from "hono";
import { AleError } from "../../contract/ale-error.ts";
import type { AppOptions } from "../app-options.ts";
import { isShown, taskCard, taskList, taxonomyView } from "../task-views.ts";

/** The gallery, a workflow's card, the taxonomy. Private workflows are for maintainers. */
export function addTaskRoutes(app: Hono, { about, tasks, taxonomy, shelf }: AppOptions): void {
  app.get("/api/tasks", async (context) => context.json(taskList(await tasks(), taxonomy, about.maintainer)));
  app.get("/api/tasks/:domain/:name", async (context) => {
    const id = `${context.req.param("domain")}/${context.req.param("name")}`;
    const task = (await tasks()).find((candidate) => candidate.manifest.id === id);
    if (task === undefined || !isShown(task, about.maintainer)) {
      throw new AleError({ code: "unknown-task", message: `there is no workflow ${id} here` });
    }
    return context.json(await taskCard(task, taxonomy, about.maintainer));
  });
  app.get("/api/taxonomy", async (context) => {
    const ids = [...(await shelf.folders()).keys()];
    const read = await Promise.allSettled(ids.map((id) => shelf.get(id)));
    const runs = read.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    const shown = (await tasks()).filter((task) => isShown(task, about.maintainer));
    return context.json(taxonomyView(taxonomy, shown, runs));
  });
}
