"""Dawid-Skene, MACE and GLAD stand beside the majority and decide nothing."""

from __future__ import annotations

import json
import random
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_votes import RE_RULE, count, ends, vote

from pipeline.agreement.aggregation.aggregate import Aggregated
from pipeline.agreement.aggregation.crowd_models import MODELS
from pipeline.core.errors import InputError, MissingDependencyError
from pipeline.core.extras import install_command

RULE = RE_RULE | {"otherwise": "expert", "minimum": 1}


@pytest.fixture(scope="module", autouse=True)
def _is_installed() -> None:
    pytest.importorskip("crowdkit")


def _rows() -> list[dict[str, Any]]:
    """Return 16 items with a good majority; three people always agree on their wrong answer."""
    chance = random.Random(5)
    rows = []
    for n in range(16):
        truth = chance.choice(["yes", "no"])
        other = "no" if truth == "yes" else "yes"
        for i in range(4):
            rows.append(vote(f"i{n:02}", f"good{i}", truth if chance.random() < 0.9 else other))
        rows.append(vote(f"i{n:02}", "liar", other))
    return rows


@cache
def _of_all_models() -> Aggregated:
    return count("re", _rows(), rule=RULE, crowd="all")


@pytest.mark.parametrize("name", sorted(MODELS))
def test_a_model_is_evidence_and_changes_no_gold(name: str) -> None:
    plain = count("re", _rows(), rule=RULE)
    found = _of_all_models()
    for item, row in ends(found).items():
        before = ends(plain)[item]
        guess = row["evidence"].pop("crowd")[name]
        assert row == before
        assert guess["label"] in ("yes", "no")
        assert 0.5 <= guess["probability"] <= 1
    facts = found.summary["crowd"][name]
    assert facts["items"] == facts["compared"] + found.summary["unresolved"] == 16
    assert facts["differ"] == sum(
        cell["items"] for cell in facts["table"] if cell["status"] == "gold"
    )


def test_the_model_that_is_asked_for_stands_alone_as_it_stands_among_all() -> None:
    name = "dawid_skene"
    alone, every = (
        [row["evidence"]["crowd"] for row in ends(found).values()]
        for found in (count("re", _rows(), rule=RULE, crowd=name), _of_all_models())
    )
    assert alone == [{name: guesses[name]} for guesses in every]


def test_dawid_skene_on_the_published_toy_votes(data_dir: Path) -> None:
    """Case 096 of the published ones: the labels that crowd-kit's own test expects."""
    cases = json.loads((data_dir / "agreement" / "published_cases.json").read_text("utf-8"))
    (case,) = [one for one in cases["cases"] if one["id"] == "096"]
    matrix = cases["data"][case["data"]]
    rows = [
        vote(f"t{unit}", f"w{who}", label)
        for who, labels in enumerate(matrix)
        for unit, label in enumerate(labels)
        if label is not None
    ]
    found = ends(count("re", rows, rule=RULE, crowd="dawid_skene"))
    labels = [found[item]["evidence"]["crowd"]["dawid_skene"]["label"] for item in sorted(found)]
    assert labels == case["expected"]


def test_the_table_says_where_a_model_differs() -> None:
    """Two liars and one honest person: the majority believes the liars, and so do the models."""
    found = _of_all_models().summary["crowd"]
    assert sorted(found) == sorted(MODELS)
    for facts in found.values():
        assert facts["differ"] <= facts["compared"]
        assert facts["table"] == sorted(facts["table"], key=lambda cell: -cell["items"])


def test_global_chance_is_left_as_it_was_and_the_result_is_the_same() -> None:
    first = _of_all_models()
    random.seed(2)
    np.random.seed(2)
    mixed = _rows()
    random.shuffle(mixed)
    before = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[union-attr]
    second = count("re", mixed, rule=RULE, crowd="all")
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # type: ignore[union-attr]
    assert second.gold.equals(first.gold)
    assert second.summary == first.summary


def test_labels_that_look_like_truth_values_are_texts() -> None:
    rows = [{**row, "label": '"1"' if row["label"] == '"yes"' else '"0"'} for row in _rows()]
    named = _of_all_models().summary["crowd"]
    coded = count("re", rows, rule=RULE, crowd="all").summary["crowd"]
    assert {k: v["differ"] for k, v in coded.items()} == {k: v["differ"] for k, v in named.items()}


def test_votes_without_names_give_a_reason_and_no_result() -> None:
    rows = [vote("a", None, "yes", seat=f"s{i}") for i in range(3)]
    found = count("re", rows, rule=RULE, crowd="dawid_skene")
    assert found.summary["crowd"]["dawid_skene"] == {
        "reason": "the votes have no annotators to tell apart"
    }
    one = [vote("a", f"w{i}", "yes") for i in range(3)]
    facts = count("re", one, rule=RULE, crowd="glad").summary["crowd"]["glad"]
    assert facts == {"reason": "all votes name one label"}


def test_a_tie_of_a_model_is_no_label() -> None:
    rows = [
        vote("a", "w1", "yes"),
        vote("a", "w2", "no"),
        vote("b", "w1", "yes"),
        vote("b", "w2", "no"),
    ]
    found = ends(count("re", rows, rule=RULE, crowd="dawid_skene"))
    assert found["a"]["evidence"]["crowd"]["dawid_skene"] == {"label": None, "probability": 0.5}


def test_without_crowd_kit_the_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for absent in ("crowdkit.aggregation", "pandas"):  # a light installation has neither
        monkeypatch.setitem(sys.modules, absent, None)
    with pytest.raises(MissingDependencyError) as caught:
        count("re", _rows(), rule=RULE, crowd="mace")
    assert install_command("crowd") in str(caught.value)


def test_other_names_and_scores_are_refused() -> None:
    with pytest.raises(InputError, match="allowed: dawid_skene, mace, glad"):
        count("re", _rows(), rule=RULE, crowd="kos")
    with pytest.raises(InputError, match="categories"):
        count("sts", [vote("a", "w1", 3)], crowd="mace")
