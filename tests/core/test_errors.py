"""Errors are classed by fate, keep their message across processes, and name no content."""

from __future__ import annotations

import pickle

import pytest

from pipeline.core import errors

ALL = [e for e in vars(errors).values() if isinstance(e, type) and issubclass(e, Exception)]


@pytest.mark.parametrize("error", ALL, ids=lambda e: e.__name__)
def test_every_error_survives_a_worker(error: type[Exception]) -> None:
    pair = error in {errors.MissingDependencyError, errors.RecordError}
    made = error("what", "fix") if pair else error("what")
    again = pickle.loads(pickle.dumps(made))
    assert type(again) is error
    assert str(again) == str(made)


@pytest.mark.parametrize("error", ALL, ids=lambda e: e.__name__)
def test_every_error_has_one_fate(error: type[Exception]) -> None:
    assert issubclass(error, errors.KlueError)
    fates = (errors.FatalError, errors.RecordError, errors.RetryError)
    if error not in {errors.KlueError, *fates}:
        assert sum(issubclass(error, fate) for fate in fates) == 1
