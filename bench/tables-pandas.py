"""The peer of one round of `bench -- tables`: prints seconds and peak megabytes."""
import resource
import sys
import time

import pandas

start = time.perf_counter()
text = {"id": str, "name": str, "date": str, "note": str}
expected = pandas.read_csv(sys.argv[1], dtype=text)
actual = pandas.read_csv(sys.argv[2], dtype=text)
both = expected.merge(actual, on="id", how="outer", suffixes=("", "_actual"), indicator=True)
right = [(both[name] == both[name + "_actual"]).sum() for name in ("name", "date", "note")]
right.append(((both["amount"] - both["amount_actual"]).abs() <= 0.01).sum())
assert (both["_merge"] == "both").all() and right[0] == len(expected)
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
