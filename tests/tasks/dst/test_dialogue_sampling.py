"""The section `sampling` of the spec: what adds up, what scales, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from pipeline.contracts.spec import load_spec
from pipeline.core.jsontext import canonical
from pipeline.tasks.dst.spec import DialogueSampling, Plan


def _section() -> DialogueSampling:
    found = load_spec("dst").sampling
    assert isinstance(found, DialogueSampling)
    return found


def test_sizes_are_those_of_tables_25_and_26() -> None:
    section = _section()
    assert (section.total, section.held_out) == (10_000, 2_000)
    assert (section.counterfactual, section.single) == (294 + 361, 1_806 + 263 + 226)
    assert section.instances == {"숙소": 101, "식당": 56, "관광": 100, "지하철": 3_306}


@pytest.mark.parametrize("total", [1, 7, 100, 12_345])
def test_a_scaled_section_is_a_section(total: int) -> None:
    found = _section().scale(total)
    assert found.total == total
    assert DialogueSampling.model_validate_json(canonical(found.model_dump(mode="json"))) == found


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"counterfactual": 3_000}, "counterfactual goals are held out"),
        ({"held_out": 20_000}, "those are goals"),
        ({"single": 10_001}, "single domain"),
        ({"plans": [{"domains": ["숙소"], "weight": 1}]}, "over several domains are wanted"),
        ({"plans": [{"domains": ["숙소", "식당"], "weight": 1}]}, "over one domain are wanted"),
        (
            {
                "plans": [
                    {"domains": [*names], "weight": 1} for names in (["숙소"], ["가", "나"]) * 2
                ]
            },
            "two plans are over 숙소; make one",
        ),
        (
            {"plans": [{"domains": [*two], "weight": 1} for two in ("가나", "나가", "가")]},
            "two plans are over 가, 나",
        ),
        ({"unseen": {"식당": 56}}, "unseen.식당: 56 of 56 instances; leave some"),
        ({"unseen": {"공항": 1}}, "unseen.공항: 1 of 0 instances"),
        ({"fitting": 9}, "more fitting places"),
        ({"unseen_targets": 1.5}, "less than or equal to 1"),
    ],
)
def test_what_does_not_add_up_is_refused(changes: dict[str, Any], said: str) -> None:
    dumped = _section().model_dump(mode="json") | changes
    with pytest.raises(ValidationError, match=said):
        DialogueSampling.model_validate_json(canonical(dumped))


@pytest.mark.parametrize("weight", [0.0, -1.0, float("inf"), float("nan")])
def test_a_weight_is_a_number_above_nothing(weight: float) -> None:
    with pytest.raises(ValidationError, match="weight"):
        Plan(domains=("숙소",), weight=weight)
