import { expect, test } from "vitest";
import { modelsFileSchema } from "../../contract/models-file.ts";
import { createPriceBook } from "./price-book.ts";

const usage = {
  calls: 1,
  input: 1_000_000,
  cached: 200_000,
  cacheWrite: 100_000,
  output: 50_000,
  reasoning: 9,
};

function bookOf(models: Readonly<Record<string, object>>): ReturnType<typeof createPriceBook> {
  const upstreams = { here: { base_url: "http://127.0.0.1:1", wires: ["openai-chat"], prices: "anthropic" } };
  const full = Object.entries(models).map(([name, model]) => [name, { upstream: "here", ...model }]);
  return createPriceBook(
    modelsFileSchema.parse({ schema: "ale/models@1", upstreams, models: Object.fromEntries(full) }),
  );
}

const day = (text: string): number => Date.parse(`${text}T12:00:00Z`);

test("the user's own price holds from its date on", () => {
  const prices = [
    { since: "2026-02-01", input: 2, output: 20 },
    { since: "2026-01-01", input: 1, output: 10, cached: 0.1, cache_write: 1.25 },
  ];
  const book = bookOf({ own: { prices } });
  const january = book.price("own", usage, day("2026-01-31"));
  expect(january).toEqual({
    costUsd: { known: true, value: 0.7 + 0.02 + 0.125 + 0.5 },
    source: "models.yaml",
  });
  expect(book.price("own", usage, day("2026-02-01")).costUsd).toEqual({ known: true, value: 3 });
});

test("without one the library's price is taken, with its own rates for the cache", () => {
  const book = bookOf({ sonnet: { id: "claude-3-5-sonnet-20241022" } });
  const small = { ...usage, input: 10_000, cached: 2000, cacheWrite: 1000, output: 500 };
  const { costUsd, source } = book.price("sonnet", small, day("2026-01-01"));
  // Anthropic's list: 3 in, 0.30 cached, 3.75 written, 15 out, in dollars per million.
  const dollars = (7000 * 3 + 2000 * 0.3 + 1000 * 3.75 + 500 * 15) / 1e6;
  expect(source).toBe("@pydantic/genai-prices");
  expect(costUsd.known && costUsd.value).toBeCloseTo(dollars, 12);
});

test("an unknown price is unknown, and never nothing", () => {
  const book = bookOf({ mystery: {}, late: { prices: [{ since: "2026-06-01", input: 1, output: 1 }] } });
  for (const name of ["mystery", "late", "not-in-the-file", "constructor"]) {
    expect(book.price(name, usage, day("2026-01-01")).costUsd).toMatchObject({ known: false });
  }
});
