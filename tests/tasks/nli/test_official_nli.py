from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from official_files import NLI, as_text, changed, column, golds, saved

from pipeline.contracts.spec import load_spec
from pipeline.tasks.nli.official import LABELS, SEATS, read, write


def test_labels_round_and_roles_are_those_of_the_spec() -> None:
    spec = load_spec("nli")
    assert set(spec.ids()) == set(LABELS)
    assert spec.round("validate") is not None
    assert {"author", "validator"} <= {round_.role for round_ in spec.rounds}


def test_an_anonymous_author_and_four_validators(tmp_path: Path) -> None:
    found = read(saved(tmp_path, as_text(NLI)))
    assert column(found, "votes", "seat") == [*SEATS, *SEATS]
    assert column(found, "votes", "role")[:5] == ["author"] + ["validator"] * 4
    assert set(column(found, "votes", "round")) == {"validate"}
    assert set(column(found, "votes", "annotator")) == {None}
    assert column(found, "votes", "label")[3] == "neutral"
    assert column(found, "votes", "source")[:5] == ["nsmc"] * 5


def test_the_source_keeps_the_name_of_its_key(tmp_path: Path) -> None:
    dev = [
        {("source" if key == "genre" else key): value for key, value in one.items()} for one in NLI
    ]
    found = read(saved(tmp_path, as_text(dev)))
    assert found.form == "source"
    assert found.items == read(saved(tmp_path, as_text(NLI))).items
    write(found, tmp_path / "out.json")
    assert '"genre"' not in (tmp_path / "out.json").read_text("utf-8")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"label4": "maybe"}, "'label4' is none of entailment, contradiction, neutral"),
        ({"label4": None}, "lacks the key 'label4'"),
        ({"gold_label": "-"}, "'gold_label' is none of entailment, contradiction, neutral"),
        ({"genre": None}, "lacks the key 'genre'"),
        ({"premise": 5}, "'premise' must be str, given: int"),
    ],
)
def test_faulty_records_stand_in_problems(
    change: dict[str, object], reason: str, tmp_path: Path
) -> None:
    found = read(saved(tmp_path, changed(NLI, 1, **change)))
    assert [(p.line, p.reason) for p in found.problems] == [(2, reason)]
    assert found.votes.num_rows == 5


@pytest.mark.parametrize(("name", "pairs"), [("train", 24998), ("dev", 3000)])
def test_three_of_five_are_the_official_label(name: str, pairs: int, data_dir: Path) -> None:
    found = read(data_dir / "klue" / f"klue-nli-v1.1_{name}.json")
    assert (found.items.num_rows, found.votes.num_rows) == (pairs, 5 * pairs)
    labels, gold = column(found, "votes", "label"), golds(found)
    for place in range(pairs):
        label, count = Counter(labels[5 * place : 5 * place + 5]).most_common(1)[0]
        assert label == gold[place] and count >= 3
