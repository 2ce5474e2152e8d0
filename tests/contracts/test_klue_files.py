"""What holds for every official form: reading, writing and reading again changes nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from official_files import EXAMPLES, REAL, REAL_LARGE, Example, saved

from pipeline.contracts.official.files import READERS, read_official, write_official
from pipeline.contracts.official.tables import Official, rows_of
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.tasks.dp import official as dependency
from pipeline.tasks.ner import official as ner
from pipeline.tasks.nli import official as nli
from pipeline.tasks.re import official as re_
from pipeline.tasks.sts import official as sts
from pipeline.tasks.tc import official as tc

LARGE = [pytest.param(*file, marks=pytest.mark.full) for file in REAL_LARGE]
#: The round that gold is about, by task.
ROUNDS = {"nli": "validate", "ner": "tag", "dp": "arcs", "mrc": "write", "dst": "dialogue"}


def _round_trip(task: str, path: Path, folder: Path) -> Official:
    first = read_official(task, path)
    out = folder / f"written-{path.name}"
    write_official(first, out)
    again = read_official(task, out)
    assert again == first
    assert out.read_bytes().split() == path.read_bytes().split()  # one file has blanks of its own
    return first


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.name)
def test_invented_files_come_out_as_they_went_in(example: Example, tmp_path: Path) -> None:
    found = _round_trip(example.task, saved(tmp_path, example.text, example.name), tmp_path)
    assert (found.form, found.problems) == (example.form, [])
    schemas.check(found.items, "items")
    schemas.check(found.votes, "votes")


@pytest.mark.thin(5)
@pytest.mark.parametrize(("name", "task"), [*REAL, *LARGE])
def test_official_files_come_out_as_they_went_in(
    name: str, task: str, data_dir: Path, tmp_path: Path
) -> None:
    found = _round_trip(task, data_dir / "klue" / name, tmp_path)
    assert all(problem.rule.startswith("official.kept.") for problem in found.problems)


@pytest.mark.thin(5)
@pytest.mark.parametrize(("name", "task"), [*REAL, LARGE[-1]])
def test_official_answers_are_answers_of_the_specs(name: str, task: str, data_dir: Path) -> None:
    """Gold in its one form passes the task's own check unchanged, unless `problems` names it."""
    official = read_official(task, data_dir / "klue" / name)
    spec = load_spec(task)
    round_ = spec.round(ROUNDS.get(task, "main"))
    assert round_ is not None
    for row in rows_of(official):
        for vote in row.votes:
            assert TASKS[task].parse(vote.label, row.fields, spec, round_) == vote.label
        known = task == "mrc" and (row.gold["type"] is None or _places(row) != _real_places(row))
        if task != "sts" and not known:
            assert TASKS[task].parse(row.gold, row.fields, spec, round_) == row.gold


def test_the_labels_that_the_readers_know_are_those_of_the_specs() -> None:
    specs = {task: load_spec(task) for task in TASKS}
    assert set(tc.TOPICS) == set(specs["tc"].ids())
    assert set(nli.LABELS) == set(specs["nli"].ids())
    assert set(ner.TYPES) == set(specs["ner"].ids())
    scale = specs["sts"].scale
    assert scale is not None
    assert (scale.low, scale.high) == (sts.LOW, sts.HIGH)
    relations, tags = specs["re"].ids(), specs["dp"].ids("pos")
    assert len(relations) == 30 and all(map(re_._LABEL.fullmatch, relations))
    assert tags and all(map(dependency._POS.fullmatch, tags))
    syntax, function = specs["dp"].ids("syntax"), specs["dp"].ids("function")
    pairs = [f"{tag}_{role}" for tag in syntax for role in function]
    assert pairs and all(map(dependency._DEPREL.fullmatch, [*syntax, *pairs]))


def _places(row: Any) -> set[tuple[int, str]]:
    return {(one["start"], one["text"]) for one in row.gold["plausible_answers"]}


def _real_places(row: Any) -> set[tuple[int, str]]:
    context, found = row.fields["context"], row.gold["plausible_answers"]
    good = [p for p in found if context[p["start"] :].startswith(p["text"])]
    return {(p["start"], p["text"]) for p in good} if len(good) == len(_places(row)) else set()


@pytest.mark.parametrize("task", READERS)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.name)
def test_a_file_of_another_task_is_refused(example: Example, task: str, tmp_path: Path) -> None:
    path = saved(tmp_path, example.text, example.name)
    if task == example.task:
        assert read_official(TASKS[task].config, path).task == task
    else:
        with pytest.raises(InputError, match=example.name):
            read_official(task, path)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.name)
def test_a_file_cut_anywhere_is_an_error_or_has_problems(example: Example, tmp_path: Path) -> None:
    """Half a JSON document is refused; of half a table the whole rows are read."""
    whole = read_official(example.task, saved(tmp_path, example.text, example.name)).items.num_rows
    for end in range(0, len(example.text.rstrip()), 3):
        path = saved(tmp_path, example.text[:end], example.name)
        try:
            found = read_official(example.task, path)
        except InputError as error:
            assert str(path) in str(error)
            continue
        assert not example.name.endswith(".json")
        assert found.items.num_rows <= whole


@pytest.mark.thin(8)
@pytest.mark.parametrize("step", [3, 1])
@pytest.mark.parametrize(
    "example", [one for one in EXAMPLES if one.name.endswith(".json")], ids=lambda one: one.name
)
def test_no_change_of_a_json_value_gives_a_traceback(
    example: Example, step: int, tmp_path: Path
) -> None:
    """Every value is replaced by values of other types, one at a time; by a third, or by each."""
    for made in _mutants(json.loads(example.text))[::step]:
        path = saved(tmp_path, json.dumps(made).replace('"NAN"', "1e999"), example.name)
        try:
            found = read_official(example.task, path)
        except InputError:
            continue
        write_official(found, tmp_path / "out")
        again = read_official(example.task, tmp_path / "out")
        same = ["item", "fields", "gold"]  # passages are counted anew where one was left out
        assert again.items.select(same) == found.items.select(same)
        assert again.votes.select(["item", "label"]) == found.votes.select(["item", "label"])


def _mutants(value: Any) -> list[Any]:
    odd = [None, True, -1, 7, 10**30, "x", "", "\ud800", [], {}, [[]], [None], "NAN"]
    if isinstance(value, list):
        inner = [(i, m) for i, one in enumerate(value) for m in _mutants(one)]
        return odd + [[*value[:i], m, *value[i + 1 :]] for i, m in inner]
    if isinstance(value, dict):
        changed = [{**value, key: m} for key, one in value.items() for m in _mutants(one)]
        shorter = [{k: v for k, v in value.items() if k != key} for key in value]
        return odd + changed + shorter + [{**value, "note": 3.5}]
    return odd


def test_unreadable_files_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_official("sts", tmp_path / "absent.json")
    with pytest.raises(InputError, match="is a folder"):
        read_official("sts", tmp_path)
    with pytest.raises(InputError, match="the file is empty"):
        read_official("ner", saved(tmp_path, " \n"))
    (tmp_path / "latin").write_bytes(b"[\xff]")
    with pytest.raises(InputError, match=r"not UTF-8 \(byte 1\)"):
        read_official("sts", tmp_path / "latin")
    with pytest.raises(InputError, match="nested too deep"):
        read_official("sts", saved(tmp_path, "[" * 100_000))
    with pytest.raises(InputError, match="a key is given twice"):
        read_official("sts", saved(tmp_path, '[{"guid": "a", "guid": "b"}]'))
    with pytest.raises(InputError, match="cannot be written"):
        example = EXAMPLES[3]
        official = read_official("sts", saved(tmp_path, example.text))
        write_official(official, tmp_path / "no" / "folder.json")


def test_half_a_json_file_names_its_line(tmp_path: Path) -> None:
    text = EXAMPLES[3].text
    with pytest.raises(InputError, match=r"official:\d+: not JSON: .*fetch it again"):
        read_official("sts", saved(tmp_path, text[: len(text) // 2]))
