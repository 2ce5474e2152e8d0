"""A release in the place of `load_dataset("klue", ...)`: fields, types and numbers of the hub."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from test_dataset_card import readme

from pipeline.release.manifest import Files
from pipeline.release.material import Facts
from pipeline.release.tables import COLUMNS

#: What public scripts on KLUE do, in the hub's name of the data set; `found` is what we look at.
SNIPPETS = {
    "ynat": """
dataset = load_dataset("klue", "ynat")
labels = dataset["train"].features["label"].names
label2id = {name: number for number, name in enumerate(labels)}
parts = dataset["train"].train_test_split(test_size=0.5, stratify_by_column="label", seed=42)
dataset = dataset.map(lambda row: {"label_str": dataset["train"].features["label"].int2str(
    row["label"])} if row["label"] is not None else {"label_str": ""})
found = [labels, dataset["train"][0]["label"], dataset["train"][0]["label_str"], len(parts["test"])]
""",
    "sts": """
dataset = load_dataset("klue", "sts", split="validation")
dataset = dataset.map(lambda row: {"label": row["labels"]["label"]}, remove_columns=["labels"])
names = load_dataset("klue", "sts", split="train").features["labels"]["binary-label"].names
pairs = load_dataset("klue", "sts", split="train").flatten()
found = [names, dataset[0]["label"], pairs[0]["labels.binary-label"], pairs[0]["labels.real-label"]]
""",
    "nli": """
train, valid = load_dataset("klue", "nli", split=["train", "validation"])
num_labels = train.features["label"].num_classes
parts = train.train_test_split(test_size=0.5, stratify_by_column="label")
found = [train.features["label"].names, num_labels, valid[0]["label"], len(parts["train"])]
""",
    "ner": """
raw_datasets = load_dataset("klue", "ner")
label_list = raw_datasets["train"].features["ner_tags"].feature.names
row = raw_datasets["train"][0]
text, tags = "".join(row["tokens"]), [label_list[tag] for tag in row["ner_tags"]]
frame = raw_datasets["validation"].to_pandas()
found = [label_list, text, row["ner_tags"], tags, list(map(int, frame["ner_tags"][0]))]
""",
    "re": """
train = load_dataset("klue", "re", split="train")
names = train.features["label"].names
parts = train.train_test_split(test_size=0.5, stratify_by_column="label")
def mark(row):
    subj, obj = row["subject_entity"], row["object_entity"]
    spans = [(subj["start_idx"], subj["end_idx"]), (obj["start_idx"], obj["end_idx"])]
    return {"marked": [row["sentence"][start : end + 1] for start, end in spans]}
row = train.map(mark)[0]
found = [names, train.features["label"].str2int("per:title"), row["label"], row["marked"]]
""",
    "dp": """
valid = load_dataset("klue", "dp")["validation"]
row = valid[0]
found = [row["sentence"], list(zip(row["index"], row["word_form"], row["head"], row["deprel"]))]
""",
    "mrc": """
datasets = load_dataset("klue", "mrc")
row = datasets["train"][0]
start, text = row["answers"]["answer_start"][0], row["answers"]["text"][0]
valid = datasets["validation"].filter(lambda row: not row["is_impossible"])
found = [row["context"][start : start + len(text)], text, row["question_type"], len(valid)]
""",
    "wos": """
data = load_dataset("klue", "wos", split="train")
turns = [turn for turn in data[0]["dialogue"] if turn["role"] == "user"]
found = [data[0]["domains"], turns[0]["text"], turns[0]["state"]]
""",
}
TOPICS = ["IT과학", "경제", "사회", "생활문화", "세계", "스포츠", "정치"]
TAGS = [f"{mark}-{name}" for name in ("DT", "LC", "OG", "PS", "QT", "TI") for mark in "BI"]
#: The features of the hub, as `str` shows them: strings, but for these.
SOFT = {"soft_label": "float64"}
NUMBERS = {
    "ynat": SOFT,
    "sts": {**dict.fromkeys(("label", "real-label", "mean", "standard_deviation"), "float64")}
    | {"n": "int32"},
    "nli": SOFT,
    "re": dict.fromkeys(("start_idx", "end_idx"), "int32") | SOFT,
    "dp": dict.fromkeys(("index", "head"), "int32"),
    "mrc": {"answer_start": "int32", "question_type": "int32", "is_impossible": "bool"},
}
HUB = {
    "ynat": "guid title label url date",
    "sts": "guid source sentence1 sentence2 labels",
    "nli": "guid source premise hypothesis label",
    "ner": "sentence tokens ner_tags",
    "re": "guid sentence subject_entity object_entity label source",
    "dp": "sentence index word_form lemma pos head deprel",
    "mrc": "title context news_category source guid is_impossible question_type question answers",
    "wos": "guid domains dialogue",
}
SCRIPT = """
import json, sys
from datasets import load_dataset as load

def load_dataset(name, config, **options):
    assert name == "klue"
    return load(sys.argv[1], config, **options)

told = {}
for config, snippet in json.loads(sys.argv[2]).items():
    values = {"load_dataset": load_dataset}
    exec(snippet, values)
    loaded = load(sys.argv[1], config)
    kinds = {split: str(rows.features) for split, rows in loaded.items()}
    told[config] = [values["found"], loaded["train"].features.to_dict(), kinds]
print(json.dumps(told))
"""


@pytest.fixture
def results(facts: Facts, files: Files, tmp_path: Path) -> dict[str, Any]:
    """Return what each snippet found in an invented release, and the features of its config."""
    assert files
    (tmp_path / "README.md").write_text(readme(facts), "utf-8")
    offline = {
        **{name: value for name, value in os.environ.items() if not name.startswith("HF_")},
        **{"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf")},
    }
    words = [sys.executable, "-c", SCRIPT, str(tmp_path), json.dumps(SNIPPETS)]
    done = subprocess.run(words, env=offline, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_public_scripts_run_unchanged_but_for_the_path(results: dict[str, Any]) -> None:
    relations = results["re"][0][0]
    assert {config: found for config, (found, _, _) in results.items()} == {
        "ynat": [TOPICS, 2, "사회", 1],
        "sts": [["negative", "positive"], 4.3, 1, 4.29],
        "nli": [["entailment", "neutral", "contradiction"], 3, 2, 1],
        "ner": [
            [*TAGS, "O"],
            "달래 옴",
            [6, 7, 12, 12],
            ["B-PS", "I-PS", "O", "O"],
            [6, 7, 12, 12],
        ],
        "re": [relations, 29, 29, ["달래", "대표"]],
        "dp": ["달래가 왔다", [[1, "달래가", 2, "NP_SBJ"], [2, "왔다", 0, "VP"]]],
        "mrc": ["1901년", "1901년", 1, 3],
        "wos": [["숙소"], "동쪽 숙소요.", ["숙소-지역-동쪽"]],
    }
    assert len(relations) == 30
    assert relations[:3] == ["no_relation", "org:dissolved", "org:founded"]
    assert relations[11:13] == ["org:number_of_employees/members", "per:date_of_birth"]


def test_the_fields_of_the_hub_come_first_with_its_types(results: dict[str, Any]) -> None:
    for config, (_, features, kinds) in results.items():
        assert list(features)[: len(HUB[config].split())] == HUB[config].split()
        assert len(set(kinds.values())) == 1
        types = dict(_leaves(features))
        numbers = {name: kind for name, kind in types.items() if kind not in ("string", "class")}
        assert numbers == NUMBERS.get(config, {})


def _leaves(features: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the name and the type of each field that is no list or object."""
    leaves: list[tuple[str, str]] = []
    for name, kind in features.items():
        inner = kind.get("feature", kind)
        if inner.get("_type") in ("Value", "ClassLabel"):
            leaves.append((name, inner.get("dtype", "class")))
        else:
            fields = inner if "_type" not in inner else inner["feature"]
            leaves += _leaves(fields)
    return leaves


def test_tables_of_releases_before_are_accepted_in_their_order() -> None:
    for columns in COLUMNS.values():
        assert columns.accepts(columns.schema)
        assert not columns.accepts(columns.schema.remove(0))
        for names in columns.former:
            former = columns.schema_like(columns.schema.empty_table().select(names).schema)
            assert tuple(former.names) == names != tuple(columns.schema.names)
            assert sorted({*names, "soft_label"}) == sorted({*columns.schema.names, "soft_label"})
            assert columns.accepts(former)
