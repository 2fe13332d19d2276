import type { GenerateContext } from "ale/task";
import type { Params } from "../params.ts";

type Random = GenerateContext<Params>["random"];

/** A logo of 200 × 120 pixels: a shield of a few flat colours, drawn with nested transforms as exports have them. */
export function draftLogo(random: Random): string {
  const [field, stripe, mark] = random.shuffle(["#f94144", "#f9c74f", "#90be6d", "#ffffff"]);
  const turn = random.integer(8, 28);
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="200" height="120" viewBox="0 0 200 120">
  <g transform="translate(100 60)">
    <rect x="-96" y="-56" width="192" height="112" rx="18" fill="${field}"/>
    <g transform="rotate(-${turn})">
      <rect x="-70" y="-${random.integer(9, 14)}" width="140" height="24" fill="${stripe}"/>
      <path d="M 0,-38 L 33,19 L -33,19 Z" fill="${mark}"/>
    </g>
    <circle cx="${random.integer(-70, 70)}" cy="38" r="11" fill="#1d1d1d"/>
  </g>
</svg>
`;
}
