import type { ReactNode } from "react";
import { useText } from "../settings.tsx";

export function NotFoundPage(): ReactNode {
  const t = useText();
  return <h1>{t("notFound")}</h1>;
}
