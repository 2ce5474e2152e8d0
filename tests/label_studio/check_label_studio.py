"""The exchange against a real Label Studio: `make test-label-studio`, no part of `make test`.

The projects of all rounds of the eight tasks are made through its API, tasks imported, annotated by
two users, exported, read and compared. docs/annotation-tools.md tells more.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from exchange_answers import unordered
from exchange_samples import FIELDS, ROUNDS, SPECS, answer, full, items, round_of
from marked_answers import EIGHT, regions
from studio_server import NAMES, Studio, ok

from pipeline.annotation.exchange import label_studio
from pipeline.annotation.exchange.answer_parts import parts_of, split
from pipeline.annotation.exchange.label_studio_results import encode
from pipeline.annotation.intake.intake import intake
from pipeline.annotation.intake.vote import RawVote
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import Round
from pipeline.contracts.task import answer_form


def _project(server: Studio, folder: Path, name: str) -> int:
    config = (folder / label_studio.CONFIG).read_text("utf-8")
    return server.project(name, config, (folder / label_studio.TASKS).read_bytes())


def _main(task: str, data: dict[str, Any]) -> str:
    return next(name for name in TASKS[task].fields if name in data)


def _results(task: str, round_: Round, value: Any, data: dict[str, Any]) -> list[dict[str, Any]]:
    spec = SPECS[task]
    layout = label_studio.layout_of(data, spec, _main(task, data))
    return encode(parts_of(spec, round_), split(value, spec, round_), layout)


def _renamed(results: list[dict[str, Any]], tag: str) -> list[dict[str, Any]]:
    """Return results with new ids, as the editor gives them when a prediction is taken over."""
    ids = ("id", "from_id", "to_id")
    return [{k: f"{tag}{v}" if k in ids else v for k, v in one.items()} for one in results]


def _annotate(server: Studio, name: str, task: int, results: list[dict[str, Any]]) -> None:
    body = {"result": results, "lead_time": 12.5, "ground_truth": False}
    ok(server.annotators[name][0].post(f"/api/tasks/{task}/annotations/", json=body))


@pytest.mark.parametrize(("task", "name"), ROUNDS)
def test_votes_survive(
    studio: Studio,
    tmp_path: Path,
    task: str,
    name: str,
) -> None:
    spec, round_ = SPECS[task], round_of(task, name)
    shown = {f"{task}-1": answer(task, round_)} if round_.answer == "verdict" else None
    label_studio.write(items(task, None, 2), spec=spec, round_=round_, folder=tmp_path, shown=shown)
    project = _project(studio, tmp_path, f"{task} {name}")
    first, second = studio.tasks(project)
    value = full(task, round_)
    results = _results(task, round_, value, first["data"])
    for who in NAMES:
        _annotate(studio, who, first["id"], _renamed(results, who))
    report = {"id": "r", "from_name": "report", "to_name": _main(task, first["data"])}
    report |= {"type": "choices", "value": {"choices": [spec.reports[0].id]}}
    _annotate(studio, "ann-02", second["id"], [report])

    export = tmp_path / "export.json"
    export.write_bytes(studio.export(project).content)
    ids = {str(number): who for who, (_, number) in studio.annotators.items()}
    read = list(label_studio.read(export, task=TASKS[task], spec=spec, annotators=ids))
    votes = [one.value for one in read if isinstance(one, RawVote)]
    assert len(votes) == len(read) == 3, read
    answers = {one["annotator"]: one for one in votes if one["item"] == f"{task}-1"}
    assert set(answers) == set(NAMES)
    parse = TASKS[task].parse
    for one in answers.values():
        wanted, got = (parse(v, FIELDS[task], spec, round_) for v in (value, one["label"]))
        assert unordered(got) == unordered(wanted)
        assert one["seconds"] == 12.5
        assert one["at"]
    (reported,) = [one for one in votes if one["item"] == f"{task}-2"]
    assert (reported["annotator"], reported["report"]) == ("ann-02", spec.reports[0].id)


@pytest.mark.parametrize(("task", "name"), ROUNDS)
def test_what_is_filled_in_arrives_as_a_prediction(
    studio: Studio,
    tmp_path: Path,
    task: str,
    name: str,
) -> None:
    spec, round_ = SPECS[task], round_of(task, name)
    earlier = spec.round(round_.after) if round_.after else None
    if earlier is not None and answer_form(spec, round_) != answer_form(spec, earlier):
        pytest.skip("what is shown is of another form, and told as a text")
    shown = {f"{task}-1": answer(task, round_)}
    label_studio.write(items(task), spec=spec, round_=round_, folder=tmp_path, shown=shown)
    (made,) = studio.tasks(_project(studio, tmp_path, f"shown {task} {name}"))
    assert made["annotations"] == []
    (prediction,) = ok(studio.owner.get(f"/api/predictions/?task={made['id']}"))
    assert prediction["result"]


def test_of_eight_ways_to_mark_names_those_that_clash_are_refused(
    studio: Studio, tmp_path: Path
) -> None:
    spec, round_, table = SPECS["ner"], round_of("ner", "tag"), items("ner", None, len(EIGHT))
    label_studio.write(table, spec=spec, round_=round_, folder=tmp_path)
    project = _project(studio, tmp_path, "ner marked")
    made = studio.tasks(project)
    for task, (marked, _) in zip(made, EIGHT.values(), strict=True):
        _annotate(studio, "ann-01", task["id"], regions(task["data"]["text"], marked))
    export = tmp_path / "export.json"
    export.write_bytes(studio.export(project).content)
    ids = {str(studio.annotators["ann-01"][1]): "ann-01"}
    votes = label_studio.read(export, task=TASKS["ner"], spec=spec, annotators=ids)
    taken = intake(votes, task=TASKS["ner"], spec=spec, items=table)
    assert taken.counts.rules == {"vote.range@1": 3}
    assert taken.counts.new == 5
