"""Two releases of one version with other content, and an object store."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import moto_store
import pytest

sys.path.append(str(Path(__file__).parents[1]))

import small_release as small

from pipeline.core.objects.address import Address
from pipeline.release.writing import write


@pytest.fixture(scope="session")
def releases(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The folders of mini 1.0.0, and of another mini 1.0.0; nobody changes what lies there."""
    base, made = tmp_path_factory.mktemp("stored"), []
    for name, task in {"one": "tc", "other": "nli"}.items():
        material = small.material(base / name, small.task_material(task))
        folder = base / name / small.NAME / "1.0.0"
        made.append(write(material, folder).folder)
    return made


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of moto's server."""
    with moto_store.running() as address:
        yield address


@pytest.fixture
def bucket(server: str, monkeypatch: pytest.MonkeyPatch) -> Address:
    """A new bucket of that server, which the environment names."""
    moto_store.point_at(monkeypatch, server)
    return moto_store.new_bucket()


@pytest.fixture
def memory() -> Address:
    """A new bucket in the memory of this process."""
    return moto_store.memory_bucket()
