"""Finds entities of a BEIR corpus with spaCy's named entity recognition, as triples that `openie` reads.

    pip install spacy==3.8.18    # and an English pipeline, such as en_core_web_sm
    python scripts/graphs/entities.py corpus.jsonl --pipeline en_core_web_sm > entities.jsonl
    npx touchstone run CONFIG --set "prepare.graph={openie: {path: entities.jsonl}}"

Entities of one sentence are related by the words between them, as the extractor `rules` does. Numbers are left out.
"""

import argparse
import importlib
import json
import re
import sys

NUMBERS = {"CARDINAL", "ORDINAL", "PERCENT", "QUANTITY", "MONEY", "TIME"}
# As in src/corpus/graph/extractors/rules.ts.
NEXT_NAMES, BETWEEN = 16, 400


def name_of(entity):
    """Text without a leading article: "the United States" and "United States" are one entity."""
    return re.sub(r"^(?:the|an?)\s+", "", entity.text, flags=re.IGNORECASE)


def words_between(text):
    found = re.search(r"\w(?:.*\w)?", text[:BETWEEN], re.DOTALL)
    return re.sub(r"\s+", " ", found[0]) if found else ""


def entities_of(doc):
    return [one for one in doc.ents if one.label_ not in NUMBERS]


def triples_of(doc):
    for sentence in doc.sents:
        names = [one for one in entities_of(doc) if sentence.start <= one.start < sentence.end]
        for index, source in enumerate(names):
            for target in names[index + 1 : index + 1 + NEXT_NAMES]:
                between = doc.text[source.end_char : target.start_char]
                yield [name_of(source), words_between(between), name_of(target)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", help="JSON lines of _id, title, text")
    parser.add_argument("--pipeline", default="en_core_web_sm", help="an installed spaCy package")
    args = parser.parse_args()
    nlp = importlib.import_module(args.pipeline).load()
    with open(args.corpus, encoding="utf-8") as lines:
        passages = [json.loads(line) for line in lines if line.strip()]
    titles = nlp.pipe(one.get("title", "") for one in passages)
    texts = nlp.pipe(one["text"] for one in passages)
    for passage, title, text in zip(passages, titles, texts):
        names = [name_of(one) for doc in (title, text) for one in entities_of(doc)]
        json.dump(
            {"id": passage["_id"], "entities": list(dict.fromkeys(names)), "triples": list(triples_of(text))},
            sys.stdout,
            ensure_ascii=False,
        )
        print()


if __name__ == "__main__":
    main()
