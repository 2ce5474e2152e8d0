"""Drift: the trend of agreement and bias over an annotator's own votes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import pearsonr
from vote_tables import grid, table

from pipeline.agreement.annotators.effects import ENOUGH, drift
from pipeline.agreement.annotators.others import others
from pipeline.agreement.votes.selection import Selection, select


def _worsening(votes: int, *, at: bool) -> Selection:
    """p0 says what the others say in the first half of their votes, and never in the second."""
    start = datetime(2024, 5, 1, tzinfo=UTC)
    rows = []
    for item in range(votes):
        more = {"at": start - timedelta(minutes=item)} if at else {}
        label = "x" if item < votes // 2 else "z"
        rows += [(f"i{item:03d}", "p0", label, more)]
        rows += [(f"i{item:03d}", f"p{who}", "x", more) for who in (1, 2, 3)]
    return select(table(rows), level="nominal")


def test_agreement_falls_by_rows_and_rises_by_times_that_run_backwards() -> None:
    for at, early, late in ((False, 1.0, 0.0), (True, 0.0, 1.0)):
        selection = _worsening(60, at=at)
        found = drift(selection, others(selection.ratings, numeric=False))
        assert found.order[0] == ("time" if at else "rows")
        assert (found.agreement.early[0], found.agreement.late[0]) == (early, late)
        assert np.sign(found.agreement.slope[0]) == (1 if at else -1)
        assert found.agreement.p[0] < 1e-6


def test_days_that_many_votes_share_give_no_order() -> None:
    """Within a day nothing says which vote was first: the rows do, as where there is no time."""
    selection = _worsening(60, at=True)
    at = selection.votes["at"].to_pylist()
    days = [moment.replace(hour=0, minute=0) for moment in at]
    field = selection.votes.schema.field("at")
    place = selection.votes.schema.get_field_index("at")
    dated = selection.votes.set_column(place, field, pa.array(days, field.type))
    selection = select(dated, level="nominal")
    found = drift(selection, others(selection.ratings, numeric=False))
    assert set(found.order) == {"rows"}
    assert (found.agreement.early[0], found.agreement.late[0]) == (1.0, 0.0)


def test_p_is_that_of_a_correlation_between_order_and_difference() -> None:
    chance = np.random.default_rng(1)
    away = chance.normal(size=80)
    rows = [(f"i{i:03d}", who, s) for i, d in enumerate(away) for who, s in (("a", d), ("b", 0.0))]
    selection = select(table(rows), level="interval")
    found = drift(selection, others(selection.ratings, numeric=True))
    r, p = pearsonr(np.arange(80), away)
    assert found.bias is not None
    assert np.sign(found.bias.slope[0]) == np.sign(r)
    assert found.bias.p[0] == pytest.approx(p, abs=0.02)


def test_hard_items_at_the_end_are_no_drift() -> None:
    """Everybody agrees less on the last items: whoever does as the others do does not drift."""
    chance = np.random.default_rng(2)
    rows = []
    for item in range(300):
        hard = 0.9 * item / 300
        for who in range(6):
            label = f"L{chance.integers(4)}" if chance.random() < hard else "L0"
            rows.append((f"i{item:03d}", f"p{who}", label))
    selection = select(table(rows), level="nominal")
    found = drift(selection, others(selection.ratings, numeric=False)).agreement
    assert (found.early - found.late > 0.3).all()
    assert (np.abs(found.slope) < 0.15).all()
    assert (found.p > 0.01).all()


def test_too_few_votes_have_no_trend() -> None:
    selection = _worsening(ENOUGH - 1, at=False)
    found = drift(selection, others(selection.ratings, numeric=False)).agreement
    assert np.isnan(found.slope).all() and np.isnan(found.early).all()


def test_the_slope_is_that_of_the_line_from_the_first_vote_to_the_last() -> None:
    """Bias -1 for 20 votes, then 0 for 40: numpy's line, not the difference of the thirds."""
    chance = np.random.default_rng(3)
    truth = chance.integers(2, 6, 60)
    own = [float(score - (place < 20)) for place, score in enumerate(truth)]
    selection = select(grid({"a": own, "b": truth.tolist(), "c": truth.tolist()}), level="interval")
    found = drift(selection, others(selection.ratings, numeric=True))
    line = np.polyfit(np.linspace(0, 1, 60), np.where(np.arange(60) < 20, -1.0, 0.0), 1)[0]
    assert found.bias is not None
    assert found.bias.slope[0] == pytest.approx(line)
    assert (found.bias.early[0], found.bias.late[0]) == (-1.0, 0.0)
