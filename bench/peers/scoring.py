"""Scores the run of `npx tsx bench/peers/scoring.ts` with pytrec_eval and ranx: `python3 bench/peers/scoring.py FOLDER`.

Needs `pip install pytrec-eval-terrier ranx`. In memory: reading the files is not counted, nor ranx's compilation.
"""

import json
import statistics
import sys
import time


def timed(call, times=9):
    call()
    durations = []
    for _ in range(times):
        begin = time.perf_counter()
        call()
        durations.append(1000 * (time.perf_counter() - begin))
    return {"median_ms": statistics.median(durations), "best_ms": min(durations)}


def main(folder):
    with open(f"{folder}/qrels.json") as file:
        qrels = json.load(file)
    with open(f"{folder}/run.json") as file:
        run = json.load(file)
    results = {}
    try:
        import pytrec_eval

        measures = {"map", "recip_rank", "ndcg_cut.10,100", "recall.10,100", "P.10", "success.10", "Rprec", "bpref"}
        evaluator = pytrec_eval.RelevanceEvaluator(qrels, measures)
        results["pytrec_eval"] = timed(lambda: evaluator.evaluate(run))
    except ImportError:
        pass
    try:
        import ranx

        names = ["map", "mrr", "ndcg@10", "ndcg@100", "recall@10", "recall@100", "precision@10", "hit_rate@10", "r-precision", "bpref"]
        own, gold = ranx.Run(run), ranx.Qrels(qrels)
        results["ranx"] = timed(lambda: ranx.evaluate(gold, own, names))
    except ImportError:
        pass
    print(json.dumps(results))


if __name__ == "__main__":
    main(sys.argv[1])
