"""Searches the texts of `bench/bm25.bench.ts` with bm25s: `python3 bench/peers/bm25.py FOLDER`. Prints milliseconds a
query for each list of queries, as JSON.

Needs `pip install bm25s numba`. One thread; all queries in one call, nine times after one that is not counted: the median.
"""

import json
import statistics
import sys
import time

import bm25s
import numba  # bm25s is several times slower without it, so without it there is no figure.


def main(folder):
    with open(f"{folder}/texts.json") as file:
        texts = [text.split(" ") for text in json.load(file)]
    with open(f"{folder}/queries.json") as file:
        lists = [[query.split(" ") for query in queries] for queries in json.load(file)]
    index = bm25s.BM25(k1=0.9, b=0.4, method="lucene", backend="numba")
    index.index(texts, show_progress=False)
    print(json.dumps([time_a_query(index, queries) for queries in lists]))


def time_a_query(index, queries):
    durations = []
    for _ in range(10):
        begin = time.perf_counter()
        index.retrieve(queries, k=100, n_threads=1, show_progress=False)
        durations.append(1000 * (time.perf_counter() - begin) / len(queries))
    return statistics.median(durations[1:])


if __name__ == "__main__":
    main(sys.argv[1])
