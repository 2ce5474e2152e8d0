"""Fixtures that several test files share."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

# No test depends on wall-clock time, and a failure must be there again in the next run.
settings.register_profile("klue", deadline=None, derandomize=True, max_examples=25)
# `make test-full` tries many more examples of every property.
settings.register_profile("full", deadline=None, derandomize=True, max_examples=400)
settings.load_profile(os.environ.get("KLUE_EXAMPLES", "klue"))

ROOT = Path(__file__).resolve().parents[1]
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}")
#: The first of these builds the sample that many others wait for; the others take longest.
_FIRST = ("test_release_cli.py", "test_build.py", "test_own_tasks.py")


def pytest_make_parametrize_id(val: object, argname: str) -> None:
    """Refuse ids made of bytes: packed bytes can hold the time, and nobody can read them."""
    if isinstance(val, bytes):
        raise pytest.UsageError(f"`{argname}` is bytes; give the parametrised test explicit `ids`")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Refuse parameters in an order that differs between two processes."""
    for mark in metafunc.definition.iter_markers("parametrize"):
        if len(mark.args) > 1 and isinstance(mark.args[1], set | frozenset):
            name = metafunc.definition.nodeid
            raise pytest.UsageError(f"{name}: parameters are a set; give a sorted list")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse ids that hold an address in memory, which differs between two collections.

    Files of `_FIRST` come first, in their order.
    """
    for item in items:
        if _ADDRESS.search(item.nodeid):
            raise pytest.UsageError(f"{item.nodeid}: the id holds an address; give explicit `ids`")
    places = {name: place for place, name in enumerate(_FIRST)}
    items.sort(key=lambda item: places.get(item.path.name, len(_FIRST)))


@pytest.fixture(scope="session", autouse=True)
def _parsers_are_made_once() -> Iterator[None]:
    """Make the parser of the command line once: Typer's runner makes it for every command anew."""
    from typer import testing

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(testing, "_get_command", cache(testing._get_command))
        yield


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Return the folder of real data, or skip; KLUE_REQUIRE_DATA=1 makes its absence a failure."""
    given = os.environ.get("KLUE_DATA")
    path = Path(given) if given else ROOT.parent / "shared" / "data"
    if (path / "raw").is_dir():
        return path
    reason = f"no real data: {path}/raw is absent; set KLUE_DATA to the folder that holds raw/"
    if os.environ.get("KLUE_REQUIRE_DATA") == "1":
        pytest.fail(reason)
    pytest.skip(reason)
