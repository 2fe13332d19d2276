import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import type { ScreenInput } from "../../contract/screen-input.ts";
import { followScreen } from "../data/follow-screen.ts";
import { useText } from "../settings.tsx";
import "../style/screen.css";
import { type Hands, openHands } from "./sit-hands.ts";
import { inputOfKey } from "./sit-keys.ts";

const buttons: readonly ("left" | "middle" | "right")[] = ["left", "middle", "right"];
const pixelsPerNotch = 100;

/** The machine's screen: seen as it changes, used by pointer and keys. */
export function SitScreen({
  size,
}: {
  readonly size: { readonly width: number; readonly height: number };
}): ReactNode {
  const t = useText();
  const id = useId();
  const canvas = useRef<HTMLCanvasElement>(null);
  const hands = useRef<Hands>(undefined);
  const [problem, setProblem] = useState<string>();
  const [text, setText] = useState("");
  const push = (input: ScreenInput): void => hands.current?.push(input);

  useEffect(() => {
    const element = canvas.current;
    const over = new AbortController();
    hands.current = openHands(setProblem);
    if (element !== null) {
      const address = "/api/sit/screen";
      void followScreen({ canvas: element, address, signal: over.signal, tell: setProblem });
    }
    // React's own listener may not keep the page from scrolling.
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const notches = (delta: number): number =>
        delta === 0
          ? 0
          : Math.sign(delta) * Math.min(10, Math.max(1, Math.round(Math.abs(delta) / pixelsPerNotch)));
      hands.current?.push({ kind: "scroll", x: notches(event.deltaX), y: notches(event.deltaY) });
    };
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      element?.removeEventListener("wheel", onWheel);
      over.abort();
    };
  }, []);

  const move = (event: PointerEvent<HTMLCanvasElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const place = (offset: number, length: number, pixels: number): number =>
      Math.min(pixels - 1, Math.max(0, Math.floor((offset / length) * pixels)));
    const x = place(event.clientX - box.left, box.width, size.width);
    const y = place(event.clientY - box.top, box.height, size.height);
    push({ kind: "move", x, y });
  };
  const press = (event: PointerEvent<HTMLCanvasElement>, action: "down" | "up"): void => {
    const button = buttons[event.button];
    if (button === undefined) return;
    event.preventDefault();
    move(event);
    if (action === "down") {
      event.currentTarget.setPointerCapture(event.pointerId);
      event.currentTarget.focus({ preventScroll: true });
    }
    push({ kind: "button", button, action });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLCanvasElement>): void => {
    if (event.key === "Escape" && event.shiftKey) {
      event.currentTarget.blur();
      return;
    }
    const input = inputOfKey(event.nativeEvent);
    if (input === undefined) return;
    event.preventDefault();
    push(input);
  };
  return (
    <section aria-label={t("sitScreen")}>
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it takes keys and clicks, as that screen does */}
      <canvas
        ref={canvas}
        className="screen"
        width={size.width}
        height={size.height}
        tabIndex={0}
        role="application"
        aria-label={t("sitScreen")}
        aria-describedby={`${id}hint`}
        onPointerMove={move}
        onPointerDown={(event) => press(event, "down")}
        onPointerUp={(event) => press(event, "up")}
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={onKeyDown}
      />
      <p id={`${id}hint`} className="soft note">
        {t("sitScreenHint")}
      </p>
      <form
        className="sit-line"
        onSubmit={(event) => {
          event.preventDefault();
          if (text !== "") push({ kind: "type", text });
          setText("");
        }}
      >
        <input
          aria-label={t("sitText")}
          placeholder={t("sitText")}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit">{t("sitType")}</button>
      </form>
      {problem === undefined ? null : (
        <p className="notice" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
