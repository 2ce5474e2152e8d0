"""Rows of a release: both ways, without what betrays a label, and against the official files."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
import small_release as small
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contracts.official.files import read_official
from pipeline.core import schemas
from pipeline.core.errors import SchemaError
from pipeline.core.jsontext import canonical, parsed
from pipeline.release.tables import COLUMNS, examples_of, hide_labels, rows
from pipeline.tasks.ner.columns import spans

TASKS = tuple(COLUMNS)
#: The columns of the configs on the hub (v1.1), but for the raw votes, which have their own files.
HUB = {
    "tc": "guid title label url date",
    "sts": "guid source sentence1 sentence2 labels",
    "nli": "guid source premise hypothesis label",
    "ner": "sentence tokens ner_tags",
    "re": "guid sentence subject_entity object_entity label source",
    "dp": "sentence index word_form lemma pos head deprel",
    "mrc": "title context news_category source guid is_impossible question_type question answers",
    "dst": "guid domains dialogue",
}
OFFICIAL = {
    "sts": "klue-sts-v1.1_dev.json",
    "nli": "klue-nli-v1.1_dev.json",
    "ner": "klue-ner-v1.1_dev.tsv",
    "re": "klue-re-v1.1_train_subset3247.csv",
    "dp": "klue-dp-v1.1_dev.tsv",
    "mrc": "klue-mrc-v1.1_dev_first1350.json",
    "dst": "wos-v1.1_dev_first700.json",
    "tc": "ynat-v1.1_dev_first17.json",
}


@pytest.mark.parametrize("task", TASKS)
def test_an_example_comes_back_out_of_its_row(task: str) -> None:
    table = rows(small.examples(task), task, labels=True)
    for one, given_ in zip(examples_of(table, task), _by_id(task), strict=True):
        fields, label = parsed(given_["fields"]), parsed(given_["label"])
        assert (one.id, one.source) == (given_["id"], given_["source"])
        assert dict(one.fields).items() <= fields.items()
        assert canonical(one.label) == canonical(label[:1] if task == "tc" else label)


@pytest.mark.parametrize("task", TASKS)
def test_the_columns_are_those_of_the_hub(task: str) -> None:
    names = COLUMNS[task].schema.names
    hub = HUB[task].split()
    assert names[: len(hub)] == hub
    assert {"guid", "source"} <= set(names)
    assert COLUMNS[task].schema.metadata is None


@pytest.mark.parametrize("task", TASKS)
def test_rows_are_in_order_of_their_guids_whatever_order_they_come_in(task: str) -> None:
    examples = small.examples(task)
    backwards = examples.take(pa.array(range(examples.num_rows - 1, -1, -1)))
    table = rows(backwards, task, labels=True)
    assert all(left < right for left, right in pairwise(table["guid"].to_pylist()))
    assert table.equals(rows(examples, task, labels=True))


@pytest.mark.parametrize("task", TASKS)
def test_rows_without_labels_do_not_change_with_the_label(task: str) -> None:
    """Whatever the answer is, and what is known of it, the public test file is the same."""
    plain = small.examples(task)
    other = pa.Table.from_pylist(
        [_answered_otherwise(task, one) for one in plain.to_pylist()], schema=schemas.EXAMPLES
    )
    assert not rows(plain, task, labels=True).equals(rows(other, task, labels=True))
    assert rows(plain, task, labels=False).equals(rows(other, task, labels=False))


@pytest.mark.parametrize("task", TASKS)
def test_hiding_a_labelled_table_gives_the_public_one(task: str) -> None:
    table = rows(small.examples(task), task, labels=True)
    public = rows(small.examples(task), task, labels=False)
    assert hide_labels(table, task).equals(public)
    assert public.schema.equals(table.schema)
    again = pa.Table.from_pylist(
        [{"guid": one.id, "source": one.source} for one in examples_of(public, task)]
    )
    assert again["guid"].to_pylist() == table["guid"].to_pylist()


@pytest.mark.parametrize(
    ("task", "gone", "stays"),
    [
        (
            "tc",
            {"label", "predefined_news_category", "url", "soft_label"},
            {"title", "date"},
        ),
        ("sts", {"labels", "soft_label"}, {"sentence1", "sentence2"}),
        ("nli", {"label", "soft_label"}, {"premise", "hypothesis"}),
        ("ner", {"ner_tags"}, {"sentence", "tokens"}),
        ("re", {"label", "soft_label"}, {"sentence", "subject_entity", "object_entity"}),
        ("dp", {"head", "deprel"}, {"sentence", "index", "word_form", "lemma", "pos"}),
        (
            "mrc",
            {"is_impossible", "question_type", "answers", "plausible_answers"},
            {"title", "context", "question", "news_category"},
        ),
        ("dst", {"domains"}, {"dialogue"}),
    ],
)
def test_what_a_public_test_file_lacks(task: str, gone: set[str], stays: set[str]) -> None:
    table = rows(small.examples(task), task, labels=False)
    nulls = {name for name in table.column_names if table[name].null_count == table.num_rows}
    assert nulls == gone
    assert {"guid", "source", *stays} == set(table.column_names) - gone
    if task == "dst":
        turns = [turn for one in table["dialogue"].to_pylist() for turn in one]
        assert all(turn["state"] is None and turn["text"] for turn in turns)


def test_what_is_left_of_an_answer_without_its_label() -> None:
    left = {
        task: next(examples_of(rows(small.examples(task), task, labels=False), task)).label
        for task in TASKS
    }
    assert left["tc"] is left["sts"] is left["nli"] is left["ner"] is left["re"] is None
    assert left["dp"].keys() == {"lemmas", "pos"}
    assert left["mrc"].keys() == {"question"}
    assert [turn.keys() for turn in left["dst"]["turns"]] == [{"role", "text"}] * 3


def test_the_source_of_sts_tells_the_sampler_as_the_official_files_do() -> None:
    given_ = [("airbnb", "airbnb-rtt"), ("policy", "sampled"), ("other", None), ("x", "y")]
    table = small.examples("sts").slice(0, 4)
    for name, column in zip(("source", "sampler"), zip(*given_, strict=True), strict=True):
        place = table.schema.get_field_index(name)
        table = table.set_column(place, table.schema.field(name), pa.array(column, pa.string()))
    made = rows(table, "sts", labels=True)
    found = dict(zip(made["guid"].to_pylist(), made["source"].to_pylist(), strict=True))
    wanted = ["airbnb-rtt", "policy-sampled", "other", "x"]
    assert [found[guid] for guid in table["id"].to_pylist()] == wanted


@given(st.lists(st.sampled_from(["", "PS", "LC"]), max_size=12), st.data())
def test_spans_come_back_out_of_tags(labels: list[str], data: st.DataObject) -> None:
    """Runs of characters with a label or none, of random lengths, next to each other."""
    made, tags, at = [], list[str](), 0
    for label in labels:
        length = data.draw(st.integers(1, 3))
        if label:
            made.append({"start": at, "end": at + length, "label": label})
        tags += [f"B-{label}", *[f"I-{label}"] * (length - 1)] if label else ["O"] * length
        at += length
    assert spans(tags) == made


@pytest.mark.parametrize("tags", [["I-PS"], ["B-PS", "I-LC"], ["O", "I-LC"], ["B-"], ["X"]])
def test_tags_that_do_not_follow_each_other_are_refused(tags: list[str]) -> None:
    with pytest.raises(ValueError, match="tag"):
        spans(tags)


@pytest.mark.parametrize(("task", "lacks"), [("tc", "title"), ("re", "subject"), ("dp", "words")])
def test_an_example_of_another_form_is_named(task: str, lacks: str) -> None:
    broken = small.examples(task).to_pylist()
    broken[2]["fields"] = canonical(
        {key: value for key, value in parsed(broken[2]["fields"]).items() if key != lacks}
    )
    table = pa.Table.from_pylist(broken, schema=schemas.EXAMPLES)
    with pytest.raises(SchemaError, match=broken[2]["id"]):
        rows(table, task, labels=True)


def test_a_table_of_another_task_is_refused() -> None:
    with pytest.raises(SchemaError, match="not the columns of nli"):
        next(examples_of(rows(small.examples("tc"), "tc", labels=True), "nli"))


def test_no_rows_are_a_table_too() -> None:
    assert rows(schemas.empty("examples"), "dst", labels=False).num_rows == 0


@pytest.mark.thin(4)
@pytest.mark.parametrize("task", TASKS)
def test_official_examples_come_back_out_of_their_rows(task: str, data_dir: Path) -> None:
    items = read_official(task, data_dir / "klue" / OFFICIAL[task]).items
    examples = _as_examples(items.slice(0, 1_000), task)
    found = {one.id: one for one in examples_of(rows(examples, task, labels=True), task)}
    for one in examples.to_pylist():
        fields, label = parsed(one["fields"]), parsed(one["label"])
        fields.pop("goal", None)
        again = found[one["id"]]
        assert dict(again.fields) == fields
        assert _same(task, label, again.label)


def test_re_rows_hold_the_entities_of_the_official_file(data_dir: Path) -> None:
    items = read_official("re", data_dir / "klue" / OFFICIAL["re"]).items
    table = rows(_as_examples(items, "re"), "re", labels=True)
    wrong = 0
    for row in table.to_pylist():
        one = row["subject_entity"]
        wrong += row["sentence"][one["start_idx"] : one["end_idx"] + 1] != one["word"]
    assert wrong == 0 and table.num_rows == items.num_rows


def _by_id(task: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = small.examples(task).to_pylist()
    return sorted(found, key=lambda one: str(one["id"]))


def _answered_otherwise(task: str, one: dict[str, Any]) -> dict[str, Any]:
    fields, label, meta = (parsed(one[name]) for name in ("fields", "label", "meta"))
    if task == "tc":
        label, meta = ["스포츠"], {**meta, "predefined_news_category": "스포츠", "url": "u"}
    elif task == "sts":
        label = {"label": 4.2, "real-label": 4.17, "binary-label": 1}
    elif task == "nli":
        label = "neutral" if label != "neutral" else "entailment"
    elif task == "re":
        label = "org:founded_by"
    elif task == "ner":
        label = [{"start": 1, "end": 2, "label": "QT"}]
    elif task == "dp":
        label |= {"heads": [2, 3, 0], "deprels": ["NP", "NP_MOD", "AP"]}
    elif task == "mrc":
        fields["question_type"] = label["type"] % 3 + 1
        label |= {"type": label["type"] % 3 + 1, "answers": [{"start": 0, "text": "가"}]}
    else:
        fields |= {"domains": ["숙소", "택시"], "goal": "다른 목표"}
        label = {"turns": [{**turn, "state": ["숙소-종류-호텔"]} for turn in label["turns"]]}
    told = {"label": canonical(label), "fields": canonical(fields), "meta": canonical(meta)}
    known = {"agreement": 0.1, "group": "another", "style": "colloquial", "documents": ["x"]}
    return {**one, **told, **known, "kept": True, "simulated": True}


def _as_examples(items: pa.Table, task: str) -> pa.Table:
    found = []
    for one in items.to_pylist():
        same = {name: one[name] for name in ("task", "fields", "sampler", "meta")}
        own = {"id": one["item"], "label": one["gold"], "source": one["source"] or "unknown"}
        found.append({**same, **own, "split": "dev", "group": one["item"], "documents": []})
    made = pa.Table.from_pylist(found, schema=schemas.EXAMPLES)
    assert pc.all(pc.is_valid(made["label"])).as_py()
    return made


def _same(task: str, label: Any, again: Any) -> bool:
    if task == "dp":
        again = {name: again[name] for name in label}
    if task == "dst":
        label = {"turns": [{"state": [], **turn} for turn in label["turns"]]}
    return json.loads(canonical(again)) == json.loads(canonical(label))
