"""Names in questions by spaCy's trained pipeline, for `names: FILE`. See docs/definitions.md.

python3 record_names.py < dataset/queries.jsonl > names.jsonl
"""

import json
import sys

import spacy

nlp = spacy.load("en_core_web_sm")
for line in sys.stdin:
    text = json.loads(line)["text"]
    print(json.dumps({"text": text, "names": [name.text for name in nlp(text).ents]}, ensure_ascii=False))
