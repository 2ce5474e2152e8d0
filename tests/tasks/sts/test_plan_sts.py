"""The section `sampling` of the spec of similarity."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError
from sts_corpus import PLAN, plan

from pipeline.core.errors import SpecError
from pipeline.core.specs import load
from pipeline.tasks.sts.spec import StsSampling, source_of

SPEC = Path(__file__).resolve().parents[3] / "annotation_specs" / "sts" / "spec.yaml"


def _shipped() -> StsSampling:
    read = yaml.safe_load(SPEC.read_text("utf-8"))
    return StsSampling.model_validate(read["sampling"])


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


def test_sources_are_those_of_the_quotas() -> None:
    quotas = _shipped().quotas
    assert set(map(source_of, quotas)) == {"airbnb", "policy", "parakqc"}
    airbnb = {name: n for name, n in quotas.items() if source_of(name) == "airbnb"}
    assert airbnb == {"airbnb-rtt": 3_688, "airbnb-sampled": 3_687}
    assert source_of("air-b-rtt") == "air-b"


@pytest.mark.parametrize("total", [6, 60, 14_869])
def test_scaling_keeps_the_samplers(total: int) -> None:
    scaled = _shipped().scale(total)
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


@pytest.mark.parametrize("name", ["airbnb-foo", "airbnb", "airbnb-rtt ", "airbnb_rtt", "-rtt", ""])
def test_a_quota_that_names_no_source_and_kind_is_refused(name: str) -> None:
    with pytest.raises(ValidationError, match="allowed: SOURCE-rtt, SOURCE-sampled, SOURCE-para"):
        plan(quotas={"airbnb-rtt": 3, name: 4})


def test_what_is_paired_by_intent_is_not_translated() -> None:
    with pytest.raises(ValidationError, match="'a-rtt' and a-para exclude each other"):
        plan(quotas={"a-para": 3, "a-rtt": 4})
    both = {"a-para": 3, "a-sampled": 4, "b-rtt": 5}
    assert plan(quotas=both).quotas == both


def test_a_typo_is_told_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    rows = "\n".join(f"{name}: {value}" for name, value in PLAN.items() if name != "quotas")
    path.write_text(f"{rows}\nquotas: {{airbnb-rtt: 3, airbnb-foo: 4}}\n", "utf-8")
    with pytest.raises(SpecError, match=r"spec\.yaml:10: quotas: .*'airbnb-foo' names no source"):
        load(path, StsSampling)
