"""Writes and reads the tables of `bench/parquet.bench.ts` with pyarrow: `python3 bench/peers/parquet.py FOLDER`. Prints milliseconds and
the megabytes of each file, as JSON.

Needs `pip install pyarrow`. One thread; zstd, the median of three.
"""

import json
import os
import statistics
import sys
import time

import numpy
import pyarrow
import pyarrow.parquet

pyarrow.set_cpu_count(1)


def main(folder):
    with open(f"{folder}/texts.json") as file:
        texts = json.load(file)
    with open(f"{folder}/shape.json") as file:
        dims = json.load(file)["dims"]
    vectors = numpy.fromfile(f"{folder}/rows.f32", "f4")
    tables = {
        "texts": lambda: pyarrow.table({"id": [f"p{row}" for row in range(len(texts))], "text": texts}),
        "vectors": lambda: pyarrow.table({"vector": pyarrow.FixedSizeListArray.from_arrays(vectors, dims)}),
    }
    path = f"{folder}/table.parquet"
    results = {}
    for name, table in tables.items():
        write = timed(lambda: pyarrow.parquet.write_table(table(), path, compression="zstd"))
        # Ours gives strings and numbers, so these are made too.
        read = timed(lambda: rows(pyarrow.parquet.read_table(path, use_threads=False), name))
        results[name] = {"write": write, "read": read, "mb": os.path.getsize(path) / 1e6}
    print(json.dumps(results))


def rows(table, name):
    if name == "texts":
        return [table["id"].to_pylist(), table["text"].to_pylist()]
    return table["vector"].combine_chunks().flatten().to_numpy()


def timed(call):
    durations = []
    for _ in range(3):
        begin = time.perf_counter()
        call()
        durations.append(1000 * (time.perf_counter() - begin))
    return statistics.median(durations)


if __name__ == "__main__":
    main(sys.argv[1])
