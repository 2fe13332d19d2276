import { expect, test } from "vitest";
import { createSystemClock } from "./system-clock.ts";

test("a sleep longer than a timer can be is not over at once", async () => {
  const clock = createSystemClock();
  const over = new AbortController();
  const long = clock.sleep(2 ** 40, over.signal).then(() => "long");
  const short = clock.sleep(20).then(() => "short");
  expect(await Promise.race([long, short])).toBe("short");
  over.abort(new DOMException("over", "AbortError"));
  await expect(long).rejects.toThrow("over");
});
