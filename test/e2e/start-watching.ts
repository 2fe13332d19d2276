import type { Browser, Page } from "playwright-core";
import type { StartedAle, Workplace } from "./run-ale.ts";

/** A browser on the page of an `ale watch` that runs. Disposing closes the one and kills the other. */
export interface Watching extends AsyncDisposable {
  readonly page: Page;
  /** As it was printed. */
  readonly address: string;
  /** What went wrong in the page. */
  readonly errors: readonly string[];
  /** Of every request of the page. */
  readonly methods: readonly string[];
  readonly ale: StartedAle;
}

/** Starts `ale watch` and opens the page it names. */
export async function startWatching(
  place: Workplace,
  browser: Browser,
  options: readonly string[] = [],
): Promise<Watching> {
  const ale = place.start("watch", "--json", ...options);
  const said = Promise.withResolvers<string>();
  let text = "";
  ale.onOutput((chunk) => {
    text += chunk;
    const found = /http:[^"\s]+#\/watch\/[^"\s]+/.exec(text)?.[0];
    if (found !== undefined) said.resolve(found);
  });
  void ale.ended.then(({ stderr }) => said.reject(new Error(stderr)));
  const address = await said.promise;
  const context = await browser.newContext({ locale: "en-US" });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const errors: string[] = [];
  const methods: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("request", (request) => methods.push(request.method()));
  await page.goto(address);
  return {
    ...{ page, address, errors, methods, ale },
    async [Symbol.asyncDispose]() {
      await context.close();
      ale.send("SIGCONT");
      ale.kill();
    },
  };
}
