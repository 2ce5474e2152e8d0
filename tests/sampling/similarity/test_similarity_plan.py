"""The section `sampling` of the spec of similarity."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError
from sts_corpus import plan

from pipeline.tasks.sampling.similarity import SimilaritySampling

SPEC = Path(__file__).resolve().parents[3] / "annotation_specs" / "sts" / "spec.yaml"


def _shipped() -> SimilaritySampling:
    read = yaml.safe_load(SPEC.read_text("utf-8"))
    return SimilaritySampling.model_validate(read["sampling"])


def test_as_many_pairs_of_each_source_as_the_paper_annotated() -> None:
    # Section 3.2.1: 7,375 of Airbnb, 2,956 of policy and 4,538 of ParaKQC in the main annotation.
    found: dict[str, int] = {}
    for name, quota in _shipped().quotas.items():
        source = name.partition("-")[0]
        found[source] = found.get(source, 0) + quota
    assert found == {"airbnb": 7_375, "policy": 2_956, "parakqc": 4_538}
    assert _shipped().total == 14_869


def test_a_pool_has_a_pair_for_every_one_wanted() -> None:
    wanted = max(q for name, q in _shipped().quotas.items() if name.endswith("-sampled"))
    assert _shipped().pool >= 2 * wanted


@pytest.mark.parametrize("total", [6, 60, 14_869])
def test_scaling_keeps_the_samplers(total: int) -> None:
    scaled = _shipped().scaled(total)
    assert scaled.total == total
    assert scaled.quotas.keys() == _shipped().quotas.keys()
    assert scaled.model_dump(exclude={"quotas"}) == _shipped().model_dump(exclude={"quotas"})


@pytest.mark.parametrize(
    "changes",
    [
        {"quotas": {}},
        {"shortest": 41},
        {"stretch": 0.5},
        {"pool": 1},
        {"algorithm": "best"},
        {"rouge": "rouge2"},
        {"bins": 0},
        {"reserve": 1.5},
        {"unknown": 1},
    ],
)
def test_what_makes_no_sense_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        plan(**changes)
