import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { TaskList, TaskSummary } from "../../server/api/task-view.ts";
import { FilterField, holdsWords } from "../parts/filter-field.tsx";
import { Load } from "../parts/load.tsx";
import { useText } from "../settings.tsx";

/** The gallery of workflows. */
export function TasksPage(): ReactNode {
  const t = useText();
  return (
    <>
      <h1>{t("tasks")}</h1>
      <Load<TaskList> path="tasks">{(list) => <Gallery list={list} />}</Load>
    </>
  );
}

function Gallery({ list }: { readonly list: TaskList }): ReactNode {
  const t = useText();
  const { filter = "" } = useSearch({ from: "/tasks" });
  const navigate = useNavigate({ from: "/tasks" });
  const shown = list.tasks.filter((task) => {
    const text = [
      task.id,
      task.title,
      task.summary,
      task.tier,
      task.subfieldName,
      task.os,
      ...task.channels,
      ...task.software,
    ].join(" ");
    return holdsWords(text, filter);
  });
  return (
    <>
      <FilterField
        label={t("filterTasks")}
        value={filter}
        onChange={(text) =>
          navigate({ search: text === "" ? {} : { filter: text }, replace: true, resetScroll: false })
        }
        shown={shown.length}
        all={list.tasks.length}
      />
      <ul className="cards">
        {shown.map((task) => (
          <Card key={task.id} task={task} />
        ))}
      </ul>
      {list.hidden === 0 ? null : <p className="soft">{t("hiddenTasks", { n: list.hidden })}</p>}
    </>
  );
}

function Card({ task }: { readonly task: TaskSummary }): ReactNode {
  const t = useText();
  const [domain = "", name = ""] = task.id.split("/");
  return (
    <li className="card">
      <h2>
        <Link to="/tasks/$domain/$name" params={{ domain, name }}>
          {task.title}
        </Link>
      </h2>
      <p className="soft">{task.subfieldName}</p>
      <p>{task.summary}</p>
      <p className="card-foot">
        <span className="badge">{task.tier}</span>
        {task.pool === "private" ? <span className="badge badge-private">private</span> : null}
        <span>{t("minutesHuman", { n: task.minutes })}</span>
        <span>{t("instancesN", { n: task.instances })}</span>
        <span>{task.channels.join(", ")}</span>
      </p>
    </li>
  );
}
