"""Makes the conformance cases of this folder: small random inputs, and values from libraries and code that are not ours.

    pip install numpy==2.4.6 scipy==1.17.1 networkx==3.6.1 pytrec_eval-terrier==0.5.11 snowballstemmer==2.2.0
    python make.py

trec_eval's values are pytrec_eval's (the C code of version 9), statistics are SciPy's, walks NetworkX's checked against
a linear solution, stems snowballstemmer's (2.2.0: version 3 changed some of Porter2's rules). The rest is written here
from the papers and the originals' descriptions.
"""

import json
import math
import re
import unicodedata
from collections import Counter, defaultdict
from itertools import product
from pathlib import Path

import networkx
import numpy as np
import pytrec_eval
import snowballstemmer
from scipy import stats

HERE = Path(__file__).parent
QUICKSTART = HERE / "../../../datasets/quickstart"


def write(name, value):
    body = json.dumps(value, ensure_ascii=False)
    (HERE / name).write_text(body + "\n", encoding="utf-8")


# BM25 over the repository's own data set

STOPWORDS = """a an and are as at be but by did do does for from how if in into is it no not of on or such that the their
then there these they this to was were what when where which who whom whose why will with""".split()


def bm25():
    k1, b = 0.9, 0.4
    lines = lambda name: [json.loads(line) for line in (QUICKSTART / name).read_text("utf-8").splitlines() if line]
    documents = {row["_id"]: "\n".join(filter(None, [row.get("title"), row["text"]])) for row in lines("corpus.jsonl")}
    queries = {row["_id"]: row["text"] for row in lines("queries.jsonl")}
    relevant = defaultdict(set)
    for line in (QUICKSTART / "qrels/test.tsv").read_text("utf-8").splitlines()[1:]:
        query, document, grade = line.split("\t")
        if int(grade) > 0:
            relevant[query].add(document)
    stemmer = snowballstemmer.stemmer("english")

    def analyze(text):
        words = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).lower())
        return [stemmer.stemWord(word) for word in words if word not in STOPWORDS]

    counts = {document: Counter(analyze(text)) for document, text in documents.items()}
    lengths = {document: sum(count.values()) for document, count in counts.items()}
    mean = sum(lengths.values()) / len(lengths)
    frequency = Counter(term for count in counts.values() for term in count)

    def search(tokens):
        scores = {}
        for document, count in counts.items():
            shared = [term for term in tokens if term in count]
            if shared:
                scores[document] = sum(
                    math.log(1 + (len(counts) - frequency[term] + 0.5) / (frequency[term] + 0.5))
                    * count[term] * (k1 + 1) / (count[term] + k1 * (1 - b + b * lengths[document] / mean))
                    for term in shared
                )
        order = sorted(sorted(scores, key=lambda d: d.encode(), reverse=True), key=lambda d: -scores[d])
        return [(document, scores[document]) for document in order]

    found = {query: search(analyze(text)) for query, text in queries.items()}
    recalls = [
        len({d for d, _ in found[query][:5]} & relevant[query]) / len(relevant[query])
        for query in queries
        if relevant[query]
    ]
    listed = list(queries)[:: max(1, len(queries) // 12)]
    return {
        "recipe": {
            "k1": k1, "b": b, "stopwords": STOPWORDS, "tolerance": 1e-9,
            "idf": "ln(1 + (N - n + 0.5) / (n + 0.5))",
        },
        "sets": [{
            "dataset": "quickstart",
            "documents": len(documents),
            "vocabulary": len(frequency),
            "meanLength": mean,
            "recall@5": sum(recalls) / len(recalls),
            "queries": [
                {"query": q, "tokens": analyze(queries[q]), "matched": len(found[q]), "top": found[q][:10]}
                for q in listed
            ],
        }],
    }


# Fusion

def fusion():
    random = np.random.default_rng(1)
    runs = [
        {
            query: {f"d{d}": round(float(random.uniform(-2, 20)), 3) for d in random.permutation(12)[:size]}
            for query, size in (("q1", 5), ("q2", 8))
        }
        for _ in range(3)
    ]
    queries = sorted(runs[0])

    def fused(combine):
        return {
            query: {d: combine([run[query] for run in runs], d) for d in sorted({d for run in runs for d in run[query]})}
            for query in queries
        }

    rank = lambda scores, d: sorted(scores, key=lambda other: -scores[other]).index(d) + 1
    weights = [0.2, 0.5, 0.3]
    one = {}
    for query in queries:
        low, high = min(runs[1][query].values()), max(runs[1][query].values())
        one[query] = {d: (score - low) / (high - low) for d, score in runs[1][query].items()}
    return {
        "runs": runs,
        "rrf_k60": fused(lambda lists, d: sum(1 / (60 + rank(s, d)) for s in lists if d in s)),
        "rrf_k5": fused(lambda lists, d: sum(1 / (5 + rank(s, d)) for s in lists if d in s)),
        "wsum_0.2_0.5_0.3": fused(lambda lists, d: sum(w * s[d] for w, s in zip(weights, lists) if d in s)),
        "comb_mnz": fused(lambda lists, d: sum(s[d] for s in lists if d in s) * sum(d in s for s in lists)),
        "min_max_norm_run2": one,
    }


# GraphRAG's local search: which relationships come first

def graphrag_local():
    random = np.random.default_rng(2)
    cases = []
    for entities, edges, chosen, top in ((6, 10, 2, 1), (12, 30, 4, 2), (20, 60, 5, 3), (20, 25, 1, 10), (5, 1, 2, 1)):
        names = [f"E{i}" for i in range(entities)]
        pairs = sorted({tuple(int(x) for x in random.choice(entities, 2, replace=False)) for _ in range(edges)})
        pairs = [pairs[i] for i in random.permutation(len(pairs))]
        degree = Counter(end for pair in {frozenset(pair) for pair in pairs} for end in pair)
        rows = [
            {"id": f"r{i}", "source": names[a], "target": names[b], "rank": degree[a] + degree[b]}
            for i, (a, b) in enumerate(pairs)
        ]
        selected = [names[i] for i in random.permutation(entities)[:chosen]]
        inside = [r for r in rows if r["source"] in selected and r["target"] in selected]
        # The sort is stable: those that leave a selected entity stand before those that reach one.
        leaving = [r for r in rows if r["source"] in selected and r["target"] not in selected]
        reaching = [r for r in rows if r["target"] in selected and r["source"] not in selected]
        inside.sort(key=lambda r: r["rank"], reverse=True)
        outside = sorted(leaving + reaching, key=lambda r: r["rank"], reverse=True)
        outer = lambda r: r["target"] if r["source"] in selected else r["source"]
        inner = lambda r: r["source"] if r["source"] in selected else r["target"]
        links = {outer(r): len({inner(o) for o in outside if outer(o) == outer(r)}) for r in outside}
        if len(outside) > 1:
            outside.sort(key=lambda r: (links[outer(r)], r["rank"]), reverse=True)
            outside = outside[: top * len(selected)]
        cases.append({
            "entities_selected_in_order": selected,
            "relationships": rows,
            "top_k_relationships": top,
            "expected_ids_in_order": [r["id"] for r in inside + outside],
        })
    return {"cases": cases}


# HippoRAG's recall, by the texts of passages

def hipporag_recall():
    random = np.random.default_rng(3)
    text = lambda i: f"Town {i}\nwhere passage {i} lies"
    cutoffs = [1, 2, 5, 10, 20]
    gold, retrieved, values = [], [], []
    for _ in range(12):
        own = [text(int(i)) for i in random.integers(0, 30, random.integers(1, 5))]
        found = [text(int(i)) for i in random.integers(0, 30, random.integers(3, 25))]
        gold.append(own)
        retrieved.append(found)
        values.append({f"Recall@{k}": len(set(found[:k]) & set(own)) / len(set(own)) for k in cutoffs})
    pooled = {name: round(sum(v[name] for v in values) / len(values), 4) for name in values[0]}
    return {"k_list": cutoffs, "gold_docs": gold, "retrieved_docs": retrieved, "pooled_rounded4": pooled, "per_query": values}


# HippoRAG 2: a whole retrieval

def exact_walk(matrix, reset, damping):
    """x = (1 - d) v + d P^T x, where what has no edges goes on to v."""
    start = np.asarray(reset, float) / np.sum(reset)
    sums = matrix.sum(1)
    step = np.where(sums[:, None] > 0, matrix / np.where(sums > 0, sums, 1)[:, None], start[None, :])
    x = np.linalg.solve(np.eye(len(start)) - damping * step.T, (1 - damping) * start)
    return x / x.sum()


def unit(rows):
    rows = np.asarray(rows, float)
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def hipporag2():
    cases = []
    for seed, keep, threshold in ((4, 3, 0.8), (5, 5, 0.9)):
        random = np.random.default_rng(seed)
        names = ["harbour", "old mill", "north bridge", "iron gate", "ox", "tall tower", "river bank", "market hall"]
        passages = [f"Passage {i}\nof the town" for i in range(7)]
        triples = []
        for _ in passages:
            own = []
            for _ in range(int(random.integers(1, 4))):
                a, b = random.choice(len(names), 2, replace=False)
                own.append([names[a], str(random.choice(["near", "owns"])), names[b]])
            triples.append(own)
        entities = sorted({end for own in triples for s, _, o in own for end in (s, o)})
        facts = sorted({tuple(t) for own in triples for t in own})
        near = unit(random.normal(size=(len(entities), 8)))
        near[1] = unit(near[0] + 0.1 * near[1])
        near[3] = unit(near[2] + 0.35 * near[3])
        fact_vectors, passage_vectors = unit(random.normal(size=(len(facts), 8))), unit(random.normal(size=(len(passages), 8)))
        query = unit(random.normal(size=8))
        edges = {}
        holding = defaultdict(set)
        for place, own in enumerate(triples):
            for s, _, o in own:
                edges[s, o] = edges.get((s, o), 0) + 1
                edges[o, s] = edges.get((o, s), 0) + 1
                holding[s].add(place)
                holding[o].add(place)
        for phrase, places in holding.items():
            for place in places:
                edges[passages[place], phrase] = 1.0
        for i, a in enumerate(entities):
            if len(re.sub(r"[^A-Za-z0-9]", "", a)) <= 2:
                continue
            for j, b in enumerate(entities):
                cosine = float(near[i] @ near[j])
                if i != j and cosine >= threshold:
                    edges[a, b] = cosine
        scores = fact_vectors @ query
        scores = (scores - scores.min()) / (scores.max() - scores.min())
        best = np.argsort(-scores, kind="stable")[:keep]
        weight, times = defaultdict(float), Counter()
        for f in best:
            s, _, o = facts[f]
            for phrase in (s, o):
                weight[phrase] += scores[f] / len(holding[phrase])
                times[phrase] += 1
        phrases = sorted(((p, w / times[p]) for p, w in weight.items()), key=lambda one: (-one[1], one[0]))[:keep]
        dense = passage_vectors @ query
        nodes = entities + passages
        reset = np.zeros(len(nodes))
        for phrase, value in phrases:
            reset[nodes.index(phrase)] = value
        reset[len(entities):] = 0.05 * (dense - dense.min()) / (dense.max() - dense.min())
        matrix = np.zeros((len(nodes), len(nodes)))
        for (a, b), value in edges.items():
            i, j = nodes.index(a), nodes.index(b)
            matrix[i, j] += value
            matrix[j, i] += value
        walked = exact_walk(matrix, reset, 0.5)[len(entities):]
        cases.append({
            "params": {"linking_top_k": keep, "damping": 0.5, "passage_node_weight": 0.05, "synonymy_threshold": threshold},
            "passages": passages, "triples": triples, "entities_sorted": entities, "facts_sorted": facts,
            "entity_emb": near.tolist(), "fact_emb": fact_vectors.tolist(),
            "passage_emb": passage_vectors.tolist(), "query_emb": query.tolist(),
            "directed_edge_list": [[a, b, value] for (a, b), value in edges.items()],
            "fact_scores_minmax": scores.tolist(), "kept_facts": [facts[f] for f in best],
            "node_order": nodes, "reset_weights": reset.tolist(),
            "dpr_ranking": [passages[i] for i in np.argsort(-dense, kind="stable")],
            "ranking": [passages[i] for i in np.argsort(-walked, kind="stable")],
            "ppr_scores": sorted(walked.tolist(), reverse=True),
        })
    return {"cases": cases}


# LightRAG: chunks of entities by weighted polling; Python's round is to even

def lightrag():
    random = np.random.default_rng(6)
    cases = []
    for size, most, least in ((1, 3, 1), (2, 5, 1), (4, 6, 2), (7, 10, 1), (9, 4, 0), (5, 1, 1), (3, 8, 5)):
        items = [[f"c{i}.{j}" for j in range(int(random.integers(0, 9)))] for i in range(size)]
        if size == 1:
            expected = items[0][:most]
        else:
            wanted = [round(most - i / (size - 1) * (most - least)) for i in range(size)]
            taken = [min(want, len(item)) for want, item in zip(wanted, items)]
            expected = [chunk for item, count in zip(items, taken) for chunk in item[:count]]
            for _ in range(sum(wanted) - sum(taken)):
                place = next((i for i, item in enumerate(items) if taken[i] < len(item)), None)
                if place is None:
                    break
                expected.append(items[place][taken[place]])
                taken[place] += 1
        cases.append({"items": items, "max_related_chunks": most, "min_related_chunks": least, "expected": expected})
    return {"cases": cases}


# trec_eval, through pytrec_eval

def ties():
    cases = []
    for seed in range(4):
        random = np.random.default_rng(10 + seed)
        qrels = {f"q{q}": {f"d{d}": int(random.integers(0, 3)) for d in range(0, 12, 2)} for q in range(3)}
        run = {f"q{q}": {f"d{d}": float(random.integers(1, 4)) for d in random.permutation(12)[:9]} for q in range(3)}
        for grades in qrels.values():
            grades["d0"] = 1
        values = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank", "ndcg_cut.10"}).evaluate(run)
        mean = lambda name: sum(v[name] for v in values.values()) / len(values)
        cases.append({"qrels": qrels, "run": run, "mrr@10_trec_eval": mean("recip_rank"), "ndcg@10_trec_eval": mean("ndcg_cut_10")})
    return {"cases": cases}


MEASURES = {"map", "ndcg", "ndcg_cut.5,10", "P.5,10", "recall.5,10", "recip_rank", "Rprec", "bpref", "num_ret", "num_rel", "num_rel_ret", "success.1,5", "map_cut.5"}
SUMMED = {"num_ret", "num_rel", "num_rel_ret"}


def trec_eval():
    random = np.random.default_rng(20)
    qrels = {f"q{q}": {f"d{d:02}": int(random.integers(0, 4)) for d in random.permutation(40)[:15]} for q in range(5)}
    run = {f"q{q}": {f"d{d:02}": float(random.integers(0, 12)) / 4 for d in random.permutation(40)[:25]} for q in range(5)}
    (HERE / "trec_eval/own.qrels").write_text(
        "".join(f"{q} 0 {d} {grade}\n" for q, grades in qrels.items() for d, grade in grades.items()))
    (HERE / "trec_eval/own.run").write_text(
        "".join(f"{q} Q0 {d} 1 {score} own\n" for q, scores in run.items() for d, score in scores.items()))

    def values(level):
        found = pytrec_eval.RelevanceEvaluator(qrels, MEASURES, relevance_level=level).evaluate(run)
        total = lambda name: sum(v[name] for v in found.values())
        names = sorted(next(iter(found.values())))
        return {**found, "all": {name: total(name) if name in SUMMED else total(name) / len(found) for name in names}}

    full = {
        name: {"args": args, "trec_eval_9.0.8": {"values": values(level)}}
        for name, args, level in (("default", [], 1), ("level 2", ["-l2"], 2))
    }
    (HERE / "trec_eval/v9").mkdir(exist_ok=True)
    printed = []
    for query, measures in values(1).items():
        for name, value in measures.items():
            printed.append(f"{name:<22}\t{query}\t{value:.0f}\n" if name in SUMMED else f"{name:<22}\t{query}\t{value:.4f}\n")
    (HERE / "trec_eval/v9/out.own").write_text("".join(printed))
    (HERE / "trec_eval/COMMANDS.txt").write_text("trec_eval -q own.qrels own.run -> out.own\n")
    return full


# Personalised PageRank

def ppr():
    random = np.random.default_rng(30)
    cases = []
    for n, count, damping in ((6, 9, 0.5), (12, 30, 0.85), (25, 40, 0.3)):
        edges = [[int(a), int(b), float(random.integers(1, 9)) / 2] for a, b in random.integers(0, n - 1, (count, 2)) if a != b]
        # Parallel edges add up, and the last node has none at all.
        edges.append(edges[0])
        reset = [float(x) for x in np.where(random.uniform(size=n) < 0.4, random.uniform(size=n), 0)]
        reset[-1], reset[0] = 0.25, 0.5
        graph = networkx.Graph()
        graph.add_nodes_from(range(n))
        for a, b, weight in edges:
            graph.add_edge(a, b, weight=weight + (graph[a][b]["weight"] if graph.has_edge(a, b) else 0))
        start = dict(enumerate(reset))
        walked = networkx.pagerank(graph, damping, start, max_iter=10_000, tol=1e-15, weight="weight", dangling=start)
        exact = exact_walk(networkx.to_numpy_array(graph, range(n)), reset, damping)
        assert max(abs(walked[i] - exact[i]) for i in range(n)) < 1e-13
        cases.append({"n": n, "edges": edges, "reset": reset, "damping": damping, "ppr": exact.tolist()})
    return {"cases": cases}


# Statistics

def significance():
    paired = []
    for seed, n, places in ((40, 9, 1), (41, 12, 6), (42, 11, 6)):
        random = np.random.default_rng(seed)
        a, b = (np.round(random.uniform(size=n), places) for _ in range(2))
        if places == 1:
            b[:3] = a[:3]
        own = b - a
        t = stats.ttest_rel(b, a)
        interval = t.confidence_interval(0.95)
        wins, losses = int((own > 0).sum()), int((own < 0).sum())
        flips = np.array(list(product((1, -1), repeat=n))) @ own
        rank = stats.wilcoxon(own)
        paired.append({
            "a": a.tolist(), "b": b.tolist(), "mean_diff": float(own.mean()), "t": float(t.statistic), "t_p": float(t.pvalue),
            "t_ci95": [float(interval.low), float(interval.high)], "W": wins, "T": n - wins - losses, "L": losses,
            "wilcoxon_stat": float(rank.statistic), "wilcoxon_p": float(rank.pvalue),
            "exact_sign_flip_p": float((np.abs(flips) >= abs(own.sum()) - 1e-12).mean()),
            "sign_test_p": float(stats.binomtest(wins, wins + losses).pvalue),
            "cohen_dz": float(own.mean() / own.std(ddof=1)),
        })
    families = []
    for p in ([0.001, 0.02, 0.03, 0.04, 0.5], [0.8, 0.01, 0.01, 0.2, 0.049, 0.0002, 1.0]):
        m = len(p)
        order = sorted(range(m), key=lambda i: p[i])
        holm, most = [0.0] * m, 0.0
        for place, i in enumerate(order):
            most = max(most, min(1.0, (m - place) * p[i]))
            holm[i] = most
        families.append({
            "p": p, "bonferroni": [min(1.0, m * x) for x in p], "holm": holm,
            "bh_fdr": stats.false_discovery_control(p, method="bh").tolist(),
            "by_fdr": stats.false_discovery_control(p, method="by").tolist(),
        })
    return {"paired": paired, "multiple_comparison": families}


write("bm25.json", bm25())
write("fusion.json", fusion())
write("graphrag-local.json", graphrag_local())
write("hipporag-recall.json", hipporag_recall())
write("hipporag2.json", hipporag2())
write("lightrag.json", lightrag())
write("mteb-ties.json", ties())
write("ppr.json", ppr())
write("significance.json", significance())
write("trec_eval/own.json", trec_eval())
