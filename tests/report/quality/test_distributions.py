"""Charts of labels, scores, lengths, sources and dates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_examples import examples

from pipeline.contracts.spec import load_spec
from pipeline.report.quality.bins import BARS, bins
from pipeline.report.quality.distributions import charts
from pipeline.report.record import Chart

LENGTHS = st.lists(st.integers(0, 100_000), min_size=1, max_size=300)


def drawn(task: str, rows: list[dict[str, Any]]) -> dict[str, Chart]:
    found = charts(examples(task, rows), task=task, spec=load_spec(task))
    return {chart.id: chart for chart in found}


def title(text: str, split: str = "train", **more: Any) -> dict[str, Any]:
    return {"split": split, "fields": {"title": text}, "label": ["사회"], **more}


@given(LENGTHS)
def test_few_bars_hold_every_number(lengths: list[int]) -> None:
    numbers = np.array(lengths, np.int64)
    found = bins(numbers)
    assert 1 <= found.bars <= BARS
    assert sum(share or 0 for share in found.shares(numbers)) == pytest.approx(1, abs=1e-4)
    assert bins(numbers[::-1]) == found
    assert found.low <= min(lengths)
    above = sum(number >= found.open_from + found.width for number in lengths)
    assert above <= 0.01 * len(lengths) + 1


@given(LENGTHS)
def test_bars_are_not_finer_than_the_rule_says(lengths: list[int]) -> None:
    width = bins(np.array(lengths, np.int64)).width
    quartiles = np.quantile(lengths, [0.25, 0.75], method="lower")
    rule = 2 * (quartiles[1] - quartiles[0]) / len(lengths) ** (1 / 3)
    assert width >= rule - 1e-6
    assert int(str(width).rstrip("0")) in (1, 2, 5)
    if max(lengths) - min(lengths) < 10 * width:  # nothing but the rule made them wider
        assert width < max(5 * rule, 2)


def test_a_bar_stands_in_the_middle_of_its_numbers() -> None:
    found = drawn("tc", [title("가" * n) for n in (3, 3, 4, 5)])["tc-length-title"]
    width = found.width
    for place, share in zip(found.series[0].x, found.series[0].y, strict=True):
        inside = [n for n in (3, 3, 4, 5) if abs(n - float(place or 0)) < width / 2]
        assert share == len(inside) / 4


def test_the_open_bar_is_told() -> None:
    rows = [title("가" * (10 + n % 10)) for n in range(300)] + [title("가" * 900)]
    found = drawn("tc", rows)["tc-length-title"]
    assert len(found.series[0].x) <= BARS
    assert "the longest has 900" in found.note


def test_shares_are_those_of_a_split_by_itself() -> None:
    rows = [title("가"), title("나"), title("다", "dev")]
    rows[1]["label"] = ["경제"]
    found = drawn("tc", rows)["tc-label-shares"]
    assert [(one.name, one.x, one.y) for one in found.series] == [
        ("train", ["경제", "사회"], [0.5, 0.5]),
        ("dev", ["경제", "사회"], [0, 1]),
    ]


def test_labels_beyond_the_bars_are_others() -> None:
    deprels = [f"NP_{chr(65 + n // 26)}{chr(65 + n % 26)}" for n in range(60)]
    fields = {"text": "가 나", "words": ["가", "나"]}
    row = {"split": "test", "fields": fields, "label": {"deprels": [*deprels, "VP", "VP"]}}
    found = drawn("dp", [row])["dp-label-shares"]
    assert (found.series[0].x[0], found.series[0].x[-1]) == ("VP", "other")
    assert len(found.series[0].x) == BARS
    assert found.series[0].y[-1] == pytest.approx(22 / 62, abs=1e-5)
    assert found.note == "other: the 22 rarest of 61."


def pair(score: float, sampler: str, source: str = "policy", split: str = "dev") -> dict[str, Any]:
    return {
        "split": split,
        "source": source,
        "sampler": sampler,
        "fields": {"sentence1": "가", "sentence2": "나다"},
        "label": {"label": score, "real-label": score, "binary-label": int(score >= 3)},
    }


def test_scores_fall_into_bars_of_one_width_at_their_lower_ends() -> None:
    scores = [0, 0.4, 0.5, 1.0, 2.9, 3.0, 4.5, 4.9, 5.0]
    found = drawn("sts", [pair(score, "policy-rtt") for score in scores])["sts-scores"]
    counts = [round((share or 0) * 9) for share in found.series[0].y]
    assert counts == [2, 1, 1, 0, 0, 1, 1, 0, 0, 3]
    assert found.series[0].x == [0.25 + 0.5 * n for n in range(10)]
    assert (found.width, found.paper) == (0.5, "Figure 2")


def test_many_scores_have_a_bar_for_each_tenth_of_a_point() -> None:
    rows = [pair(n / 10, "policy-rtt") for n in range(51) for _ in range(4)]
    found = drawn("sts", rows)["sts-scores"]
    assert found.series[0].x == [n / 10 for n in range(51)]
    assert found.series[0].y == [round(1 / 51, 6)] * 51
    assert (found.width, found.form) == (0.1, "share")


def test_every_source_has_its_samplers() -> None:
    rows = [pair(4, "policy-rtt"), pair(1, "policy-sampled", split="train"), pair(2, "rtt", "blog")]
    found = drawn("sts", rows)
    policy, blog = found["sts-scores-policy"], found["sts-scores-blog"]
    assert [one.name for one in policy.series] == ["rtt", "sampled"]
    assert [one.name for one in blog.series] == ["rtt"]
    assert [one.name for one in found["sts-scores"].series] == ["train", "dev"]
    assert policy.paper == "Figure 1"


@pytest.mark.parametrize(
    ("days", "names"),
    [
        (["2020-01-31", "2019-11-01"], ["2019-11", "2019-12", "2020-01"]),
        (["2016-05-01", "2020-01-31"], [str(year) for year in range(2016, 2021)]),
        (["1951-05-01", "2020-01-31"], [f"{ten}0s" for ten in range(195, 203)]),
    ],
)
def test_dates_stand_in_the_finest_period_that_fits(days: list[str], names: list[str]) -> None:
    rows = [title("가", date=days[0]), title("나", "dev", date=days[1]), title("다")]
    found = drawn("tc", rows)["tc-dates"]
    assert [one.x for one in found.series] == [names, names]
    assert [sum(share or 0 for share in one.y) for one in found.series] == [1, 1]
    assert found.note == "Without a date: 1 of 3 examples."


def test_one_source_and_no_date_make_no_chart() -> None:
    assert sorted(drawn("tc", [title("가")])) == ["tc-label-shares", "tc-length-title"]
    two = drawn("tc", [title("가"), title("나", source="yna")])
    assert two["tc-source-shares"].series[0].y == [0.5, 0.5]


def test_the_order_of_examples_changes_nothing() -> None:
    rows = [
        title("가" * (n % 7 + 1), ("train", "dev")[n % 2], date=f"2020-0{n % 9 + 1}-01")
        for n in range(40)
    ]
    table = examples("tc", rows)
    spec = load_spec("tc")
    turned = table.take(list(range(39, -1, -1)))
    assert charts(turned, task="tc", spec=spec) == charts(table, task="tc", spec=spec)
