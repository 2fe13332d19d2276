import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useText } from "../settings.tsx";
import type { MeshFacts, MeshScene } from "./mesh-scene.ts";

type Shown =
  | { readonly kind: "loading" }
  | { readonly kind: "shown"; readonly facts: MeshFacts }
  | { readonly kind: "problem"; readonly message: string };

const turnBy = 0.2;
const turns: Readonly<Record<string, readonly [sideways: number, upwards: number]>> = {
  ArrowLeft: [-turnBy, 0],
  ArrowRight: [turnBy, 0],
  ArrowUp: [0, turnBy],
  ArrowDown: [0, -turnBy],
};

/** A mesh to turn by pointer or arrow keys; what draws it is loaded with the first one. */
export function MeshView({ address, name }: { readonly address: string; readonly name: string }): ReactNode {
  const t = useText();
  const canvas = useRef<HTMLCanvasElement>(null);
  const scene = useRef<MeshScene>(undefined);
  const [shown, setShown] = useState<Shown>({ kind: "loading" });
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    let gone = false;
    import("./mesh-scene.ts")
      .then(({ showMesh }) => showMesh(element, address, name))
      .then(
        (made) => {
          if (gone) return made.dispose();
          scene.current = made;
          setShown({ kind: "shown", facts: made.facts });
        },
        (error: unknown) => {
          if (!gone)
            setShown({ kind: "problem", message: error instanceof Error ? error.message : String(error) });
        },
      );
    return () => {
      gone = true;
      scene.current?.dispose();
      scene.current = undefined;
    };
  }, [address, name]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const turn = turns[event.key];
    if (turn === undefined) return;
    event.preventDefault();
    scene.current?.turn(...turn);
  };
  return (
    <figure className="mesh">
      <canvas ref={canvas} role="img" aria-label={t("meshOf", { name })} tabIndex={0} onKeyDown={onKeyDown} />
      <figcaption className="soft" role="status">
        {shown.kind === "loading" ? t("loading") : null}
        {shown.kind === "problem" ? t("noPreview", { reason: shown.message }) : null}
        {shown.kind === "shown"
          ? t("meshFacts", {
              triangles: shown.facts.triangles.toLocaleString(),
              size: shown.facts.size.map((side) => Number(side.toPrecision(4))).join(" × "),
            })
          : null}
      </figcaption>
    </figure>
  );
}
