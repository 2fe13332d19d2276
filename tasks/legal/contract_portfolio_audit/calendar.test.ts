import { expect, test } from "vitest";
import { addMonths, anniversaries, businessDay, endOfPeriod } from "./calendar.ts";

test("a period ends on the day before its anniversary", () => {
  expect(endOfPeriod("2024-03-15", 12)).toBe("2025-03-14");
  expect(endOfPeriod("2024-03-01", 12)).toBe("2025-02-28");
});

test("a month that lacks the day gives its last one", () => {
  expect(addMonths("2026-12-31", -3)).toBe("2026-09-30");
  expect(addMonths("2023-11-30", 3)).toBe("2024-02-29");
});

test("an anniversary counts from the day itself on", () => {
  expect(anniversaries("2023-05-10", "2026-05-09")).toBe(2);
  expect(anniversaries("2023-05-10", "2026-05-10")).toBe(3);
});

test("weekends and holidays are passed over in the direction asked for", () => {
  const holidays = new Set(["2026-04-03", "2026-04-06"]);
  expect(businessDay("2026-04-03", 1, holidays)).toBe("2026-04-07");
  expect(businessDay("2026-04-06", -1, holidays)).toBe("2026-04-02");
});
