"""Fits the matrix of `bench/lsa.bench.ts` with scikit-learn: `python3 bench/peers/lsa.py FOLDER`. Prints milliseconds, as JSON.

Needs `pip install scikit-learn`. A randomized SVD with two power iterations; set OMP_NUM_THREADS=1 for one thread.
"""

import json
import os
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy
import scipy.sparse
from sklearn.utils.extmath import randomized_svd


def main(folder):
    with open(f"{folder}/shape.json") as file:
        shape = json.load(file)
    read = lambda name, kind: numpy.fromfile(f"{folder}/{name}", kind)
    offsets, indices = read("offsets.u32", "u4").astype("i4"), read("indices.u32", "u4").astype("i4")
    matrix = scipy.sparse.csr_matrix((read("values.f64", "f8"), indices, offsets), (len(offsets) - 1, shape["columns"]))
    begin = time.perf_counter()
    randomized_svd(matrix, shape["dims"], n_iter=2, random_state=0)
    print(json.dumps(1000 * (time.perf_counter() - begin)))


if __name__ == "__main__":
    main(sys.argv[1])
