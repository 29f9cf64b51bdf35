"""Searches the vectors of `bench/dense.bench.ts` with faiss: `python3 bench/peers/dense.py FOLDER`. Prints milliseconds a query,
alone and together, as JSON.

Needs `pip install faiss-cpu`. One thread; an exact index of inner products; the median of nine times after one that is not counted.
"""

import json
import statistics
import sys
import time

import faiss
import numpy


def main(folder):
    faiss.omp_set_num_threads(1)
    with open(f"{folder}/shape.json") as file:
        shape = json.load(file)
    rows = numpy.fromfile(f"{folder}/rows.f32", dtype=numpy.float32).reshape(-1, shape["dims"])
    queries = rows[shape["queries"]]
    index = faiss.IndexFlatIP(shape["dims"])
    index.add(rows)
    alone = timed(lambda: [index.search(queries[i : i + 1], shape["depth"]) for i in range(len(queries))])
    together = timed(lambda: index.search(queries, shape["depth"]))
    print(json.dumps([alone / len(queries), together / len(queries)]))


def timed(call):
    durations = []
    for _ in range(10):
        begin = time.perf_counter()
        call()
        durations.append(1000 * (time.perf_counter() - begin))
    return statistics.median(durations[1:])


if __name__ == "__main__":
    main(sys.argv[1])
