"""A limit of open files is raised where the system allows it, else the build does not begin."""

from __future__ import annotations

import resource
from collections.abc import Callable

import pytest

from flows.view.open_files import require_open_files
from pipeline.core.errors import InputError

Limits = Callable[[int, int], list[tuple[int, int]]]


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> Limits:
    """Pretend that a process has these limits; returns those that it sets."""
    sets: list[tuple[int, int]] = []

    def pretend(soft: int, hard: int) -> list[tuple[int, int]]:
        monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
        monkeypatch.setattr(resource, "setrlimit", lambda _, pair: sets.append(pair))
        return sets

    return pretend


@pytest.mark.parametrize("soft", [1024, resource.RLIM_INFINITY])
def test_a_limit_that_suffices_stays(limits: Limits, soft: int) -> None:
    sets = limits(soft, resource.RLIM_INFINITY)
    require_open_files(2)
    assert not sets


@pytest.mark.parametrize("hard", [128, 4096, resource.RLIM_INFINITY])
def test_a_soft_limit_is_raised_to_what_is_needed(limits: Limits, hard: int) -> None:
    sets = limits(32, hard)
    require_open_files(2)
    assert sets == [(128, hard)]


def test_a_limit_that_cannot_be_raised_is_told(limits: Limits) -> None:
    sets = limits(32, 127)
    with pytest.raises(InputError, match=r"is 127, and a build on 2 workers needs 128.*-n 128"):
        require_open_files(2)
    assert not sets
