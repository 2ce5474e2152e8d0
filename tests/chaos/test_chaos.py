"""Rounds of `make chaos`, short ones; draws that repeat; and verdicts that can be wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from build_site import Reference, make_reference, prepare_site
from build_watch import Ended
from fault_table import FAULTS
from round_draw import Round, draw_round
from round_play import play
from round_verdict import end_of, faults_of_store, faults_of_words
from run_chaos import CHOICES

from flows.engine import server

#: One task and no release: a run takes seconds.
WORDS = ("--tasks", "tc", "--until", "adjudicate")


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reference]:
    """Build the reference once; all builds of this module share a Prefect server."""
    folder = tmp_path_factory.mktemp("chaos")
    with pytest.MonkeyPatch.context() as patch, server.running(folder) as address:
        patch.setenv("PREFECT_API_URL", address)
        yield make_reference(folder, WORDS)


def _round(fault: str, *, seed: int = 1) -> Round:
    return Round(
        seed=seed,
        number=0,
        fault=fault,
        engine="local",
        from_nothing=False,
        begin=0.5,
        width=3,
        moment=0.3,
        publishing=False,
    )


@pytest.mark.parametrize(
    ("fault", "seed", "end"),
    [
        ("damaged shard", 1, "error"),
        ("killed build", 1, "killed"),
        ("read-only folder", 2, "error"),  # of this seed the work directory, from the start
    ],
)
def test_a_build_survives(
    reference: Reference, tmp_path: Path, fault: str, seed: int, end: str
) -> None:
    outcome = play(_round(fault, seed=seed), reference, tmp_path / "round")
    assert outcome.wrong == ()
    assert outcome.deed
    assert outcome.end == end


def test_a_round_is_drawn_by_its_seed_and_number_alone() -> None:
    rounds = [draw_round(7, number, CHOICES) for number in range(3 * len(CHOICES))]
    assert rounds == [draw_round(7, number, CHOICES) for number in range(3 * len(CHOICES))]
    assert Counter(chosen.fault for chosen in rounds) == dict.fromkeys(FAULTS, 3)
    assert all(chosen.engine in FAULTS[chosen.fault].engines for chosen in rounds)
    assert [r.fault for r in rounds] != [draw_round(8, r.number, CHOICES).fault for r in rounds]


GOOD = "error: WORK/store: cut off; remove the folder and run again\n"


@pytest.mark.parametrize(
    ("error", "wrong"),
    [
        (GOOD, None),
        ("error: No space left on device\n", "does not say where"),
        ("", "0 lines"),
        (GOOD * 2, "2 lines, 2 of them errors"),
        (f"a warning\n{GOOD}", "2 lines, 1 of them errors"),
        (f"Traceback (most recent call last):\n{GOOD}", "a traceback"),
        (GOOD.replace("WORK", "gild@example.org/"), "a personal value"),
    ],
)
def test_words_that_are_not_one_clear_error_are_wrong(
    reference: Reference, error: str, wrong: str | None
) -> None:
    ended = Ended(1, '{"error": "", "code": 1}', error, True, ())
    values = replace(reference, private_values=frozenset({"gild@example.org"}))
    assert end_of(ended, reference) == "error"
    found = [*faults_of_words(ended, "error", values)]
    assert not found if wrong is None else any(wrong in fault for fault in found)


@pytest.mark.parametrize("damage", [b"", b"other bytes"], ids=["cut", "other bytes"])
def test_what_is_not_whole_in_a_store_is_wrong(
    reference: Reference, tmp_path: Path, damage: bytes
) -> None:
    site = prepare_site(reference, _round("killed build"), tmp_path / "site")
    assert not [*faults_of_store(site, reference)]
    path = next((site.work / "store").glob("yna/*/units-*.parquet"))
    path.write_bytes(damage.ljust(path.stat().st_size if damage else 0))
    (fault,) = faults_of_store(site, reference)
    assert path.parent.name in fault
