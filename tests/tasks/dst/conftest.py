"""A small knowledge base and the goals of it, drawn once."""

from __future__ import annotations

from typing import Any

import pytest

from pipeline.contracts.spec import load_spec
from pipeline.tasks.dst.candidates import setting_of
from pipeline.tasks.dst.goals import goals
from pipeline.tasks.dst.goals.goal import Goal, Setting

SEED = 11
GOALS = 1_000


def params(total: int = GOALS, seed: int = SEED, **changes: object) -> dict[str, Any]:
    """Return the parameters of a call, with some numbers of the section changed."""
    spec = load_spec("dst")
    assert spec.sampling is not None
    sampling = spec.sampling.scale(total).model_dump(mode="json") | changes
    slots = [slot.model_dump(mode="json") for slot in spec.slots]
    return {"seed": seed, "sampling": sampling, "slots": slots}


@pytest.fixture(scope="session")
def setting() -> Setting:
    found, faults, _ = setting_of(params(), {})
    assert not faults
    return found


@pytest.fixture(scope="session")
def drawn(setting: Setting) -> list[Goal]:
    return list(goals(setting, SEED))


@pytest.fixture(scope="session")
def make_params() -> Any:
    return params
