import { type Animated, type Easing, frameOf, frameRate } from "../cue-sheet.ts";

/** Shares of the way, as ffmpeg's expressions write them; `ld(0)` is the share of the time. */
const easings: Readonly<Record<Easing, string>> = {
  linear: "ld(0)",
  "in-cubic": "pow(ld(0),3)",
  "out-cubic": "(1-pow(1-ld(0),3))",
  "in-out-cubic": "if(lt(ld(0),0.5),4*pow(ld(0),3),1-pow(2-2*ld(0),3)/2)",
  "in-out-sine": "((1-cos(PI*ld(0)))/2)",
  "out-back": "(1+2.70158*pow(ld(0)-1,3)+1.70158*pow(ld(0)-1,2))",
};

/**
 * A value over time as an expression of ffmpeg. Frames are counted by their time: what filters call `n` begins at 0 in some and
 * at 1 in others.
 */
export function expression(animated: Animated): string {
  if (typeof animated === "number") return String(animated);
  const [first] = animated;
  const last = animated.at(-1);
  if (first === undefined || last === undefined) throw new Error("a value of the cue sheet has no keys");
  const n = `round(t*${frameRate})`;
  let text = String(last.value);
  for (let index = animated.length - 1; index > 0; index--) {
    const [from, to] = [animated[index - 1] ?? first, animated[index] ?? last];
    const [start, end] = [frameOf(from.at), frameOf(to.at)];
    const share = `st(0,(${n}-${start})/${end - start})`;
    const way = `${from.value}+(${to.value - from.value})*${easings[to.ease ?? "linear"]}`;
    text = `if(lt(${n},${end}),${share};${way},${text})`;
  }
  return `if(lt(${n},${frameOf(first.at)}),${first.value},${text})`;
}
