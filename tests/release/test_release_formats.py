"""The files of a release in the hands of the libraries that its users have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import small_release as small

from pipeline.contracts.registry import TASKS
from pipeline.contracts.splits import FILES
from pipeline.release.manifest import private_folder
from pipeline.release.tables import COLUMNS
from pipeline.release.writing import write

CONFIGS = [task.config for task in TASKS.values()]
ROWS = {"train": 4, "validation": 2, "test": 2}


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a release of all eight tasks."""
    folder = tmp_path_factory.mktemp("formats")
    return write(small.material(folder), folder / "mini" / "1.0.0").folder


@pytest.mark.parametrize("config", CONFIGS)
def test_pyarrow_finds_one_schema_in_the_three_files_and_nothing_of_pandas(
    release: Path, config: str
) -> None:
    found = [pq.read_schema(release / config / f"{name}.parquet") for name in FILES.values()]
    assert found[0].equals(found[1]) and found[1].equals(found[2])
    assert all(one.metadata is None for one in found)


@pytest.mark.parametrize("config", CONFIGS)
def test_pandas_reads_them(release: Path, config: str) -> None:
    pandas = pytest.importorskip("pandas")
    for name, rows in ROWS.items():
        frame = pandas.read_parquet(release / config / f"{name}.parquet")
        assert len(frame) == rows and frame["guid"].is_monotonic_increasing


@pytest.mark.parametrize("config", CONFIGS)
def test_duckdb_reads_them_together(release: Path, config: str) -> None:
    duckdb = pytest.importorskip("duckdb")
    found = duckdb.sql(
        f"SELECT count(*), count(DISTINCT guid) FROM read_parquet('{release}/{config}/*.parquet')"
    ).fetchall()
    assert found == [(8, 8)]


def test_duckdb_reads_a_score_by_the_name_that_the_hub_gives_it(release: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    found = duckdb.sql(
        f"""SELECT labels."real-label" FROM '{release}/sts/train.parquet' ORDER BY guid"""
    ).fetchall()
    assert sorted(score for (score,) in found) == [0.0, 1.0, 2.0, 3.0]


@pytest.mark.parametrize("config", CONFIGS)
def test_datasets_loads_them(
    release: Path, config: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    files = {name: str(release / config / f"{name}.parquet") for name in ROWS}
    found: Any = datasets.load_dataset("parquet", data_files=files, cache_dir=str(tmp_path))
    assert {name: len(split) for name, split in found.items()} == ROWS
    features = [split.features for split in found.values()]
    assert features[0] == features[1] == features[2]
    first, closed = found["train"][0], found["test"][0]
    for path in COLUMNS[next(t for t in TASKS if TASKS[t].config == config)].answer:
        name = path.partition(".")[0]
        assert first[name] is not None
        assert _empty(closed[name]) or name == "dialogue"


def test_every_table_of_the_release_can_be_read(release: Path) -> None:
    pandas = pytest.importorskip("pandas")
    paths = [*release.rglob("*.parquet"), *private_folder(release).rglob("*.parquet")]
    assert len(paths) > 100
    for path in paths:
        assert len(pandas.read_parquet(path)) == pq.read_metadata(path).num_rows


def _empty(value: Any) -> bool:
    """Tell whether a value is null: a struct of nulls may come back as such."""
    return value is None or (isinstance(value, dict) and all(map(_empty, value.values())))
