import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import type { About } from "../server/api/about.ts";
import { isEntering, pageOfItsOwn } from "./data/page-of-its-own.ts";
import { useData } from "./data/use-data.ts";
import { dateTime } from "./format.ts";
import { type Theme, useSettings } from "./settings.tsx";

const pages = [
  { to: "/", text: "board" },
  { to: "/compare", text: "compare" },
  { to: "/runs", text: "runs" },
  { to: "/failures", text: "failures" },
  { to: "/tasks", text: "tasks" },
  { to: "/coverage", text: "taxonomy" },
] as const;

const nextTheme: Readonly<Record<Theme, Theme>> = { system: "light", light: "dark", dark: "system" };
const themeText = { system: "themeSystem", light: "themeLight", dark: "themeDark" } as const;

/** Whether there is anywhere to go. */
const leadsAbout = pageOfItsOwn === undefined && !isEntering;

/** What stands around every page. */
export function Shell(): ReactNode {
  const { t, language, setLanguage, theme, setTheme } = useSettings();
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const seen = useRef(pathname);
  useEffect(() => {
    // Readers of the screen start at the new page's content.
    if (seen.current !== pathname) main.current?.focus({ preventScroll: true });
    seen.current = pathname;
  }, [pathname]);
  return (
    <>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {t("skip")}
      </button>
      <header className="top">
        <Link to={pageOfItsOwn === undefined ? "/" : `/${pageOfItsOwn}`} className="brand">
          <span className="brand-mark" aria-hidden="true">
            ALE
          </span>
          <span className="brand-name">{t("title")}</span>
        </Link>
        {leadsAbout ? <Pages /> : null}
        <div className="top-tools">
          <button
            type="button"
            className="quiet"
            lang={language === "zh" ? "en" : "zh-CN"}
            onClick={() => setLanguage(language === "zh" ? "en" : "zh")}
          >
            {t("language")}
          </button>
          <button type="button" className="quiet" onClick={() => setTheme(nextTheme[theme])}>
            {t("theme", { theme: t(themeText[theme]) })}
          </button>
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <Outlet />
      </main>
      {leadsAbout ? <Foot /> : null}
    </>
  );
}

function Pages(): ReactNode {
  const { t } = useSettings();
  return (
    <nav aria-label={t("navigation")}>
      {pages.map((page) => (
        <Link
          key={page.to}
          to={page.to}
          activeOptions={{ exact: page.to === "/", includeSearch: false }}
          activeProps={{ "aria-current": "page" }}
        >
          {t(page.text)}
        </Link>
      ))}
    </nav>
  );
}

function Foot(): ReactNode {
  const { t } = useSettings();
  const about = useData<About>("about");
  if (about.kind !== "value") return null;
  const { version, exportedAt, maintainer } = about.value;
  const parts = [
    `ale ${version}`,
    ...(exportedAt === undefined ? [] : [t("exportedAt", { date: dateTime(exportedAt) })]),
    ...(maintainer ? [t("maintainerMode")] : []),
  ];
  return <footer className="foot">{parts.join(" · ")}</footer>;
}
