"""Makes the symmetric CSR of `bench/csr.bench.ts` with scipy: `python3 bench/peers/csr.py FOLDER`. Prints milliseconds, as JSON.

Needs `pip install scipy`.
"""

import json
import sys
import time

import numpy
import scipy.sparse


def main(folder):
    sources, targets = (numpy.fromfile(f"{folder}/{name}.u32", "u4").astype("i4") for name in ("sources", "targets"))
    nodes = 1 + max(sources.max(), targets.max())
    begin = time.perf_counter()
    half = scipy.sparse.coo_matrix((numpy.ones(len(sources)), (sources, targets)), (nodes, nodes)).tocsr()
    whole = half + half.T
    whole.sort_indices()
    print(json.dumps(1000 * (time.perf_counter() - begin)))


if __name__ == "__main__":
    main(sys.argv[1])
