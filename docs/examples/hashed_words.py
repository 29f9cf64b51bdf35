"""A dense retriever for Touchstone in plain Python: hashed bags of words, cosine. See docs/custom-parts.md."""

import json
import math
import re
import sys
import zlib

DIMS = 4096


def embed(text):
    vector = {}
    for word in re.findall(r"\w+", text.lower()):
        place = zlib.crc32(word.encode()) % DIMS
        vector[place] = vector.get(place, 0.0) + 1.0
    length = math.sqrt(sum(value * value for value in vector.values())) or 1.0
    return {place: value / length for place, value in vector.items()}


def say(message):
    print(json.dumps(message), flush=True)


chunks = []
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        with open(message["corpus"], encoding="utf-8") as corpus:
            chunks = [(c["id"], embed(c["title"] + " " + c["text"])) for c in map(json.loads, corpus)]
        say({"type": "ready", "name": "hashed words"})
    elif message["type"] == "query":
        query = embed(message["text"])
        scores = [(sum(v * vector.get(p, 0.0) for p, v in sorted(query.items())), id) for id, vector in chunks]
        best = [[id, score] for score, id in sorted(scores, reverse=True)[: message["depth"]] if score > 0]
        say({"type": "ranking", "id": message["id"], "ranking": best, "counters": {"compared": len(chunks)}})
