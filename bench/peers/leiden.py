"""Finds the communities of `bench/leiden.bench.ts` with igraph: `python3 bench/peers/leiden.py FOLDER`. Prints milliseconds and the
community of each node, as JSON.

Needs `pip install igraph`. Two iterations, as igraph's default; the graph is made before.
"""

import json
import random
import sys
import time

import igraph
import numpy


def main(folder):
    read = lambda name, kind: numpy.fromfile(f"{folder}/{name}", kind)
    offsets, targets, weights = read("offsets.u32", "u4"), read("targets.u32", "u4"), read("weights.f64", "f8")
    sources = numpy.repeat(numpy.arange(len(offsets) - 1), numpy.diff(offsets.astype("i8")))
    once = sources < targets
    graph = igraph.Graph(len(offsets) - 1, numpy.stack([sources[once], targets[once]], 1).tolist())
    random.seed(1)
    begin = time.perf_counter()
    found = graph.community_leiden("modularity", weights=weights[once].tolist(), n_iterations=2)
    print(json.dumps({"milliseconds": 1000 * (time.perf_counter() - begin), "of": found.membership}))


if __name__ == "__main__":
    main(sys.argv[1])
