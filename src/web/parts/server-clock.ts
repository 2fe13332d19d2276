import { useEffect, useRef, useState } from "react";

const tickMs = 250;

/** Time by the server's clock as it goes on, whatever this browser's says. @param told what the server last said, in milliseconds. */
export function useServerClock(told: number): number {
  const offset = useRef(0);
  const [now, setNow] = useState(told);
  useEffect(() => {
    offset.current = told - Date.now();
    setNow(told);
  }, [told]);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() + offset.current), tickMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** `4:05`, `1:04:05`. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (part: number): string => String(part).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  const rest = two(seconds % 60);
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
}
