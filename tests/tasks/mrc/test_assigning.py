"""Assignment: the numbers of Tables 18 and 19, and what no passage may carry."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contracts.spec import load_spec
from pipeline.tasks.mrc.candidates import Wanted, assign, wanted_passages
from pipeline.tasks.mrc.spec import ReadingSampling

SPEC = load_spec("mrc").sampling
assert isinstance(SPEC, ReadingSampling)


def test_all_passages_give_tables_18_and_19() -> None:
    sources = ["acrofan", "ked", "wikipedia"]
    asked = [wanted_passages(SPEC, sources, source) for source in sources]
    assert sum(one.passages for one in asked) == 23_717
    found: Counter[str] = Counter()
    for source, one in zip(sources, asked, strict=True):
        names = [f"{source}-p{n}" for n in range(one.passages)]
        found.update(kind for kinds in assign(names, one, seed=1).values() for kind in kinds)
    assert found == {"1": 12_207, "2": 7_895, "3": 9_211}


@given(st.integers(1, 400), st.integers(0, 400), st.integers(0, 9))
def test_types_keep_their_proportions(total: int, passages: int, seed: int) -> None:
    spec = SPEC.scale(max(total, 3))
    asked = wanted_passages(spec, ["ked"], "ked")
    names = [f"p{n}" for n in range(min(passages, asked.passages))]
    types = assign(names, asked, seed=seed)
    assert set(types.values()) <= {("1",), ("2",), ("1", "2"), ("3",)}
    found = Counter(kind for kinds in types.values() for kind in kinds)
    for kind, number in asked.types.items():
        assert found[kind] <= number
        assert abs(found[kind] - number * len(names) / asked.passages) <= 2


@given(st.permutations([f"p{n}" for n in range(30)]))
def test_order_and_companions_make_no_difference(names: list[str]) -> None:
    asked = Wanted(30, {"1": 14, "2": 10, "3": 12})
    assert assign(names, asked, seed=5) == assign(sorted(names), asked, seed=5)


def test_a_build_without_a_source_shares_its_part() -> None:
    both = [wanted_passages(SPEC, ["ked", "wikipedia"], source) for source in ("ked", "wikipedia")]
    assert sum(one.types["3"] for one in both) == 9_211
    assert both[0].passages == pytest.approx(2 * both[1].passages, abs=2)


@pytest.mark.parametrize(
    "change", [{"passages": 21_000}, {"passages": 29_314}, {"quotas": {"1": 2, "2": 3}}]
)
def test_numbers_that_cannot_be_met_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"passages|quotas"):
        ReadingSampling.model_validate(SPEC.model_dump(mode="json") | change)
