"""Fuses the lists of `bench/fusion.bench.ts` with ranx: `python3 bench/peers/fusion.py FOLDER`. Prints milliseconds for all pairs, as
JSON.

Needs `pip install ranx`. Runs are made before; the median of nine times after one that is not counted, which compiles.
"""

import json
import statistics
import sys
import time

import ranx


def main(folder):
    with open(f"{folder}/lists.json") as file:
        pairs = json.load(file)
    runs = [ranx.Run({f"q{query}": pair[side] for query, pair in enumerate(pairs)}) for side in (0, 1)]
    weighted = {"norm": "min-max", "method": "wsum", "params": {"weights": (0.5, 0.5)}}
    print(json.dumps({"rrf": timed(runs, {"norm": None, "method": "rrf", "params": {"k": 60}}), "weighted": timed(runs, weighted)}))


def timed(runs, how):
    durations = []
    for _ in range(10):
        begin = time.perf_counter()
        ranx.fuse(runs, **how)
        durations.append(1000 * (time.perf_counter() - begin))
    return statistics.median(durations[1:])


if __name__ == "__main__":
    main(sys.argv[1])
