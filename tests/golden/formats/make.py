"""Writes the fixtures of this folder with the packages whose formats they are. Each part runs alone: make.py NAME."""
import json, os, sys

TEXTS = {
    "d0": ("Lomm", "Lomm lies at the strait of Orr. It has a harbour."),
    "d1": ("Tarn", "Tarn lies inland near a lake."),
    "d2": ("Vesk", "Vesk is a city with many cranes."),
    "d3": ("Orr", "Orr is a strait between two seas."),
}
BODY = {key: text for key, (_, text) in TEXTS.items()}


def hugging_face():
    import datasets.arrow_dataset
    from datasets import Dataset, DatasetDict
    datasets.arrow_dataset.generate_fingerprint = lambda *_: "0" * 16  # pyarrow 26 holds a type that dill cannot write

    rows = {"user_input": ["Where does Lomm lie?", "Where is the strait?"],
            "reference_contexts": [[BODY["d0"]], ["<1-hop>\n\n" + BODY["d0"], "<2-hop>\n\n" + BODY["d3"]]],
            "reference": ["at the strait of Orr", "between two seas"]}
    DatasetDict({"test": Dataset.from_dict(rows)}).save_to_disk("ragas-arrow")
    os.makedirs("hf", exist_ok=True)
    for split in ("train", "test"):
        Dataset.from_dict({"query-id": ["q1", "q2"] if split == "test" else ["q3"],
                           "corpus-id": [0, 2] if split == "test" else [1],
                           "score": [1.0, 1.0] if split == "test" else [1.0]}).to_parquet(f"hf/data/{split}-00000-of-00001.parquet")
    half = list(TEXTS.items())
    for index, part in enumerate((half[:2], half[2:])):
        Dataset.from_dict({"_id": [int(key[1:]) for key, _ in part], "title": [one[0] for _, one in part],
                           "text": [one[1] for _, one in part]}).to_parquet(f"hf/corpus/corpus-0000{index}-of-00002.parquet")
    Dataset.from_dict({"_id": ["q1", "q2", "q3"], "text": ["Where does Lomm lie?", "Which city has cranes?", "Where is Tarn?"]}
                      ).to_parquet("hf/queries/queries-00000-of-00001.parquet")
    open("hf/README.md", "w").write("---\nconfigs:\n- config_name: default\n  data_files:\n  - split: train\n    path: data/train-*\n"
        "  - split: test\n    path: data/test-*\n- config_name: corpus\n  data_files:\n  - split: corpus\n    path: corpus/corpus-*\n"
        "- config_name: queries\n  data_files:\n  - split: queries\n    path: queries/queries-*\n---\n# A card\n")
    Dataset.from_dict({"id": ["s1", "s2"], "title": ["Lomm", "Lomm"], "context": [BODY["d0"]] * 2,
                       "question": ["Where does Lomm lie?", "Who rules Lomm?"],
                       "answers": [{"text": ["at the strait of Orr"], "answer_start": [10]}, {"text": [], "answer_start": []}]}
                      ).to_parquet("squad.parquet")
    Dataset.from_dict({"id": ["5a"], "question": ["Where does Lomm lie?"], "answer": ["Orr"], "type": ["bridge"], "level": ["easy"],
                       "supporting_facts": [{"title": ["Lomm"], "sent_id": [0]}],
                       "context": [{"title": ["Lomm", "Tarn"], "sentences": [["Lomm lies at Orr.", " It has a harbour."], ["Tarn lies inland."]]}]}
                      ).to_parquet("hotpotqa.parquet")


def ragas():
    import types
    for name in ("langchain_community.chat_models.vertexai", "langchain_community.llms.vertexai", "langchain_community.llms"):
        stub = types.ModuleType(name)  # models that are not used here
        stub.ChatVertexAI = stub.VertexAI = type("Unused", (), {})
        sys.modules.setdefault(name, stub)
    from ragas import SingleTurnSample, EvaluationDataset
    samples = [SingleTurnSample(user_input="Where does Lomm lie?", reference_contexts=[BODY["d0"]], reference="at the strait of Orr"),
               SingleTurnSample(user_input="Where is the strait?", reference_contexts=["<1-hop>\n\n" + BODY["d0"], "<2-hop>\n\n" + BODY["d3"] + " It's wide."],
                                reference="between two seas")]
    made = EvaluationDataset(samples=samples)
    made.to_jsonl("ragas.jsonl")
    made.to_csv("ragas.csv")


def autorag():
    import importlib.util, types
    import pandas as pd
    # Of AutoRAG only the schema: its package imports every model server.
    place = next(one for one in (os.path.join(path, "autorag") for path in sys.path) if os.path.exists(one))
    for name in ("autorag", "autorag.utils", "autorag.utils.util", "autorag.support"):
        sys.modules[name] = types.ModuleType(name)
    for name in ("process_batch", "get_event_loop", "fetch_contents"):
        setattr(sys.modules["autorag.utils.util"], name, None)
    sys.modules["autorag.support"].get_support_modules = None
    spec = importlib.util.spec_from_file_location("schema", os.path.join(place, "data/qa/schema.py"))
    schema = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(schema)
    QA, Corpus = schema.QA, schema.Corpus
    os.makedirs("autorag", exist_ok=True)
    corpus = Corpus(pd.DataFrame({"doc_id": list(BODY), "contents": list(BODY.values()),
        "path": ["a.md"] * 4, "start_end_idx": [(0, 9)] * 4, "metadata": [{"last_modified_datetime": "2024-01-01"}] * 4}))
    qa = QA(pd.DataFrame({"qid": ["q1", "q2"], "query": ["Where does Lomm lie?", "Which city has cranes?"],
        "retrieval_gt": [[["d0"], ["d3"]], [["d2", "d1"]]], "generation_gt": [["strait"], ["Vesk"]]}), corpus)
    qa.to_parquet("autorag/qa.parquet", "autorag/corpus.parquet")


def lightrag():
    import asyncio, logging
    from lightrag.kg.json_kv_impl import JsonKVStorage
    from lightrag.kg.shared_storage import initialize_share_data, initialize_pipeline_status
    from lightrag.utils import compute_mdhash_id
    os.makedirs("lightrag", exist_ok=True)
    async def main():
        initialize_share_data()
        for name in ("text_chunks", "full_docs"):
            kv = JsonKVStorage(namespace=name, workspace="", global_config={"working_dir": "lightrag", "embedding_batch_num": 1}, embedding_func=None)
            await kv.initialize()
            docs = {compute_mdhash_id(text, "doc-"): text for text in BODY.values()}
            if name == "full_docs":
                await kv.upsert({key: {"content": text, "file_path": "docs/towns.md"} for key, text in docs.items()})
            else:
                await kv.upsert({compute_mdhash_id(text, "chunk-"): {"tokens": 9, "content": text, "chunk_order_index": 0,
                    "full_doc_id": key, "file_path": "docs/towns.md"} for key, text in docs.items()})
            await kv.index_done_callback()
    asyncio.run(main())


def nano():
    import asyncio
    from nano_graphrag._storage.kv_json import JsonKVStorage
    from nano_graphrag._utils import compute_mdhash_id
    os.makedirs("nano-graphrag", exist_ok=True)
    async def main():
        for name in ("text_chunks", "full_docs"):
            kv = JsonKVStorage(namespace=name, global_config={"working_dir": "nano-graphrag"})
            await kv.upsert({compute_mdhash_id(text, "chunk-" if name == "text_chunks" else "doc-"):
                {"content": text, **({"tokens": 9, "chunk_order_index": 0, "full_doc_id": compute_mdhash_id(text, "doc-")} if name == "text_chunks" else {})}
                for text in BODY.values()})
            await kv.index_done_callback()
    asyncio.run(main())


def graphs():
    """Graphs of the two working folders, by networkx as both packages call it, with the attributes that they write."""
    import networkx as nx
    from hashlib import md5
    chunk = {key: "chunk-" + md5(text.encode()).hexdigest() for key, text in BODY.items()}
    for folder, name in (("lightrag", str), ("nano-graphrag", lambda text: f'"{text}"')):
        graph = nx.Graph()
        for entity, kind, text, key in (("Lomm", "town", "A town with a harbour.", "d0"), ("Orr", "strait", "A strait.", "d0"),
                                        ("C++", "language", "Spoken in Tarn.", "d1"), ("C#", "language", "Sung in Tarn.", "d1")):
            graph.add_node(name(entity), entity_type=name(kind), description=name(text), source_id=chunk[key],
                           **({"entity_id": entity, "file_path": "docs/towns.md", "created_at": 1} if folder == "lightrag" else {}))
        graph.add_edge(name("Lomm"), name("Orr"), weight=2.0, description=name("Lomm lies at Orr."), source_id=chunk["d0"],
                       **({"keywords": "position, water", "file_path": "docs/towns.md", "created_at": 1} if folder == "lightrag" else {"order": 1}))
        nx.write_graphml(graph, f"{folder}/graph_chunk_entity_relation.graphml")




RUN = {"q1": {"d0": 2.5, "d3": 1.25}, "q2": {"d2": 3.0, "d1": 0.5, "d0": 0.25}}


def mteb():
    """Needs no torch: the models that the package imports are not used."""
    import importlib.abc, importlib.util, pathlib, tempfile, types
    class Unused(types.ModuleType):
        def __getattr__(self, name):
            if name.startswith("__"): raise AttributeError(name)
            return type(name, (), {})
    class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
        def find_spec(self, name, path, target=None):
            if name.split(".")[0] in ("torch", "sentence_transformers", "transformers"):
                return importlib.util.spec_from_loader(name, self, is_package=True)
        def create_module(self, spec): return Unused(spec.name)
        def exec_module(self, module): module.__path__ = []
    sys.meta_path.insert(0, Finder())
    from mteb import get_task
    task = get_task("NanoFiQA2018Retrieval")
    meta = types.SimpleNamespace(mteb_model_meta=types.SimpleNamespace(name="owner/model", revision="main"))
    for split in ("train", "dev"):
        task._save_task_predictions(RUN, meta, pathlib.Path("mteb-two" if split == "dev" else "mteb"), hf_split=split, hf_subset="default")
    task._save_task_predictions(RUN, meta, pathlib.Path("mteb-two"), hf_split="train", hf_subset="default")


def pyterrier():
    import pandas as pd, pyterrier as pt
    rows = [(query, index, document, rank, score) for query, run in RUN.items()
            for rank, (index, (document, score)) in enumerate(enumerate(run.items()))]
    res = pd.DataFrame(rows, columns=["qid", "docid", "docno", "rank", "score"])
    pt.io.write_results(res, "pyterrier.res.gz")
    pt.io.write_results(res, "pyterrier-minimal.tsv", format="minimal")
    res.to_csv("pyterrier.csv", index=False)


if __name__ == "__main__":
    os.chdir(os.path.dirname(os.path.abspath(__file__)))
    for name in sys.argv[1:]:
        globals()[name]()
