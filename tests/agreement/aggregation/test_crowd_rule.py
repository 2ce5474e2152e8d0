"""Dawid-Skene, MACE and GLAD as rules: their labels are those of crowd-kit called directly."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from small_votes import RE_RULE, count, end, ends, left_out, vote

from pipeline.core.errors import InputError, MissingDependencyError

LABELS = ("yes", "no", "maybe")
#: The classes as their own documentation calls them.
DIRECT: dict[str, Callable[[Any], Any]] = {
    "dawid_skene": lambda aggregation: aggregation.DawidSkene(n_iter=100),
    "mace": lambda aggregation: aggregation.MACE(n_restarts=1, random_state=0),
    "glad": lambda aggregation: aggregation.GLAD(),
}


@pytest.fixture(autouse=True)
def aggregation() -> Any:
    """Return what crowd-kit has for this, or skip; it takes seconds to import."""
    return pytest.importorskip("crowdkit.aggregation")


def _rule(name: str, **more: Any) -> dict[str, Any]:
    return {"rule": name, "roles": ["annotator"], "minimum": 2, "otherwise": "expert"} | more


def _rows(seed: int, items: int = 60) -> list[dict[str, Any]]:
    """Return votes of four good annotators and a contrary one, three to five an item."""
    chance, rows = random.Random(seed), []
    for n in range(items):
        truth = chance.choice(LABELS)
        others = [label for label in LABELS if label != truth]
        people = {f"good{i}": 0.8 for i in range(4)} | {"contrary": 0.1}
        for who in chance.sample(sorted(people), chance.randint(3, 5)):
            label = truth if chance.random() < people[who] else chance.choice(others)
            rows.append(vote(f"i{n:02}", who, label))
    return rows


@pytest.mark.parametrize("name", sorted(DIRECT))
def test_gold_is_that_of_the_library(name: str, aggregation: Any) -> None:
    import pandas

    rows = _rows(31, items=8)
    gold = ends(count("re", rows, rule=_rule(name)))
    # the library sees the votes in the order that any order of rows is brought into
    ordered = sorted((row["item"], row["annotator"], json.loads(row["label"])) for row in rows)
    frame = pandas.DataFrame(ordered, columns=["task", "worker", "label"])
    np.random.seed(0)
    random.seed(0)
    model = DIRECT[name](aggregation)
    table = model.fit_predict_proba(frame)
    for item, row in gold.items():
        assert row["rule"] == f"gold.{name}@1" and row["label"] == table.loc[item].idxmax()
        assert row["confidence"] == pytest.approx(table.loc[item].max(), abs=1e-5)
        soft = row["soft_label"] and json.loads(row["soft_label"])
        assert soft == pytest.approx(table.loc[item].to_dict(), abs=1e-5)
        assert sum(soft.values()) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("name", sorted(DIRECT))
def test_the_order_of_rows_and_global_chance_change_nothing(name: str) -> None:
    rows = _rows(32, items=8)
    first = count("re", rows, rule=_rule(name))
    random.Random(3).shuffle(rows)
    np.random.seed(9)
    assert count("re", rows, rule=_rule(name)).gold.equals(first.gold)


def test_a_model_sees_through_a_majority_of_contrary_annotators() -> None:
    """On most items everybody good agrees; on the last, one of them stands against two liars."""
    rows = []
    for n in range(30):
        truth, lie = ("yes", "no") if n % 2 else ("no", "yes")
        people = {f"good{i}": truth for i in range(4)} | {f"liar{i}": lie for i in range(2)}
        rows += [vote(f"i{n:02}", who, label) for who, label in people.items()]
    rows += [vote("z", who, said) for who, said in (("good0", "yes"), ("liar0", "no"))]
    rows.append(vote("z", "liar1", "no"))
    assert end(count("re", rows, rule=RE_RULE | {"otherwise": "expert"}), "z")[1] == "no"
    assert end(count("re", rows, rule=_rule("dawid_skene")), "z")[1] == "yes"


def test_few_votes_ties_and_votes_without_names_wait() -> None:
    rows = [vote(item, f"w{i}", x) for item in "ab" for i, x in enumerate(("yes", "no"))]
    rows += [vote("c", "w1", "yes"), *(vote("d", None, "yes", seat=f"s{i}") for i in range(2))]
    found = count("re", rows, rule=_rule("dawid_skene"))
    assert end(found, "a") == ("unresolved", None, "tie", "expert")
    assert end(found, "c") == ("unresolved", None, "too_few_votes", "votes")
    assert end(found, "d") == ("unresolved", None, "no_named_votes", "votes")
    removed = count("re", rows, rule=_rule("dawid_skene", otherwise="removed"))
    assert end(removed, "a") == ("removed", None, "tie", None)
    assert ("a", "gold.dawid_skene@1", "drop") in left_out(removed)


def test_one_label_alone_is_certain() -> None:
    rows = [vote("a", f"w{i}", "yes") for i in range(3)]
    row = ends(count("re", rows, rule=_rule("glad")))["a"]
    assert (row["label"], row["confidence"]) == ("yes", 1.0)


def test_one_annotator_is_an_error_that_says_what_to_do() -> None:
    rows = [vote(f"i{n}", "w1", "yes") for n in range(3)]
    with pytest.raises(InputError, match="compares annotators, and 1 of those") as caught:
        count("re", rows, rule=_rule("mace"))
    assert "decide by majority" in str(caught.value)


def test_an_expert_settles_what_a_model_leaves_open() -> None:
    rows = [vote(item, f"w{i}", x) for item in "ab" for i, x in enumerate(("yes", "no"))]
    rows.append(vote("a", "chief", "yes", role="expert", round="adjudicate"))
    row = ends(count("re", rows, rule=_rule("dawid_skene")))["a"]
    assert (row["label"], row["rule"], row["agreement"]) == ("yes", "gold.adjudicate@1", 0.5)
    assert row["confidence"] is None and json.loads(row["soft_label"])["yes"] == 0.5


def test_without_crowd_kit_the_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for absent in ("crowdkit.aggregation", "pandas"):
        monkeypatch.setitem(sys.modules, absent, None)
    with pytest.raises(MissingDependencyError, match=r"install .*\[crowd\]"):
        count("re", _rows(33, items=5), rule=_rule("glad"))
