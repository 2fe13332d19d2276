import type { ReactNode } from "react";
import type { LastScreen } from "../../contract/last-screen.ts";
import { fileAddress } from "../data/source.ts";
import { dateTime } from "../format.ts";
import { useText } from "../settings.tsx";

/** What an attempt's screen showed when it was last seen. */
export function LastScreenPicture({
  screen,
  path,
}: {
  readonly screen: LastScreen | undefined;
  /** The attempt's. */
  readonly path: string;
}): ReactNode {
  const t = useText();
  const address = screen === undefined ? undefined : fileAddress(path, screen.path);
  if (screen === undefined || address === undefined) return null;
  return (
    <figure className="last-screen">
      <figcaption>
        {t("lastScreen")} <span className="soft">{dateTime(screen.at)}</span>
      </figcaption>
      <a href={address}>
        <img src={address} alt={t("lastScreen")} width={screen.width} height={screen.height} />
      </a>
    </figure>
  );
}
