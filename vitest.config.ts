import { defineConfig, type ViteUserConfig } from "vitest/config";

/** Set by `npm run test:full`: only the heavy real parts, one file at a time. */
const full = process.env["ALE_TEST_FULL"] === "1";
const folders = ["src", "test", "tasks"];

const config: ViteUserConfig = defineConfig({
  test: {
    include: folders.map((folder) => `${folder}/**/*${full ? ".full" : ""}.test.ts`),
    exclude: full ? [] : ["**/*.full.test.ts"],
    pool: "forks",
    maxWorkers: full ? 1 : 2,
    testTimeout: full ? 2_400_000 : 120_000,
    hookTimeout: full ? 2_400_000 : 240_000,
  },
});
export default config;
