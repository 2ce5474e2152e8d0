"""Spans as people mark them: eight answers about one sentence, as Label Studio exports them.

tests/label_studio/check_label_studio.py posts the same eight to a real server.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from exchange_real import EXPORTS, annotation, read
from exchange_samples import FIELDS, SPECS, items
from marked_answers import EIGHT, regions

from pipeline.annotation.exchange.marked_spans import tidy_spans
from pipeline.annotation.intake.intake import Taken, intake
from pipeline.contracts.registry import TASKS
from pipeline.core.errors import RecordError

TEXT = FIELDS["ner"]["text"]


def _take_export(folder: Path, results: list[dict[str, Any]]) -> Taken:
    export = json.loads(json.dumps(EXPORTS["ner tag"]))
    annotation(export)["result"] = results
    path = folder / "export.json"
    path.write_text(json.dumps(export), "utf-8")
    return intake(read(path, "ner"), task=TASKS["ner"], spec=SPECS["ner"], items=items("ner"))


@pytest.mark.parametrize("name", EIGHT)
def test_what_is_clear_is_taken_and_what_is_not_has_a_reason(tmp_path: Path, name: str) -> None:
    marked, wanted = EIGHT[name]
    taken = _take_export(tmp_path, regions(TEXT, marked))
    if isinstance(wanted, str):
        assert [(r["line"], r["rule"]) for r in taken.ledger.to_pylist()] == [(1, "vote.range@1")]
        assert wanted in taken.ledger["reason"][0].as_py()
    else:
        (label,) = taken.votes["label"].to_pylist()
        spans = [(s["start"], s["end"], s["label"]) for s in json.loads(label)]
        assert [(TEXT[start:end], type_) for start, end, type_ in spans] == wanted


def test_a_span_of_blanks_is_refused(tmp_path: Path) -> None:
    taken = _take_export(tmp_path, regions(TEXT, [(1, 2, "PS")]))
    assert taken.ledger["rule"].to_pylist() == ["exchange.offset@1"]


def test_what_lies_outside_the_text_is_left_for_the_task_to_refuse() -> None:
    outside = [{"start": -2, "end": 3, "label": "PS"}, {"start": 0, "end": 90, "label": "PS"}]
    assert tidy_spans(outside, "a b") == outside
    with pytest.raises(RecordError, match="blanks"):
        tidy_spans([{"start": 1, "end": 2, "label": "PS"}], "a b")
