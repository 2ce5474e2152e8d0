"""Stages `score` and `toxicity` through the store, as a build runs them."""

from __future__ import annotations

import math
from pathlib import Path

import pyarrow as pa
import pytest
from train_toxicity import Release

from pipeline.core import schemas, store
from pipeline.core.errors import InputError, StoreError
from pipeline.core.running import complete
from pipeline.core.stage import Call, call
from pipeline.corpus.toxicity import scoring
from pipeline.corpus.toxicity.scoring import load
from pipeline.corpus.toxicity.screening import screen

SCORE = "pipeline.corpus.toxicity.scoring"
SCREEN = "pipeline.corpus.toxicity.screening"
TEXTS = (
    "솔마을 가수 노래가 참 좋다",
    "여자 주제에 설치네",
    "쓰레기 같은 놈",
    "여자 주제에 쓰레기 같은 놈",
)


def _units(texts: tuple[str, ...] = TEXTS, first: int = 0) -> pa.Table:
    rows = [
        {
            "id": f"toy-s{first + i:04d}",
            "source": "toy",
            "document": "toy-d0",
            "kind": "sentence",
            "ordinal": i,
            "start": 0,
            "end": len(text),
            "text": text,
        }
        for i, text in enumerate(texts)
    ]
    return schemas.build("units", rows)


def _scores(units: pa.Table, pairs: list[tuple[float, float]]) -> pa.Table:
    bias, hate = zip(*pairs, strict=True) if pairs else ((), ())
    columns = [units["id"], units["source"], pa.array(bias, pa.float64())]
    return pa.table([*columns, pa.array(hate, pa.float64())], schema=schemas.SCORES)


class _Stored:
    """Two shards of units in a folder, and calls of the two stages on them."""

    def __init__(self, folder: Path, spec: str) -> None:
        self.work, self.spec = folder / "work", spec
        self.units = folder / "store" / "toy" / "clean-0"
        self.units.mkdir(parents=True)
        store.write_table(self.units, "units", "00000", _units())
        store.write_table(self.units, "units", "00001", _units(TEXTS[:2], 4))
        self.clean = Call("clean", "pipeline.corpus.cleaning", "toy", self.units, "f" * 64)

    def score(self, digest: str | None = None) -> Call:
        return call(
            SCORE,
            work=self.work,
            source="toy",
            inputs=(self.clean,),
            params={"detector": "linear", "digest": digest or load(self.spec).digest},
            arguments={"detector": self.spec},
        )

    def screen(self, scored: Call, thresholds: dict[str, float]) -> Call:
        inputs = (self.clean, scored)
        return call(SCREEN, work=self.work, source="toy", inputs=inputs, params=thresholds)


@pytest.fixture
def stored(tmp_path: Path, weights: tuple[Path, Release]) -> _Stored:
    return _Stored(tmp_path, f"linear:{weights[0]}")


def test_scores_are_stored_beside_the_units(stored: _Stored, weights: tuple[Path, Release]) -> None:
    made = stored.score()
    complete(made)
    found = store.read_all(made.folder, "scores")
    units = store.read_all(stored.units, "units")
    assert found["unit"].to_pylist() == units["id"].to_pylist()
    wanted = weights[1].model.score(units["text"].combine_chunks())
    assert found.select(["gender_bias", "hate"]).to_pydict() == wanted.to_pydict()
    assert store.read_all(made.folder, "ledger").num_rows == 0


def test_units_without_a_score_stay() -> None:
    """What is not Korean is not judged, whatever the thresholds."""
    units = _units()
    scores = _scores(units, [(0.9, 0.1), (0.1, 0.1), (0.1, 0.9), (0.9, 0.9)])
    nulls = pa.nulls(1, pa.float64())
    for i, name in enumerate(("gender_bias", "hate"), start=2):
        known = scores[name].slice(1).combine_chunks()
        scores = scores.set_column(i, name, pa.concat_arrays([nulls, known]))
    kept, ledger = screen(units, scores, {"gender_bias": 0.0, "hate": 0.0})
    assert kept["id"].to_pylist() == units["id"].to_pylist()[:1]
    assert ledger.num_rows == 3


def test_foreign_units_are_stored_without_scores_and_stay(stored: _Stored) -> None:
    foreign = _units(("Women are great.", TEXTS[2]), 6)
    store.write_table(stored.units, "units", "00002", foreign)
    scored = stored.score()
    complete(scored)
    found = store.read_table(scored.folder / "scores-00002.parquet", "scores")
    assert found["hate"].is_valid().to_pylist() == [False, True]
    screened = stored.screen(scored, {"gender_bias": 0.0, "hate": 0.0})
    complete(screened)
    kept = store.read_all(screened.folder, "units")["text"].to_pylist()
    assert kept == ["Women are great."]


def test_another_threshold_needs_no_other_scores(stored: _Stored) -> None:
    scored = stored.score()
    complete(scored)
    strict = stored.screen(scored, {"gender_bias": 0.0, "hate": 0.0})
    lenient = stored.screen(scored, {"gender_bias": 1.1, "hate": 1.1})
    for made in (strict, lenient):
        complete(made)
    assert strict.fingerprint != lenient.fingerprint
    assert store.read_all(strict.folder, "units").num_rows == 0
    assert store.read_all(lenient.folder, "units").num_rows == 6
    ledger = store.read_all(strict.folder, "ledger")
    assert ledger["unit"].to_pylist() == store.read_all(stored.units, "units")["id"].to_pylist()


def test_other_weights_than_planned_are_refused(stored: _Stored) -> None:
    with pytest.raises(StoreError, match="the plan was made with 000000000000"):
        complete(stored.score("0" * 64))


def test_a_missing_model_is_told(tmp_path: Path) -> None:
    stored = _Stored(tmp_path, f"linear:{tmp_path}/none")
    with pytest.raises(InputError, match="no such file"):
        complete(stored.score("0" * 64))


def test_a_detector_is_loaded_once(stored: _Stored) -> None:
    scoring._detector.cache_clear()
    complete(stored.score())
    assert scoring._detector.cache_info().misses == 1


def test_scores_of_other_units_are_refused(stored: _Stored) -> None:
    scored = stored.score()
    complete(scored)
    path = scored.folder / "scores-00000.parquet"
    swapped = store.read_table(path, "scores").take([1, 0, 2, 3])
    store.write_parquet(path, swapped)
    with pytest.raises(StoreError, match=r"the scores are not those of .* the ids differ"):
        complete(stored.screen(scored, {"gender_bias": 0.5, "hate": 0.9}))


def test_units_at_a_threshold_leave_once() -> None:
    units = _units()
    pairs = [(0.499999, 0.899999), (0.5, 0.1), (0.2, 0.9), (0.731, 0.95)]
    kept, ledger = screen(units, _scores(units, pairs), {"gender_bias": 0.5, "hate": 0.9})
    assert kept["id"].to_pylist() == ["toy-s0000"]
    rows = ledger.select(["unit", "rule", "score", "reason"]).to_pylist()
    assert [tuple(row.values()) for row in rows] == [
        ("toy-s0001", "toxicity.gender_bias@1", 0.5, "gender bias 0.5 is at or above 0.5"),
        ("toy-s0002", "toxicity.hate@1", 0.9, "hate 0.9 is at or above 0.9"),
        (
            "toy-s0003",
            "toxicity.gender_bias@1",
            0.731,
            "gender bias 0.731 is at or above 0.5; hate 0.95 is at or above 0.9",
        ),
    ]
    assert set(ledger["stage"].to_pylist()) == {"toxicity"}
    assert set(ledger["action"].to_pylist()) == {"drop"}


def test_reasons_hold_no_text() -> None:
    units = _units()
    _, ledger = screen(units, _scores(units, [(1, 1)] * 4), {"gender_bias": 0.5, "hate": 0.9})
    told = " ".join(ledger["reason"].to_pylist())
    assert not any(text in told for text in TEXTS)


@pytest.mark.parametrize("score", [math.nan, math.inf, None])
@pytest.mark.parametrize("at", [0, 1])
def test_scores_that_are_no_numbers_are_refused(score: float | None, at: int) -> None:
    """NaN reaches no threshold: its unit would stay."""
    units = _units()
    table = _scores(units, [(0.1, 0.1)] * 4)
    name = ("gender_bias", "hate")[at]
    column = pa.array([0.1, 0.1, score, 0.1], pa.float64())
    table = table.set_column(table.schema.get_field_index(name), name, column)
    with pytest.raises(StoreError, match=f"{name}: the scores of 1 unit, such as toy-s0002"):
        screen(units, table, {"gender_bias": 0.5, "hate": 0.9})


def test_no_units_are_no_fault() -> None:
    units = _units(())
    kept, ledger = screen(units, _scores(units, []), {"gender_bias": 0.5, "hate": 0.9})
    assert (kept.num_rows, ledger.num_rows) == (0, 0)
    assert ledger.schema == schemas.LEDGER
