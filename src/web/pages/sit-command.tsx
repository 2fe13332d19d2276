import { type ReactNode, useId, useRef, useState } from "react";
import type { DeskCommand } from "../../contract/sitting-desk.ts";
import type { ApiProblem } from "../../server/api/api-problem.ts";
import { problemOf } from "../data/requests.ts";
import { renew } from "../data/use-data.ts";
import { duration } from "../format.ts";
import { Problem } from "../parts/load.tsx";
import { useText } from "../settings.tsx";
import { runLine } from "./sit-requests.ts";

interface Ran extends DeskCommand {
  readonly number: number;
  readonly line: string;
}

/** Runs one line at a time in the machine's shell, and keeps what they said. */
export function SitCommand(): ReactNode {
  const t = useText();
  const id = useId();
  const running = useRef<AbortController>(undefined);
  const [isRunning, setRunning] = useState(false);
  const [line, setLine] = useState("");
  const [ran, setRan] = useState<readonly Ran[]>([]);
  const [problem, setProblem] = useState<ApiProblem>();
  async function run(): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setRunning(true);
    setProblem(undefined);
    try {
      const result = await runLine(line, controller.signal);
      setRan((before) => [{ ...result, line, number: before.length + 1 }, ...before]);
      setLine("");
    } catch (error) {
      if (!controller.signal.aborted) setProblem(problemOf(error));
    }
    setRunning(false);
    renew("sit/files");
  }
  return (
    <section aria-labelledby={`${id}title`}>
      <h2 id={`${id}title`}>{t("sitCommand")}</h2>
      <form
        className="sit-line"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isRunning && line.trim() !== "") void run();
        }}
      >
        <input
          aria-label={t("sitCommandLine")}
          value={line}
          onChange={(event) => setLine(event.target.value)}
          placeholder="ls -l input output"
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
        />
        {isRunning ? (
          <button type="button" onClick={() => running.current?.abort()}>
            {t("sitStop")}
          </button>
        ) : (
          <button type="submit">{t("sitRun")}</button>
        )}
      </form>
      {problem === undefined ? null : <Problem problem={problem} />}
      <div role="log" aria-label={t("sitCommandOutput")}>
        {ran.map((one) => (
          <div key={one.number} className="sit-ran">
            <p>
              <code>$ {one.line}</code>{" "}
              <span className="soft">
                {one.end}, {duration(one.wallMs)}
              </span>
            </p>
            {one.stdout + one.stderr === "" ? null : (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reached by keyboard
              <pre tabIndex={0}>{`${one.stdout}${one.stderr}`}</pre>
            )}
          </div>
        ))}
      </div>
    </section>
  );
}
