import { defineConfig, type ViteUserConfig } from "vitest/config";

/** Set by `npm run test:full` and `npm run test:nightly`: only the heavy real parts; emulated machines one at a time. */
const heavy = process.env["ALE_TEST_FULL"] === "nightly" ? "nightly" : "full";
const full = (process.env["ALE_TEST_FULL"] ?? "") !== "";
const folders = ["src", "test", "tasks"];

const config: ViteUserConfig = defineConfig({
  test: {
    include: folders.map((folder) => `${folder}/**/*${full ? `.${heavy}` : ""}.test.ts`),
    exclude: full ? [] : ["**/*.{full,nightly}.test.ts"],
    pool: "forks",
    maxWorkers: full && heavy === "nightly" ? 1 : 2,
    testTimeout: full ? 2_400_000 : 240_000,
    hookTimeout: full ? 2_400_000 : 240_000,
  },
});
export default config;
