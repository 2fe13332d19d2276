import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { chinese } from "./text/chinese.ts";
import { english } from "./text/english.ts";

export type Language = "en" | "zh";
export type Theme = "system" | "light" | "dark";
export type MessageKey = keyof typeof english;

/** A message with its `{name}` places filled in. */
export type Translate = (key: MessageKey, values?: Readonly<Record<string, string | number>>) => string;

interface Settings {
  readonly language: Language;
  readonly theme: Theme;
  readonly t: Translate;
  setLanguage(language: Language): void;
  setTheme(theme: Theme): void;
}

const SettingsContext = createContext<Settings | undefined>(undefined);

/** Language and theme of the reader, kept in this browser. */
export function SettingsProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [language, setLanguage] = useState<Language>(() => initialLanguage());
  const [theme, setTheme] = useState<Theme>(() => initialTheme());
  useEffect(() => {
    document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
    keep("ale-language", language);
  }, [language]);
  useEffect(() => {
    if (theme === "system") document.documentElement.removeAttribute("data-theme");
    else document.documentElement.dataset["theme"] = theme;
    keep("ale-theme", theme);
  }, [theme]);
  const settings = useMemo((): Settings => {
    const messages: Readonly<Record<MessageKey, string>> = language === "zh" ? chinese : english;
    const t: Translate = (key, values = {}) =>
      messages[key].replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
    return { language, theme, t, setLanguage, setTheme };
  }, [language, theme]);
  return <SettingsContext value={settings}>{children}</SettingsContext>;
}

export function useSettings(): Settings {
  const settings = useContext(SettingsContext);
  if (settings === undefined) throw new TypeError("useSettings outside of SettingsProvider");
  return settings;
}

export function useText(): Translate {
  return useSettings().t;
}

function initialLanguage(): Language {
  const kept = read("ale-language");
  if (kept === "en" || kept === "zh") return kept;
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

function initialTheme(): Theme {
  const kept = read("ale-theme");
  return kept === "light" || kept === "dark" ? kept : "system";
}

/** A browser may forbid a page from disk to keep anything: then nothing is kept. */
function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    return;
  }
}
