"""Trains the tiny cross-encoder of tests/fixtures/cross-encoder on generated pairs of question and passage.

    for seed in 1 2 3 4 5 6 7 8; do npm run worlds -- build/worlds/$seed $seed; done
    pip install jax==0.7.1 onnx==1.19.0
    python scripts/cross-encoder/train.py build/worlds tests/fixtures/cross-encoder

The tracked worlds (another seed) are not read. A decomposable attention model (Parikh et al., EMNLP 2016): each token of the
question attends to the passage, and a score of how well the two agree is added up over the question.

    a_i = sum_j softmax_j(e_i . e_j * t) e_j,   logit = sum_i sigmoid(e_i . v) * mlp([e_i * a_i, (e_i - a_i)^2]) + b
"""

import json
import random
import re
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

DIMS, HIDDEN, LENGTH, NEGATIVES, STEPS, BATCH = 32, 32, 112, 7, 900, 16
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def words(text):
    return re.findall(r"\w+|[^\w\s]+", text.lower())


def read(folder):
    """Questions with texts of their gold, and all texts, of every BEIR world below a folder."""
    for corpus in sorted(Path(folder).glob("*/*/corpus.jsonl")):
        lines = lambda name: [json.loads(line) for line in (corpus.parent / name).open()]
        texts = {row["_id"]: f"{row['title']}\n{row['text']}" for row in lines("corpus.jsonl")}
        gold = {}
        for line in (corpus.parent / "qrels/test.tsv").read_text().splitlines()[1:]:
            query, passage, _ = line.split("\t")
            gold.setdefault(query, []).append(passage)
        yield texts, [(row["text"], gold[row["_id"]]) for row in lines("queries.jsonl")]


def encode(vocabulary, question, passage):
    ids = lambda text: [vocabulary.get(word, 1) for word in words(text)]
    first = [2, *ids(question), 3]
    second = [*ids(passage)[: LENGTH - len(first) - 1], 3]
    pad = [0] * (LENGTH - len(first) - len(second))
    return first + second + pad, [1] * len(first) + [2] * len(second) + pad


def logits(p, ids, kinds):
    """`kinds`: 1 for the question, 2 for the passage, 0 for padding."""
    e = p["embedding"][ids]
    near = jnp.einsum("id,jd->ij", e, e) * p["heat"]
    a = jax.nn.softmax(jnp.where(kinds[None, :] == 2, near, -1e9), axis=-1) @ e
    agree = jnp.concatenate([e * a, (e - a) ** 2], axis=-1)
    each = jax.nn.relu(agree @ p["w1"] + p["b1"]) @ p["w2"]
    weight = jax.nn.sigmoid(e @ p["v"])
    return jnp.sum(jnp.where(kinds == 1, weight * each, 0.0)) + p["b"]


def examples(worlds, vocabulary, seed):
    """Endless lists of a gold passage and others; half of the others share most words with the question."""
    draw = random.Random(seed)
    prepared = []
    for texts, asked in worlds:
        sets = {id: set(words(text)) for id, text in texts.items()}
        for question, gold in asked:
            own = set(words(question))
            others = [id for id in texts if id not in gold]
            hard = sorted(others, key=lambda id: -len(own & sets[id]))[:12]
            prepared.append((question, gold, others, hard, texts))
    while True:
        question, gold, others, hard, texts = draw.choice(prepared)
        wrong = draw.sample(hard, min(4, len(hard))) + draw.sample(others, NEGATIVES)
        ids = [draw.choice(gold), *wrong[:NEGATIVES]]
        yield [encode(vocabulary, question, texts[id]) for id in ids]


def train(worlds, vocabulary):
    rng = np.random.default_rng(36)
    normal = lambda *shape: jnp.asarray(rng.normal(size=shape) / np.sqrt(shape[0] if len(shape) > 1 else 1), jnp.float32)
    p = {
        "embedding": jnp.asarray(rng.normal(size=(len(vocabulary), DIMS)), jnp.float32),
        **{"heat": jnp.float32(0.3), "v": normal(DIMS) * 0.1, "b": jnp.float32(0)},
        **{"w1": normal(2 * DIMS, HIDDEN), "b1": jnp.zeros(HIDDEN), "w2": normal(HIDDEN) * 0.2},
    }
    score = jax.vmap(jax.vmap(logits, (None, 0, 0)), (None, 0, 0))
    loss = lambda p, ids, kinds: -jnp.mean(jax.nn.log_softmax(score(p, ids, kinds), axis=-1)[:, 0])

    @jax.jit
    def step(p, first, second, ids, kinds, n):
        value, g = jax.value_and_grad(loss)(p, ids, kinds)
        first = jax.tree.map(lambda m, x: 0.9 * m + 0.1 * x, first, g)
        second = jax.tree.map(lambda m, x: 0.999 * m + 0.001 * x * x, second, g)
        rate = 0.003 * jnp.minimum(1, n / 100) * (1 - n / (STEPS + 1))
        move = lambda x, m, v: x - rate * (m / (1 - 0.9**n)) / (jnp.sqrt(v / (1 - 0.999**n)) + 1e-8)
        return jax.tree.map(move, p, first, second), first, second, value

    zeros = jax.tree.map(jnp.zeros_like, p)
    first, second, stream = zeros, zeros, examples(worlds, vocabulary, 36)
    for n in range(1, STEPS + 1):
        batch = np.asarray([next(stream) for _ in range(BATCH)], np.int32)
        p, first, second, value = step(p, first, second, batch[:, :, 0], batch[:, :, 1], float(n))
        if n % 100 == 0:
            print(n, float(value), flush=True)
    return {name: np.asarray(value, np.float32) for name, value in p.items()}


def graph(p):
    """The ONNX graph of `logits`, for one pair, with the inputs of BERT's sequence classifiers."""
    nodes = []
    def op(kind, *reads, **attributes):
        name = f"n{len(nodes)}"
        nodes.append(helper.make_node(kind, list(reads), [name], **attributes))
        return name
    constants = p | {
        "row": np.asarray([0], np.int64), "far": np.float32(-1e9), "one": np.float32(1), "shape": np.asarray([1, 1], np.int64),
    }
    e = op("Gather", "embedding", op("Squeeze", "input_ids", "row"))
    second = op("Cast", op("Squeeze", "token_type_ids", "row"), to=TensorProto.FLOAT)
    first = op("Sub", "one", second)
    near = op("Mul", op("MatMul", e, op("Transpose", e, perm=[1, 0])), "heat")
    a = op("MatMul", op("Softmax", op("Add", near, op("Mul", first, "far")), axis=-1), e)
    apart = op("Sub", e, a)
    agree = op("Concat", op("Mul", e, a), op("Mul", apart, apart), axis=-1)
    each = op("MatMul", op("Relu", op("Add", op("MatMul", agree, "w1"), "b1")), "w2")
    weighed = op("Mul", op("Mul", each, op("Sigmoid", op("MatMul", e, "v"))), first)
    # Every input is read: some runtimes refuse one that is not.
    mask = op("Cast", op("Squeeze", "attention_mask", "row"), to=TensorProto.FLOAT)
    total = op("Add", op("ReduceSum", op("Mul", weighed, mask), keepdims=1), "b")
    nodes.append(helper.make_node("Reshape", [total, "shape"], ["logits"]))
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in ["input_ids", "attention_mask", "token_type_ids"]]
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 1])
    stored = [numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()]
    model = helper.make_model(helper.make_graph(nodes, "cross-encoder", inputs, [output], stored), opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    return model


def write(folder, vocabulary, p):
    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    save = lambda name, value: (folder / name).write_text(json.dumps(value, ensure_ascii=False) + "\n")
    special = lambda id, type_id: {"SpecialToken": {"id": id, "type_id": type_id}}
    sequence = lambda id, type_id: {"Sequence": {"id": id, "type_id": type_id}}
    flags = {"special": True, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    save("config.json", {"model_type": "bert", "architectures": ["BertForSequenceClassification"]})
    save("tokenizer_config.json", {"tokenizer_class": "BertTokenizer", "model_max_length": LENGTH})
    save("tokenizer.json", {
        "version": "1.0", "truncation": None, "padding": None, "decoder": None,
        "added_tokens": [{"id": id, "content": content, **flags} for id, content in enumerate(SPECIAL)],
        "normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [special("[CLS]", 0), sequence("A", 0), special("[SEP]", 0)],
            "pair": [special("[CLS]", 0), sequence("A", 0), special("[SEP]", 0), sequence("B", 1), special("[SEP]", 1)],
            "special_tokens": {id: {"id": id, "ids": [SPECIAL.index(id)], "tokens": [id]} for id in ["[CLS]", "[SEP]"]},
        },
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocabulary},
    })
    onnx.save(graph(p), folder / "onnx/model.onnx")


if __name__ == "__main__":
    worlds = list(read(sys.argv[1]))
    seen = {word for texts, asked in worlds for text in [*texts.values(), *(question for question, _ in asked)] for word in words(text)}
    vocabulary = {word: id for id, word in enumerate([*SPECIAL, *sorted(seen)])}
    print(f"{len(worlds)} worlds, {len(vocabulary)} words", flush=True)
    write(Path(sys.argv[2]), vocabulary, train(worlds, vocabulary))
