"""Planted leaks of each kind are found, and clean splits have none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from planted import TITLES, example, table, title

from pipeline.contracts.official.files import read_official
from pipeline.core import schemas
from pipeline.release.leakage.check import check

SPLITS = ("train", "dev", "test")


def _clean() -> list[dict[str, Any]]:
    return [title(f"{i}", SPLITS[i % 3], text) for i, text in enumerate(TITLES)]


def _leaks(rows: list[dict[str, Any]], task: str = "tc") -> list[tuple[Any, ...]]:
    found = check(table(rows), task=task)["leaks"].to_pylist()
    columns = ("kind", "left", "left_split", "right", "right_split", "stops")
    return [tuple(row[name] for name in columns) for row in found]


def test_clean_splits_have_no_leak_and_no_overlap() -> None:
    checked = check(table(_clean()), task="tc")
    assert checked["leaks"].num_rows == 0
    assert checked["ledger"].num_rows == 0
    told = [
        (r["left_split"], r["right"], r["n"], r["examples"], r["sharing"], r["mean"])
        for r in checked["overlaps"].to_pylist()
    ]
    assert told == [
        ("dev", "train", 4, 2, 0, 0.0),
        ("test", "train", 4, 2, 0, 0.0),
        ("test", "dev", 4, 2, 0, 0.0),
    ]


@pytest.mark.parametrize("left, right", [("dev", "train"), ("test", "train"), ("test", "dev")])
@pytest.mark.parametrize(
    "text, kind",
    [
        ("가람포 등대, 백년 만에 새단장 마치고 “시민에게 열린다”", "exact"),
        ("ｘ가람포 등대 백 년 만에 새 단장 마치고 시민에게 열린다", "near"),
        ("등대 백 년 만에 새 단장 마치고 시민에게", "contained"),
        (TITLES[0] + " 올해 안에 야간 개방과 전망대 매점 운영도 함께 추진하기로", "contained"),
    ],
)
def test_a_text_that_two_splits_share_is_found(left: str, right: str, text: str, kind: str) -> None:
    rows = [*_clean()[1:], title("a", right, TITLES[0]), title("b", left, text)]
    assert _leaks(rows) == [(kind, "tc-b", left, "tc-a", right, True)]


def test_within_one_split_nothing_leaks() -> None:
    rows = [*_clean(), title("b", "train", TITLES[0]), title("c", "train", TITLES[0] + "고")]
    assert _leaks(rows) == []


def test_five_words_are_too_few_to_be_contained() -> None:
    parts = {n: " ".join(TITLES[0].split()[:n]) for n in (5, 6)}
    assert _leaks([*_clean(), title("b", "test", parts[5])]) == []
    assert [row[0] for row in _leaks([*_clean(), title("b", "test", parts[6])])] == ["contained"]


def test_an_example_has_one_row_with_its_likest_text_on_the_right() -> None:
    rows = [
        title("a", "train", TITLES[0] + "고"),
        title("c", "train", TITLES[0]),
        title("b", "train", TITLES[0]),
        title("z", "test", TITLES[0]),
    ]
    assert _leaks(rows) == [("exact", "tc-z", "test", "tc-b", "train", True)]


def test_documents_and_groups_may_not_be_parted() -> None:
    clean = _clean()
    clean[1] |= {"documents": ["shared", *clean[1]["documents"]]}
    clean[0] |= {"documents": ["shared"]}
    clean[5] |= {"group": clean[4]["id"]}
    clean[4] |= {"group": clean[4]["id"]}
    assert _leaks(clean) == [
        ("document", "tc-1", "dev", "tc-0", "train", True),
        ("document", "tc-5", "test", "tc-4", "dev", True),
    ]


def test_a_pair_in_the_other_order_leaks() -> None:
    pairs = [("train", 0, 1), ("test", 1, 0), ("dev", 2, 3), ("test", 4, 3)]
    rows = [
        example(
            "sts", f"{i}", split, {"sentence1": TITLES[a], "sentence2": TITLES[b]}, {"label": 1}
        )
        for i, (split, a, b) in enumerate(pairs)
    ]
    assert _leaks(rows, "sts") == [
        ("exact", "sts-1", "test", "sts-0", "train", True),
        ("exact", "sts-3", "test", "sts-2", "dev", True),
    ]


def test_a_repeated_hypothesis_is_told_and_stops_nothing() -> None:
    pairs = [
        ("train", TITLES[0], "열린다!"),
        ("dev", TITLES[1], "열린다."),
        ("dev", TITLES[2], "닫는다"),
    ]
    rows = [
        example("nli", f"{i}", split, {"premise": premise, "hypothesis": hypothesis}, "neutral")
        for i, (split, premise, hypothesis) in enumerate(pairs)
    ]
    assert _leaks(rows, "nli") == [("hypothesis", "nli-1", "dev", "nli-0", "train", False)]


def _relation(name: str, split: str, text: str, subject: str, object_: str) -> dict[str, Any]:
    pair = {"subject": {"word": subject}, "object": {"word": object_}}
    return example("re", name, split, {"sentence": text, **pair}, "no_relation")


def test_a_relation_of_test_may_not_name_an_entity_of_train() -> None:
    rows = [
        _relation("a", "train", TITLES[0], "새봄 전자", "한도윤"),
        _relation("b", "dev", TITLES[1], "새봄 전자", "나래"),
        _relation("c", "test", TITLES[2], "다온", "새봄전자"),
        _relation("d", "test", TITLES[3], "다온", "가람포"),
    ]
    checked = check(table(rows), task="re")
    (leak,) = checked["leaks"].to_pylist()
    assert (leak["kind"], leak["left"], leak["right"], leak["score"]) == (
        "entity",
        "re-c",
        "re-a",
        0.5,
    )
    shares = {
        (r["left_split"], r["right"]): r["mean"]
        for r in checked["overlaps"].to_pylist()
        if r["n"] == 0
    }
    assert shares == {("dev", "train"): 0.5, ("test", "train"): 0.25, ("test", "dev"): 0.25}


def test_entities_of_sentences_are_only_counted() -> None:
    def sentence(name: str, split: str, text: str, end: int) -> dict[str, Any]:
        span = {"start": 0, "end": end, "label": "LC"}
        return example("ner", name, split, {"text": text}, [span] if end else [])

    rows = [
        sentence("a", "train", "가람포의 등대가 밝다", 3),
        sentence("b", "test", "가람포 감귤", 3),
        sentence("c", "test", "도담시 공원", 3),
        sentence("d", "test", "조용한 길", 0),
    ]
    checked = check(table(rows), task="ner")
    assert checked["leaks"].num_rows == 0
    counted = [r for r in checked["overlaps"].to_pylist() if r["n"] == 0 and r["right"] == "train"]
    assert [(r["left_split"], r["examples"], r["sharing"], r["mean"]) for r in counted] == [
        ("dev", 0, 0, 0.0),
        ("test", 2, 1, 0.5),
    ]


@pytest.mark.parametrize("task", ["mrc", "dst", "dp"])
def test_each_task_is_looked_at_by_its_own_text(task: str) -> None:
    made = {
        "mrc": lambda text: ({"title": "같은 제목", "context": text}, {"question": "무엇인가?"}),
        "dp": lambda text: ({"text": text, "words": text.split()}, {}),
        "dst": lambda text: (
            {"goal": "같은 목표"},
            {"turns": [{"text": part} for part in text.split(" ", 4)]},
        ),
    }[task]
    texts = [("train", TITLES[0]), ("dev", TITLES[1]), ("test", TITLES[0])]
    rows = [example(task, f"{i}", split, *made(text)) for i, (split, text) in enumerate(texts)]
    assert _leaks(rows, task) == [("exact", f"{task}-2", "test", f"{task}-0", "train", True)]


def test_rows_in_any_order_give_the_same_tables() -> None:
    rows = [*_clean(), title("b", "test", TITLES[0]), title("c", "dev", TITLES[0] + "고")]
    assert check(table(rows), task="tc") == check(table(rows[::-1]), task="tc")


@pytest.mark.full
def test_the_official_splits_of_nli_share_a_premise_and_three_hypotheses(data_dir: Path) -> None:
    rows = [
        example("nli", one["item"], split, json.loads(one["fields"]), one["gold"])
        for split in ("train", "dev")
        for one in read_official(
            "nli", data_dir / "klue" / f"klue-nli-v1.1_{split}.json"
        ).items.to_pylist()
    ]
    leaks = check(table(rows), task="nli")["leaks"].to_pylist()
    assert sorted(row["kind"] for row in leaks) == ["hypothesis"] * 3 + ["near"] * 3
    fields = {row["id"]: json.loads(row["fields"]) for row in rows}
    plain = [
        {_letters(one["hypothesis"]): name for name, one in fields.items() if split in name}
        for split in ("train", "dev")
    ]
    assert len(plain[0].keys() & plain[1].keys()) == 3
    near = {fields[row["left"]]["premise"] for row in leaks if row["kind"] == "near"}
    assert len(near) == 1


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def test_the_tables_have_their_schemas() -> None:
    checked = check(schemas.empty("examples"), task="tc")
    for name in ("leaks", "overlaps", "ledger"):
        schemas.check(checked[name], name)
    assert [row["examples"] for row in checked["overlaps"].to_pylist()] == [0, 0, 0]
