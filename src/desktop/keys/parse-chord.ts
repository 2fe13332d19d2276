/** The keys of a chord such as `ctrl+shift+t`, in the order they are pressed. `ctrl++` is Control and plus. */
export function parseChord(chord: string): readonly string[] {
  if (chord.length <= 1) return [chord];
  const plus = chord.endsWith("++") || chord.endsWith("+") ? ["+"] : [];
  const rest = plus.length === 0 ? chord : chord.replace(/\+{1,2}$/, "");
  return [...rest.split("+").map((key) => (key === " " ? key : key.trim())), ...plus].filter(
    (key) => key !== "",
  );
}
