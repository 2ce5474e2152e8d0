"""Joins take no more memory than they may, at any size; measured in processes of their own."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from signed_units import write_signed

from pipeline.core.join_memory import LEAST
from pipeline.core.numbered import NumberSet
from pipeline.corpus.candidate_pairs import Candidates
from pipeline.corpus.exact_repeats import find_repeats
from pipeline.corpus.signatures import BANDS
from pipeline.corpus.unit_files import UnitFile

UNITS = 800_000
#: What reading, sorting and writing one file take beside the parts, in MiB.
BESIDE = 48


def _files(folder: Path, units: int) -> list[UnitFile]:
    """Write units of which some share a band, one in ten is in a large crowd, some repeat."""
    random = np.random.default_rng(units)
    bands = random.integers(0, 2**63, (units, BANDS)).astype(np.uint64)
    bands[:, 0] = random.integers(0, units, units)
    bands[: units // 10, 1] = 5
    exact = random.integers(0, 4 * units, units).astype(np.uint64)
    return write_signed(folder, bands, exact, at_a_time=10_000)


def _join(files: list[UnitFile], folder: Path, memory: int) -> tuple[float, str]:
    """Return how much the process grew by the joins, in MiB, and a digest of what they found."""
    units = sum(file.rows for file in files)
    digest, found, repeated = sha256(), [], NumberSet(units)
    begin = _peak(reset=True)
    for numbers, originals in find_repeats(files, folder, memory):
        digest.update(np.stack([numbers, originals]).tobytes("F"))
        repeated.add(numbers)
    for pairs in Candidates(files, repeated, folder, memory).batches():
        found.append(np.bitwise_xor.reduce(pairs[:, 0] * np.int64(units) + pairs[:, 1]))
    grown = _peak() - begin
    digest.update(repr(np.bitwise_xor.reduce(found)).encode())
    return grown, digest.hexdigest()


def _peak(*, reset: bool = False) -> float:
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status["VmHWM"].split()[0]) / 1024


def _measure(files: list[UnitFile], folder: Path, memory: int) -> tuple[float, str]:
    folder.mkdir()
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_join, files, folder, memory).result()


@pytest.mark.full
def test_joins_that_do_not_fit_take_no_more_than_they_may(tmp_path: Path) -> None:
    files = _files(tmp_path / "large", UNITS)
    rows = 16 * BANDS * UNITS  # bytes that are joined: more than fits, and parts are divided again
    assert rows > 5 * LEAST * 2**20
    assert rows / 64 > LEAST * 2**20 / 12
    small, found = _measure(files, tmp_path / "least", LEAST)
    assert small < LEAST + BESIDE
    _, usual = _measure(files, tmp_path / "more", 1024)
    assert found == usual
    quarter, _ = _measure(_files(tmp_path / "small", UNITS // 4), tmp_path / "q", LEAST)
    assert small < quarter + 0.5 * LEAST
