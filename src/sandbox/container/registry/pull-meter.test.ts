import { expect, test } from "vitest";
import type { PullProgress } from "../container-options.ts";
import { PullMeter } from "./pull-meter.ts";

test("layers add up while they are fetched, and unpacking them counts for nothing", () => {
  const told: PullProgress[] = [];
  const meter = new PullMeter("x:1", (progress) => void told.push(progress));
  const take = (id: string, status: string, current?: number, total?: number): void => {
    const known = current === undefined || total === undefined ? {} : { current, total };
    meter.take({ id, status, progressDetail: known });
  };
  meter.take({ status: "Pulling from x" });
  take("a", "Pulling fs layer");
  take("a", "Downloading", 10, 100);
  take("b", "Downloading", 5, 50);
  take("a", "Download complete");
  take("a", "Extracting", 1, 400);
  take("c", "Already exists");
  take("d", "Downloading", 0, -1);
  take("b", "Downloading", 50, 50);
  take("b", "Download complete");
  take("a", "Pull complete");
  expect(told.map(({ image, bytes, totalBytes }) => `${image} ${bytes}/${totalBytes}`)).toEqual([
    "x:1 10/100",
    "x:1 15/150",
    "x:1 105/150",
    "x:1 150/150",
  ]);
});
