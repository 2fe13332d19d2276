import type { Browser, Page } from "playwright-core";
import type { StartedAle, Workplace } from "./run-ale.ts";

/** A person's browser on the page of an `ale sit` that runs. Disposing closes the one and kills the other. */
export interface Sitting extends AsyncDisposable {
  readonly page: Page;
  /** As it was printed. */
  readonly address: string;
  /** What went wrong in the page. */
  readonly errors: readonly string[];
  readonly ale: StartedAle;
}

/** Starts `ale sit` and opens the page it names. */
export async function startSitting(
  place: Workplace,
  browser: Browser,
  options: readonly string[],
): Promise<Sitting> {
  const ale = place.start("sit", "--json", ...options);
  const said = Promise.withResolvers<string>();
  let text = "";
  ale.onProgress((chunk) => {
    text += chunk;
    const found = /http:\S+#\/sit\/\S+/.exec(text)?.[0];
    if (found !== undefined) said.resolve(found);
  });
  void ale.ended.then(({ stderr }) => said.reject(new Error(stderr)));
  const address = await said.promise;
  const context = await browser.newContext({ locale: "en-US" });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await page.goto(address);
  return {
    page,
    address,
    errors,
    ale,
    async [Symbol.asyncDispose]() {
      await context.close();
      ale.kill();
    },
  };
}
