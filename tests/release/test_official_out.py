"""Examples as official KLUE files: this project's importers read the same again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from small_release import examples, votes

from pipeline.contracts.example import Example
from pipeline.contracts.official.files import RELEASE_FILES, read_official
from pipeline.contracts.registry import TASKS
from pipeline.core import schemas
from pipeline.core.jsontext import canonical, parsed
from pipeline.release import official, tables

#: The names of the files that KLUE published (v1.1).
PUBLISHED = {
    "tc": "ynat-v1.1_dev.json",
    "sts": "klue-sts-v1.1_dev.json",
    "nli": "klue-nli-v1.1_dev.json",
    "ner": "klue-ner-v1.1_dev.tsv",
    "re": "klue-re-v1.1_dev.json",
    "dp": "klue-dp-v1.1_dev.tsv",
    "mrc": "klue-mrc-v1.1_dev.json",
    "dst": "wos-v1.1_dev.json",
}


def _examples(task: str) -> list[Example]:
    return list(tables.examples_of(tables.rows(examples(task), task, labels=True), task))


def _votes(task: str) -> pa.Table:
    """Return judgements as annotators of TC, STS and NLI give them, and an expert's on a report."""
    if task not in VOTED:
        return votes(task)
    rows: list[dict[str, object]] = []
    for one in _examples(task):
        plain = {"item": one.id, "task": task, "attempt": 1, "simulated": False}
        rows += [{**plain, **said} for said in _SAID[task](one)]
        review = {"role": "expert", "round": "review", "annotator": "expert-1"}
        rows.append({**plain, **review, "label": canonical({"verdict": "dismiss"})})
    return schemas.build("votes", rows)


def _said_tc(one: Example) -> Iterator[dict[str, Any]]:
    main = {"role": "annotator", "round": "main"}
    for who in ("worker-01", "worker-02"):
        yield {**main, "annotator": who, "label": canonical(one.label)}
    yield {**main, "annotator": "worker-03", "report": "unable_to_decide"}


def _said_sts(one: Example) -> Iterator[dict[str, Any]]:
    for who, score in enumerate(SCORES):
        yield {"role": "annotator", "round": "main", "annotator": f"p{who}", "label": f"{score}"}


def _said_nli(one: Example) -> Iterator[dict[str, Any]]:
    label = {"round": "validate", "label": canonical(one.label)}
    yield {**label, "role": "author", "annotator": "w-1", "seat": "author"}
    for who in range(4):
        yield {**label, "role": "validator", "annotator": f"v-{who}"}


VOTED = tuple(task for task in TASKS if RELEASE_FILES[task].voted)
#: Two people gave 5, and one each 4, 3 and 0.
SCORES = (5, 4, 0, 5, 3)
_SAID = {"tc": _said_tc, "sts": _said_sts, "nli": _said_nli}


def _written(task: str, folder: Path, *, judged: bool = True) -> Path:
    path = folder / official.file_name(task, "1.1", "dev")
    given = _votes(task) if judged else None
    official.write(official.official(task, _examples(task), given), path)
    return path


@pytest.mark.parametrize("task", TASKS)
def test_files_are_named_as_the_published_ones(task: str) -> None:
    assert official.file_name(task, "1.1", "dev") == PUBLISHED[task]


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("judged", [True, False])
def test_texts_and_labels_are_read_back(task: str, judged: bool, tmp_path: Path) -> None:
    found = read_official(task, _written(task, tmp_path, judged=judged))
    assert found.problems == []
    wanted = {one.id: one for one in _examples(task)}
    read = {row["item"]: row for row in found.items.to_pylist()}
    assert set(read) == set(wanted)
    for name, one in wanted.items():
        label, fields = one.label, dict(one.fields)
        gold, given = parsed(read[name]["gold"]), parsed(read[name]["fields"])
        if task == "tc":
            label = one.label[:1]
        if task == "dp":
            label = {key: one.label[key] for key in ("heads", "deprels")}
            meta = parsed(read[name]["meta"])
            assert {key: meta[key] for key in ("lemmas", "pos")} == {
                key: one.label[key] for key in ("lemmas", "pos")
            }
        assert gold == label
        assert {key: given[key] for key in fields} == fields


@pytest.mark.parametrize("task", TASKS)
def test_the_order_of_examples_makes_no_difference(task: str, tmp_path: Path) -> None:
    path = _written(task, tmp_path)
    turned = tmp_path / "turned"
    official.write(official.official(task, _examples(task)[::-1], _votes(task)), turned)
    assert turned.read_bytes() == path.read_bytes()


def test_topics_stand_beside_the_label(tmp_path: Path) -> None:
    """Three annotators, as in the official file; who could not decide gave no topic (해당없음)."""
    wanted = {one.id: one for one in _examples("tc")}
    for record in json.loads(_written("tc", tmp_path).read_text("utf-8")):
        people = record["annotations"]["annotators"]
        assert sorted(people) == ["worker-01", "worker-02", "worker-03"]
        first = record["annotations"]["annotations"]["first-scope"]
        said = dict(zip(people, first, strict=True))
        assert said["worker-01"] == said["worker-02"] == wanted[record["guid"]].label[0]
        assert said["worker-03"] == "해당없음"


def test_scores_are_counted_as_the_official_files_do(tmp_path: Path) -> None:
    """`agreement` counts the scores from 0 to 5; an expert's word on a report is none."""
    for record in json.loads(_written("sts", tmp_path).read_text("utf-8")):
        assert sorted(record["annotations"]["annotations"]) == sorted(SCORES)
        assert record["annotations"]["agreement"] == "1:0:0:1:1:2"


def test_validators_stand_beside_the_author(tmp_path: Path) -> None:
    for record in json.loads(_written("nli", tmp_path).read_text("utf-8")):
        five = [record[name] for name in ("author", "label2", "label3", "label4", "label5")]
        assert five == [record["gold_label"]] * 5


def test_questions_on_one_passage_stand_together(tmp_path: Path) -> None:
    data = json.loads(_written("mrc", tmp_path).read_text("utf-8"))["data"]
    passages = [(one["title"], two["context"]) for one in data for two in one["paragraphs"]]
    assert len(passages) == len(set(passages))
    asked = [q["guid"] for one in data for two in one["paragraphs"] for q in two["qas"]]
    assert sorted(asked) == sorted(one.id for one in _examples("mrc"))
    for one in data:
        for question in one["paragraphs"][0]["qas"]:
            if question["is_impossible"]:
                assert question["answers"] == []
