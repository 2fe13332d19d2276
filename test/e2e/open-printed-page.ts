import type { Browser, Page } from "playwright-core";
import type { StartedAle } from "./run-ale.ts";

/** A browser on the page whose address a command that runs has printed. Disposing closes the one and kills the other. */
export interface PrintedPage extends AsyncDisposable {
  readonly page: Page;
  /** As it was printed. */
  readonly address: string;
  /** What went wrong in the page. */
  readonly errors: readonly string[];
  /** Of every request of the page. */
  readonly methods: readonly string[];
  readonly ale: StartedAle;
}

export interface OpenPrintedPageOptions {
  readonly ale: StartedAle;
  /** Calls back with each piece of the stream on which the address is printed. */
  readonly onText: (listener: (text: string) => void) => void;
  /** What the address looks like. */
  readonly address: RegExp;
  readonly browser: Browser;
  readonly patienceMs: number;
}

export async function openPrintedPage(options: OpenPrintedPageOptions): Promise<PrintedPage> {
  const { ale, browser } = options;
  const said = Promise.withResolvers<string>();
  let text = "";
  options.onText((chunk) => {
    text += chunk;
    const found = options.address.exec(text)?.[0];
    if (found !== undefined) said.resolve(found);
  });
  void ale.ended.then(({ stderr }) => said.reject(new Error(stderr)));
  const address = await said.promise;
  const context = await browser.newContext({ locale: "en-US" });
  const page = await context.newPage();
  page.setDefaultTimeout(options.patienceMs);
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
      // One that a test has stopped goes on first.
      ale.send("SIGCONT");
      ale.kill();
    },
  };
}
