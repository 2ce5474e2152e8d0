"""Two releases of one version with other content, and an object store."""

from __future__ import annotations

import sys
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


@pytest.fixture
def memory() -> Address:
    """A new bucket in the memory of this process."""
    return moto_store.memory_bucket()
