"""Samples are read back as a whole: every fault with its file and line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.contracts.example import Example
from pipeline.contracts.spec import load_spec
from pipeline.core.errors import InputError
from pipeline.scoring.harness.folder import PROMPTS, rows_of
from pipeline.scoring.harness.runtime import document, results_of
from pipeline.scoring.harness.samples import Samples, read_samples
from pipeline.scoring.scorer import gold_of, scorer_of

TOPICS = ("정치", "경제", "스포츠")
EXAMPLES = [
    Example(f"ynat-{place}", "yna", {"title": f"제목 {place}"}, [topic])
    for place, topic in enumerate(TOPICS)
]
SPEC = load_spec("tc")
GOLD = gold_of(EXAMPLES, scorer_of("tc"), SPEC)
RELEASE = "0123456789abcdef"
ABOUT = {"task": "tc", "release": RELEASE, "labels": PROMPTS["tc"].labels(SPEC)}
Row = dict[str, Any]


def samples(form: str = "plain", mode: str = "gen", answers: Iterable[Any] = TOPICS) -> list[Row]:
    """Return the lines that the harness logs of a run over test."""
    prompt = PROMPTS["tc"].prompt(form, mode)
    rows = rows_of(EXAMPLES, PROMPTS["tc"], "test")
    return [
        {"doc": document(row._asdict(), prompt, ABOUT, "test"), "filter": "none"}
        | {"filtered_resps": [answer] if mode == "gen" else answer}
        for row, answer in zip(rows, answers, strict=True)
    ]


def read(folder: Path, rows: Iterable[Row], *, text: str = "") -> Samples:
    """Write lines and read them back."""
    path = folder / "samples.jsonl"
    lines = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    path.write_text(lines + text, "utf-8")
    return read_samples(path, GOLD, release=RELEASE, split="test")


def test_answers_are_put_in_the_order_of_the_gold(tmp_path: Path) -> None:
    found = read(tmp_path, reversed(samples()))
    assert [prediction.label for prediction in found.predictions] == list(TOPICS)
    assert found.unparsed == 0


def test_an_answer_that_cannot_be_read_is_of_no_class_and_counted(tmp_path: Path) -> None:
    found = read(tmp_path, samples(answers=("(정치).\n그 밖의 말", "정치와 경제", "")))
    assert [prediction.label for prediction in found.predictions] == ["정치", "", ""]
    assert found.unparsed == pytest.approx(200 / 3)
    score = GOLD.measures(found.predictions, "klue")["macro_f1"]
    assert not isinstance(score, str)
    # each class has F1 1, 0 and 0; "" is no fourth class
    assert score(np.ones((1, 3)))[0] == pytest.approx(100 / 3)


def test_choices_are_compared_and_an_undefined_likelihood_is_no_answer(tmp_path: Path) -> None:
    labels = list(ABOUT["labels"])
    right = [
        [["-1.5" if name == topic else "-9.25", "False"] for name in labels] for topic in TOPICS
    ]
    found = read(tmp_path, samples(mode="mc", answers=right))
    assert [prediction.label for prediction in found.predictions] == list(TOPICS)
    right[1][0][0] = "nan"
    found = read(tmp_path, samples(mode="mc", answers=right))
    assert (found.predictions[1].label, found.unparsed) == ("", pytest.approx(100 / 3))


def change(place: int, **changes: Any) -> Callable[[list[Row]], list[Row]]:
    """Return a function that changes the document of a line."""

    def changed(rows: list[Row]) -> list[Row]:
        rows[place]["doc"] |= changes
        return rows

    return changed


FAULTS: dict[str, tuple[Callable[[list[Row]], list[Row]], str]] = {
    "another release": (
        change(1, release="f" * 64),
        "line 2: its release is another, that of the gold is 0123",
    ),
    "another task": (change(0, task="nli"), "line 1: its task is 'nli', that of the gold is tc"),
    "another split": (
        change(0, split="validation"),
        "line 1: its split is 'validation', that of the gold is test",
    ),
    "an unknown form": (change(2, form="mine"), "line 3: is of an unknown prompt; known: plain"),
    "two prompts": (
        lambda rows: [*rows[:2], samples("polyglot", "mc", [[]] * 3)[2]],
        "line 3: is of the prompt polyglot (mc), lines before of plain (gen)",
    ),
    "an edited prompt": (change(1, prompt="제목?"), "line 2: guid ynat-1: was asked with another"),
    "doubled": (lambda rows: [*rows, rows[0]], "line 4: guid ynat-0 stands here again, first in"),
    "limited": (lambda rows: rows[:2], "guid ynat-2 lacks its answer; was the run cut off"),
    "unknown guid": (change(0, guid="ynat-9"), "line 1: its guid is not in the gold"),
    "no part": (change(0, part=3), "line 1: guid ynat-0: `doc.part` is 3"),
    "a filter": (
        lambda rows: [rows[0] | {"filter": "strict"}, *rows[1:]],
        "line 1: is of the filter 'strict'",
    ),
    "no answer": (
        lambda rows: [rows[0] | {"filtered_resps": []}, *rows[1:]],
        "line 1: guid ynat-0: `filtered_resps` is a list of 0 values, not one text",
    ),
    "other files": (
        lambda rows: [{"guid": row["doc"]["guid"], "label": "정치"} for row in rows],
        "line 1: is no sample of",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_with_its_line(tmp_path: Path, fault: str) -> None:
    damage, message = FAULTS[fault]
    with pytest.raises(InputError) as error:
        read(tmp_path, damage(samples()))
    assert message in str(error.value)
    assert "제목" not in str(error.value)  # no text in clear


def test_a_file_cut_in_the_middle(tmp_path: Path) -> None:
    whole = json.dumps(samples()[2], ensure_ascii=False)
    with pytest.raises(InputError, match="line 3: is not one JSON object"):
        read(tmp_path, samples()[:2], text=whole[:50])
    with pytest.raises(InputError, match="holds no sample"):
        read(tmp_path, [])


def test_documents_of_test_are_counted_for_unparsed_alone() -> None:
    (doc, *_) = (row["doc"] for row in samples())
    assert (doc["gold"], doc["target"]) == (None, "(비공개)")
    assert results_of(PROMPTS["tc"], doc, ["정치"]) == {"unparsed": [0.0, 1.0]}
