"""The dataset card: what the hub reads, what people read, and that data loads by it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.contracts.registry import TASKS
from pipeline.core.errors import InputError
from pipeline.release.cards import size_category, texts
from pipeline.release.material import Facts
from pipeline.release.tables import card_of

#: What the hub's own documentation of cards allows.
CREATORS = {"crowdsourced", "expert-generated", "found", "machine-generated", "no-annotation"}
CATEGORIES = {
    *("text-classification", "token-classification", "question-answering", "text-generation"),
    *("sentence-similarity", "text-ranking", "fill-mask", "summarization", "translation"),
}
LOAD = """
import json, sys
from datasets import load_dataset
folder, configs = sys.argv[1], sys.argv[2].split(",")
found = {}
for config in configs:
    data = load_dataset(folder, config)
    found[config] = {split: [len(data[split]), data[split].column_names, data[split][0]]
                     for split in data}
print(json.dumps(found))
"""


def readme(facts: Facts) -> str:
    return texts(facts)["README.md"]


def _front(text: str) -> dict[str, Any]:
    start, block, _ = text.split("---\n", 2)
    assert start == ""
    found = yaml.safe_load(block)
    assert isinstance(found, dict)
    return found


def test_front_matter_says_what_the_hub_reads(facts: Facts) -> None:
    found = _front(readme(facts))
    assert found["language"] == ["ko"]
    assert found["license"] == "cc-by-sa-4.0"
    assert found["size_categories"] == ["10K<n<100K"]
    assert found["annotations_creators"] == ["crowdsourced"]
    assert set(found["annotations_creators"] + found["language_creators"]) <= CREATORS
    assert set(found["task_categories"]) <= CATEGORIES
    configs = {one["config_name"]: one["data_files"] for one in found["configs"]}
    assert list(configs) == ["ynat", "sts", "nli", "ner", "re", "dp", "mrc", "wos"]
    assert configs["wos"] == [
        {"split": "train", "path": "wos/train.parquet"},
        {"split": "validation", "path": "wos/validation.parquet"},
        {"split": "test", "path": "wos/test.parquet"},
    ]


def test_all_eight_load_offline(
    facts: Facts, files: dict[str, Any], schemas: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "README.md").write_text(readme(facts), "utf-8")
    offline = {
        **{name: value for name, value in os.environ.items() if not name.startswith("HF_")},
        **{"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf")},
    }
    done = subprocess.run(
        [sys.executable, "-c", LOAD, str(tmp_path), ",".join(schemas)],
        env=offline,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    for config, schema in schemas.items():
        sizes = {split: told[0] for split, told in found[config].items()}
        assert sizes == {"train": 2, "validation": 3, "test": 4}
        assert all(told[1] == schema.names for told in found[config].values())
    assert found["sts"]["train"][2]["labels"]["real-label"] == 4.29
    assert found["re"]["validation"][2]["subject_entity"]["word"] == "달래"
    assert found["wos"]["train"][2]["dialogue"][0]["state"] == ["숙소-지역-동쪽"]
    assert found["nli"]["test"][2]["label"] is None


def test_simulated_annotation_is_told_at_the_top(facts: Facts) -> None:
    told = readme(replace(facts, simulated=True))
    body = told.split("---\n", 2)[2]
    assert "no person labelled" in body.split("\n## ")[0]
    assert _front(told)["annotations_creators"] == ["machine-generated"]
    assert "simulated" not in readme(facts)


def test_a_split_without_examples_is_no_data_file(facts: Facts) -> None:
    first = replace(facts.tasks[0], splits={"train": 10, "dev": 0, "test": 4})
    told = readme(replace(facts, tasks=(first, *facts.tasks[1:])))
    files = _front(told)["configs"][0]["data_files"]
    assert [one["split"] for one in files] == ["train", "test"]
    assert "`ynat` has no examples in `validation`" in told


def test_every_number_of_the_facts_is_in_the_tables(facts: Facts) -> None:
    tasks = (replace(facts.tasks[1], splits={"train": 1234, "dev": 567, "test": 891}),)
    told = readme(replace(facts, tasks=tasks))
    row = next(line for line in told.splitlines() if line.startswith("| `sts` | Task of sts |"))
    assert [cell.strip() for cell in row.split("|")[3:6]] == ["1,234", "567", "891"]
    assert "2,692 examples of 1 task" in told


def test_the_licence_of_a_mixed_release_is_told_beside_it(facts: Facts) -> None:
    sources = tuple(
        replace(one, licence="CC-BY-NC-4.0", basis={**one.basis, "commercial": False})
        if one.id == "policy"
        else one
        for one in facts.sources
    )
    told = readme(replace(facts, sources=sources))
    found = _front(told)
    assert found["license"] == "other"
    assert found["license_link"] == "LICENSE.md"
    assert "commercial use is not granted" in told


def test_texts_of_others_are_no_markup(facts: Facts) -> None:
    odd = replace(facts, maintainer="<script>x</script>", contact="a|b `c` [d](e) <i>\n# f")
    told = readme(odd)
    assert "<script>" not in told.replace("\\<", "")
    assert "\n# f" not in told
    assert "a\\|b \\`c\\` \\[d\\](e) \\<i\\> \\# f" in told


@pytest.mark.parametrize(
    ("many", "word"), [(999, "n<1K"), (1000, "1K<n<10K"), (99_999, "10K<n<100K")]
)
def test_sizes_in_the_words_of_the_hub(many: int, word: str) -> None:
    assert size_category(many) == word


@pytest.mark.parametrize("task", TASKS)
def test_every_task_has_promises(task: str) -> None:
    assert card_of(task).promises and card_of(task).subtask


def test_a_source_without_licence_stops_the_card(facts: Facts) -> None:
    with pytest.raises(InputError, match="examples are from ked"):
        readme(replace(facts, sources=facts.sources[:-1]))
