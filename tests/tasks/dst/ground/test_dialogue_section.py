"""Names in the section `sampling` that nothing else has: told before anything is drawn."""

from __future__ import annotations

from typing import Any

import pytest

from pipeline.core.errors import SpecError
from pipeline.tasks.dst.candidates import setting_of


def _plans(*domains: str) -> list[dict[str, Any]]:
    return [{"domains": [one], "weight": 1} for one in domains] + [
        {"domains": ["숙소", "식당"], "weight": 1}
    ]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"plans": _plans("공항")},
            "sampling.plans.0.domains: '공항' is no domain; allowed are 숙소",
        ),
        (
            {"instances": {"숙소": 40, "식당": 20, "택시": 3}},
            "sampling.instances.관광: missing; say how many",
        ),
        (
            {"instances": {"숙소": 40, "식당": 20, "관광": 30, "택시": 3}},
            "sampling.instances.택시: no table of that name; drop it",
        ),
    ],
)
def test_unknown_names_are_told(make_params: Any, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(SpecError) as error:
        setting_of(make_params(50, unseen={}, **changes), {})
    assert said in str(error.value)


def test_a_rate_of_no_slot_is_told(make_params: Any) -> None:
    params = make_params(50)
    params["sampling"]["rates"]["dontcare"]["숙소-색"] = 0.1
    with pytest.raises(SpecError, match=r"sampling.rates.dontcare.숙소-색: no slot of the spec"):
        setting_of(params, {})
