"""The whole job of `bench/job.bench.ts` in plain Python: `python3 bench/peers/job.py FOLDER`. Prints CPU seconds, the largest memory in
MB and the table, as JSON.

Needs `pip install bm25s numba ranx numpy`. From the BEIR folder's files and a matrix of vectors to a table of means with paired
t-tests: 4 BM25, 1 dense and 15 fused trials. One thread. The first call of each compiled function is not counted.
"""

import json
import os
import re
import resource
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("NUMBA_NUM_THREADS", "1")

import bm25s
import numba  # bm25s is several times slower without it.
import numpy
import ranx

POOL = 100
SETTINGS = [(0.9, 0.4), (0.9, 0.75), (1.2, 0.4), (1.2, 0.75)]
ALPHAS = [0.3, 0.5, 0.7]
WORD = re.compile(r"\w+")


def main(folder):
    job(folder, 200)
    before = seconds()
    table = job(folder, None)
    spent = seconds() - before
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": spent, "mb": memory, "table": table}))


def seconds():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def job(folder, most):
    ids, texts = read(f"{folder}/corpus.jsonl", most)
    query_ids, queries = read(f"{folder}/queries.jsonl", most)
    qrels = {}
    with open(f"{folder}/test.tsv") as file:
        for line in list(file)[1:]:
            query, document, grade = line.split()
            qrels.setdefault(query, {})[document] = int(grade)
    dims = int(open(f"{folder}/dims.txt").read())
    vectors = numpy.fromfile(f"{folder}/corpus.f32", "f4").reshape(-1, dims)[: len(ids)]
    asked = numpy.fromfile(f"{folder}/queries.f32", "f4").reshape(-1, dims)[: len(queries)]
    tokens = [WORD.findall(text.lower()) for text in texts]
    words = [WORD.findall(text.lower()) for text in queries]
    names = numpy.array(ids)
    k = min(POOL, len(ids))
    runs = {}
    for k1, b in SETTINGS:
        index = bm25s.BM25(k1=k1, b=b, method="lucene", backend="numba")
        index.index(tokens, show_progress=False)
        found, scores = index.retrieve(words, k=k, n_threads=1, show_progress=False)
        runs[f"bm25 {k1} {b}"] = as_run(query_ids, names[found], scores)
    scores = asked @ vectors.T
    best = numpy.argpartition(-scores, k - 1, axis=1)[:, :k]
    runs["naive"] = as_run(query_ids, names[best], numpy.take_along_axis(scores, best, 1))
    for k1, b in SETTINGS:
        for alpha in ALPHAS:
            both = [runs["naive"], runs[f"bm25 {k1} {b}"]]
            how = {"norm": "min-max", "method": "wsum", "params": {"weights": (alpha, 1 - alpha)}}
            runs[f"hybrid {k1} {b} {alpha}"] = ranx.fuse(both, **how)
    for k in (10, 60, 100):
        both = [runs["naive"], runs["bm25 0.9 0.4"]]
        runs[f"rrf {k}"] = ranx.fuse(both, norm=None, method="rrf", params={"k": k})
    for name, run in runs.items():
        run.name = name
    gold = ranx.Qrels({query: qrels.get(query, {"none": 1}) for query in query_ids})
    measures = ["recall@5", "recall@10", "mrr@10", "ndcg@10"]
    report = ranx.compare(gold, list(runs.values()), measures, stat_test="student", make_comparable=True)
    return {name: report.results[name]["recall@5"] for name in runs}


def read(path, most):
    ids, texts = [], []
    with open(path) as file:
        for line in file:
            if len(ids) == most:
                break
            row = json.loads(line)
            ids.append(row["_id"])
            texts.append(f"{row.get('title', '')}\n{row['text']}")
    return ids, texts


def as_run(query_ids, found, scores):
    return ranx.Run(
        {query: dict(zip(ids.tolist(), values.tolist())) for query, ids, values in zip(query_ids, found, scores)}
    )


if __name__ == "__main__":
    main(sys.argv[1])
