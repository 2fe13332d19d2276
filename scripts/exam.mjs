// `npm run exam`: set up this checkout, then sit the demonstration exam. Arguments go to `ale run`.
import { join } from "node:path";
import { ensureDebian, ensureNpm, root, run } from "./setup.mjs";

ensureNpm();
ensureDebian("exam");
const launcher = join(root, "bin", "ale.mjs");
run(process.execPath, [launcher, "run", join(root, "exams", "demonstration.yaml"), ...process.argv.slice(2)]);
