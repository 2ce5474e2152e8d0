"""The stage `distances`: every gold pair scored by a classifier that has not seen its premise."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pipeline.core import running, schemas, store
from pipeline.core.errors import InputError
from pipeline.core.jsontext import canonical
from pipeline.core.stage import Call, call
from pipeline.tasks.nli.before_split import scores_of

MODULE = "pipeline.tasks.nli.before_split"
LABELS = ["entailment", "contradiction", "neutral"]
PARAMS = {"seed": 7, "labels": LABELS, "classifier": "linear", "folds": 5}
#: Hypotheses whose last words give the label away, and those that give nothing away.
TELLING = {
    "entailment": "{}번 가게가 문을 연 것이 틀림없다.",
    "contradiction": "{}번 가게는 결코 문을 열지 않았다.",
    "neutral": "{}번 가게 주인은 아마 바다를 좋아할 것이다.",
}
EVEN = "{}번 가게가 보인다."


def _tables(sets: int) -> tuple[pa.Table, pa.Table]:
    """Return pairs and their gold: of odd premises the hypotheses tell nothing."""
    items: list[dict[str, object]] = []
    gold: list[dict[str, object]] = []
    for n in range(sets):
        premise = f"nli-c{n:020x}"
        for place, label in enumerate(LABELS):
            name = f"{premise}.{place:08x}"
            text = (EVEN if n % 2 else TELLING[label]).format(n * 10 + place)
            fields = {"premise": f"{n}번 가게가 아침에 문을 열었다.", "hypothesis": text}
            items.append({"item": name, "task": "nli", "source": "policy",
                          "fields": canonical(fields),
                          "meta": canonical({"origin": premise})})  # fmt: skip
            gold.append({"item": name, "task": "nli", "status": "gold", "votes": 5,
                         "rule": "gold.majority@1", "simulated": False,
                         "label": canonical(label)})  # fmt: skip
    return schemas.build("items", items), schemas.build("gold", gold)


def _done(folder: Path, items: pa.Table, gold: pa.Table, **params: Any) -> Call:
    places = folder / "answered", folder / "gold"
    for place, name, table in zip(places, ("items", "gold"), (items, gold), strict=True):
        place.mkdir(parents=True)
        store.write_table(place, name, "all", table)
    planned = call(MODULE, work=folder, source="nli", params={**PARAMS, **params})
    done = replace(planned, inputs=places)
    running.complete(done)
    return done


def _rows(done: Call) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = store.read_all(done.folder, "distances").to_pylist()
    return sorted(rows, key=lambda row: str(row["item"]))


def test_a_distance_is_what_the_paper_defines(tmp_path: Path) -> None:
    """-1/3 of the sum of log p over the classes; at least log 3; probabilities sum to one."""
    for row in _rows(_done(tmp_path, *_tables(30))):
        assert row["distance"] == pytest.approx(-sum(row["log_p"]) / 3, abs=2e-6)
        assert row["distance"] >= math.log(3) - 2e-6
        assert sum(map(math.exp, row["log_p"])) == pytest.approx(1, abs=1e-4)


def test_hypotheses_that_tell_nothing_are_nearer_the_ideal(tmp_path: Path) -> None:
    means: dict[bool, list[float]] = defaultdict(list)
    for row in _rows(_done(tmp_path, *_tables(60))):
        means[int(row["item"][5:25], 16) % 2 == 1].append(row["distance"])
    assert max(means[True]) < sum(means[False]) / len(means[False])


def test_only_gold_pairs_are_scored(tmp_path: Path) -> None:
    items, gold = _tables(30)
    rows = gold.to_pylist()
    for row in rows[:3]:
        row.update(status="unresolved", label=None)
    rows[3].update(status="removed", label=None)
    done = _done(tmp_path, items, schemas.build("gold", rows))
    names = [row["item"] for row in _rows(done)]
    assert names == sorted(row["item"] for row in rows[4:])
    assert store.read_all(done.folder, "ledger").num_rows == 0


def test_the_folds_one_by_one_give_what_all_at_once_give(tmp_path: Path) -> None:
    """Each fold is a shard of its own, so that processes share them; none knows of the others."""
    items, gold = _tables(20)
    done = _done(tmp_path, items, gold)
    assert len(store.tables(done.folder, "distances")) == PARAMS["folds"]
    fields = [json.loads(row["fields"]) for row in items.to_pylist()]
    scores = scores_of(
        [each["hypothesis"] for each in fields],
        [json.loads(row["meta"])["origin"] for row in items.to_pylist()],
        [json.loads(row["label"]) for row in gold.to_pylist()],
        LABELS,
        seed=7,
    )
    assert [row["log_p"] for row in _rows(done)] == scores.tolist()


def test_order_and_repetition_make_no_difference(tmp_path: Path) -> None:
    items, gold = _tables(20)
    turned = [one.take(pa.array(range(one.num_rows - 1, -1, -1))) for one in (items, gold)]
    one, two = _done(tmp_path / "one", items, gold), _done(tmp_path / "two", *turned)
    assert _rows(one) == _rows(two)


def test_the_classifier_has_not_seen_the_premise(tmp_path: Path) -> None:
    """Every premise has a word of its own in its three hypotheses and one label only it has.

    A classifier that had seen other pairs of the premise would know the label by that word.
    """
    items, gold = _tables(40)
    rows, answers = items.to_pylist(), gold.to_pylist()
    for n, (row, answer) in enumerate(zip(rows, answers, strict=True)):
        label = LABELS[n // 3 % 3]
        text = f"표식{n // 3:03d} 표식{n // 3:03d} 표식{n // 3:03d}"
        row["fields"] = canonical({"premise": f"{n // 3}번 가게다.", "hypothesis": text})
        answer["label"] = canonical(label)
    found = _rows(_done(tmp_path, schemas.build("items", rows), schemas.build("gold", answers)))
    right = [
        max(range(3), key=row["log_p"].__getitem__) == LABELS.index(answer["label"].strip('"'))
        for row, answer in zip(found, answers, strict=True)
    ]
    assert sum(right) / len(right) < 0.6


def test_too_few_pairs_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="pairs are too few"):
        _done(tmp_path, *_tables(1))
