"""Walks over the graph of `bench/ppr.bench.ts` with scipy: `python3 bench/peers/ppr.py FOLDER`. Prints milliseconds a query, alone
and in a block of all resets, as JSON.

Needs `pip install scipy`. One thread: a power iteration until the sum of all errors of a query is below 1e-13. The median of five
times after one that is not counted.
"""

import json
import statistics
import sys
import time

import numpy
import scipy.sparse


def main(folder):
    read = lambda name, kind: numpy.fromfile(f"{folder}/{name}", kind)
    offsets, targets = read("offsets.u32", "u4").astype("i4"), read("targets.u32", "u4").astype("i4")
    nodes = len(offsets) - 1
    weights = scipy.sparse.csr_matrix((read("weights.f64", "f8"), targets, offsets), (nodes, nodes))
    strengths = numpy.asarray(weights.sum(1)).ravel()
    strengths[strengths == 0] = 1
    step = (weights @ scipy.sparse.diags(1 / strengths)).tocsr()
    resets = read("resets.f64", "f8").reshape(-1, nodes).T
    resets = numpy.ascontiguousarray(resets / resets.sum(0))
    with open(f"{folder}/shape.json") as file:
        damping = json.load(file)["damping"]
    alone = resets[:, 0].copy()
    print(
        json.dumps(
            [
                timed(lambda: walk(step, alone, damping)),
                timed(lambda: walk(step, resets, damping)) / resets.shape[1],
            ]
        )
    )


def walk(step, reset, damping):
    scores = reset
    while True:
        following = damping * (step @ scores) + (1 - damping) * reset
        error = damping / (1 - damping) * numpy.abs(following - scores).sum(0).max()
        scores = following
        if error < 1e-13:
            return scores


def timed(call):
    durations = []
    for _ in range(6):
        begin = time.perf_counter()
        call()
        durations.append(1000 * (time.perf_counter() - begin))
    return statistics.median(durations[1:])


if __name__ == "__main__":
    main(sys.argv[1])
