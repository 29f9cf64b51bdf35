"""Times the libraries that bench/*.bench.ts compare with ours: `python3 bench/peers.py NAME FOLDER`.

Prints the result of the function NAME over the files of FOLDER, as JSON. Times are milliseconds, of one thread. Each
function imports the library that it measures, so that only this one must be installed (bench/requirements.txt).
"""

import json
import os
import re
import resource
import statistics
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("NUMBA_NUM_THREADS", "1")

_, NAME, FOLDER = sys.argv


def text(name):
    with open(f"{FOLDER}/{name}") as file:
        return json.load(file)


def array(name):
    import numpy

    return numpy.fromfile(f"{FOLDER}/{name}", {"u32": "u4", "f32": "f4", "f64": "f8"}[name[-3:]])


def timed(call, times=9, warm=1):
    """The median of `times` calls, after `warm` ones that are not counted."""
    durations = []
    for _ in range(warm + times):
        begin = time.perf_counter()
        call()
        durations.append(1000 * (time.perf_counter() - begin))
    return statistics.median(durations[warm:])


def bm25():
    """Times a query of each list of queries; all queries of a list are one call."""
    import bm25s
    import numba  # bm25s is several times slower without it, so without it there is no figure.

    index = bm25s.BM25(k1=0.9, b=0.4, method="lucene", backend="numba")
    index.index([words.split(" ") for words in text("texts.json")], show_progress=False)
    lists = [[query.split(" ") for query in queries] for queries in text("queries.json")]
    search = lambda queries: index.retrieve(queries, k=100, n_threads=1, show_progress=False)
    return [timed(lambda: search(queries)) / len(queries) for queries in lists]


def dense():
    """Times a query of an exact index of inner products: one at a time, and all in one call."""
    import faiss

    faiss.omp_set_num_threads(1)
    shape = text("shape.json")
    rows = array("rows.f32").reshape(-1, shape["dims"])
    queries = rows[shape["queries"]]
    index = faiss.IndexFlatIP(shape["dims"])
    index.add(rows)
    alone = timed(lambda: [index.search(queries[i : i + 1], shape["depth"]) for i in range(len(queries))])
    return [alone / len(queries), timed(lambda: index.search(queries, shape["depth"])) / len(queries)]


def ppr():
    """Times a query alone and in a block of all resets, iterated until the errors of a query sum up to less than 1e-13."""
    import numpy
    import scipy.sparse

    offsets, targets = array("offsets.u32").astype("i4"), array("targets.u32").astype("i4")
    nodes = len(offsets) - 1
    weights = scipy.sparse.csr_matrix((array("weights.f64"), targets, offsets), (nodes, nodes))
    strengths = numpy.asarray(weights.sum(1)).ravel()
    strengths[strengths == 0] = 1
    step = (weights @ scipy.sparse.diags(1 / strengths)).tocsr()
    resets = array("resets.f64").reshape(-1, nodes).T
    resets = numpy.ascontiguousarray(resets / resets.sum(0))
    damping = text("shape.json")["damping"]

    def walk(reset):
        scores, error = reset, 1
        while error >= 1e-13:
            following = damping * (step @ scores) + (1 - damping) * reset
            error = damping / (1 - damping) * numpy.abs(following - scores).sum(0).max()
            scores = following

    return [timed(lambda: walk(resets[:, 0].copy()), 5), timed(lambda: walk(resets), 5) / resets.shape[1]]


def score():
    """CPU seconds and the largest memory in MB from TREC files to five means."""
    import pytrec_eval

    seconds = lambda used: used.ru_utime + used.ru_stime
    before = seconds(resource.getrusage(resource.RUSAGE_SELF))
    with open(f"{FOLDER}/qrels.txt") as file:
        qrels = pytrec_eval.parse_qrel(file)
    with open(f"{FOLDER}/run.txt") as file:
        run = pytrec_eval.parse_run(file)
    measures = {"map", "recip_rank", "ndcg_cut.10", "recall.100", "P.10"}
    results = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    for measure in sorted(next(iter(results.values()))):
        statistics.fmean(values[measure] for values in results.values())
    used = resource.getrusage(resource.RUSAGE_SELF)
    return {"seconds": seconds(used) - before, "mb": used.ru_maxrss / 1024}


def job():
    """CPU seconds and the largest memory in MB of 20 trials, from files to a table, the second time: the first compiles."""
    compare_trials()
    seconds = lambda used: used.ru_utime + used.ru_stime
    before = seconds(resource.getrusage(resource.RUSAGE_SELF))
    compare_trials()
    used = resource.getrusage(resource.RUSAGE_SELF)
    return {"seconds": seconds(used) - before, "mb": used.ru_maxrss / 1024}


def compare_trials():
    """Ranks with 4 BM25, 1 dense and 15 fused trials, and compares all by paired t-tests."""
    import bm25s
    import numba  # bm25s is several times slower without it.
    import numpy
    import ranx

    def read(name):
        with open(f"{FOLDER}/{name}") as file:
            lines = [json.loads(line) for line in file]
        words = [re.findall(r"\w+", f"{line.get('title', '')}\n{line['text']}".lower()) for line in lines]
        return numpy.array([line["_id"] for line in lines]), words

    def run_of(found, scores):
        lists = zip(query_ids.tolist(), ids[found].tolist(), scores.tolist())
        return ranx.Run({query: dict(zip(documents, values)) for query, documents, values in lists})

    ids, texts = read("corpus.jsonl")
    query_ids, queries = read("queries.jsonl")
    dims = text("dims.json")
    vectors = array("corpus.f32").reshape(-1, dims)[: len(ids)]
    asked = array("queries.f32").reshape(-1, dims)[: len(queries)]
    pool = min(100, len(ids))
    lexical = {}
    for setting in [(0.9, 0.4), (0.9, 0.75), (1.2, 0.4), (1.2, 0.75)]:
        index = bm25s.BM25(k1=setting[0], b=setting[1], method="lucene", backend="numba")
        index.index(texts, show_progress=False)
        lexical[setting] = run_of(*index.retrieve(queries, k=pool, n_threads=1, show_progress=False))
    scores = asked @ vectors.T
    best = numpy.argpartition(-scores, pool - 1, axis=1)[:, :pool]
    naive = run_of(best, numpy.take_along_axis(scores, best, 1))
    runs = [naive, *lexical.values()]
    for run in lexical.values():
        for alpha in (0.3, 0.5, 0.7):
            weights = {"weights": (alpha, 1 - alpha)}
            runs.append(ranx.fuse([naive, run], norm="min-max", method="wsum", params=weights))
    for k in (10, 60, 100):
        runs.append(ranx.fuse([naive, lexical[0.9, 0.4]], norm=None, method="rrf", params={"k": k}))
    for place, run in enumerate(runs):
        run.name = str(place)
    with open(f"{FOLDER}/test.tsv") as file:
        qrels = {query: {document: int(grade)} for query, document, grade in map(str.split, list(file)[1:])}
    gold = ranx.Qrels({query: qrels.get(query, {"none": 1}) for query in query_ids.tolist()})
    measures = ["recall@5", "recall@10", "mrr@10", "ndcg@10"]
    ranx.compare(gold, runs, measures, stat_test="student", make_comparable=True)


print(json.dumps(globals()[NAME]()))
