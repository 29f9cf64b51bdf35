"""Makes all-MiniLM-L6-v2.json: tokens by Hugging Face's `tokenizers`, cosines by `onnxruntime`, both independent of ours.

    pip install tokenizers==0.23.3 onnxruntime==1.32.0 numpy
    python all-MiniLM-L6-v2.py path/to/all-MiniLM-L6-v2
"""

import json
import sys
from pathlib import Path

import numpy
import onnxruntime
from tokenizers import Tokenizer

folder = Path(sys.argv[1])
words = "the wolves of northern forests hunt in packs".split()
long = " ".join(f"{words[i % len(words)]} {i}" for i in range(300))
just = " ".join(["word"] * 14)
CASES = [
    (256, "That is a happy person"),
    (256, "Über café — naïve ﬁligree, 東京タワー and Ελλάδα; don't!"),
    (256, "tab\tand\nnew line, soft\u00adhyphen, zero\u200bwidth, 👩‍🚀 emoji"),
    (256, "unbelievablyextraordinarilylongcompoundword " + "x" * 120),
    (256, ""),
    (16, just),
    (16, just + " word"),
    (16, "internationalization of tokenizers and untranslatability of pseudopseudohypoparathyroidism"),
    (3, "happy person"),
    (256, long),
    (256, "Sunny days. " * 200),
]

tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
tokenizer.no_padding()
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
session = onnxruntime.InferenceSession(str(folder / "onnx/model_quantized.onnx"), options)


def encode(most, text):
    tokenizer.enable_truncation(most)
    return tokenizer.encode(text).ids


def vector(ids):
    row = numpy.array([ids], dtype=numpy.int64)
    inputs = {"input_ids": row, "attention_mask": numpy.ones_like(row), "token_type_ids": numpy.zeros_like(row)}
    mean = session.run(None, inputs)[0][0].mean(0)
    return mean / numpy.linalg.norm(mean)


cases = [{"maxTokens": most, "text": text, "ids": encode(most, text)} for most, text in CASES]
first = vector(cases[0]["ids"])
for case in cases:
    case["cosine"] = round(float(first @ vector(case["ids"])), 4)
out = Path(__file__).with_suffix(".json")
lines = ",\n".join("  " + json.dumps(case, ensure_ascii=False) for case in cases)
out.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
