"""Plays a round: a build under a fault, what its user does then, and the same command again."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from build_site import Reference, Site, prepare_site
from build_watch import Ended, run_build
from fault import Fault
from fault_table import FAULTS
from round_draw import Round
from round_verdict import end_of, faults_of_result, faults_of_store, faults_of_words

#: So many faults of a round are told.
_MOST = 6


@dataclass(frozen=True)
class Outcome:
    """What came of a round: how its build ended, what was done to it, what it said, what is wrong.

    `end` is as `round_verdict.end_of` has it, or `absent` where this machine lacks what the fault
    needs.
    """

    round: Round
    end: str
    deed: str
    said: str
    wrong: tuple[str, ...]
    struck: bool = True


def play(chosen: Round, reference: Reference, folder: Path, *, keep: bool = False) -> Outcome:
    """Play a round in a new folder, which is removed afterwards if nothing is wrong."""
    if lacks := FAULTS[chosen.fault].absence():
        return Outcome(chosen, "absent", f"needs {lacks}", "", ())
    shutil.rmtree(folder, ignore_errors=True)
    site = prepare_site(reference, chosen, folder)
    fault = FAULTS[chosen.fault](site, chosen, reference)
    try:
        outcome = _play(chosen, fault, site, reference)
    finally:
        fault.clear()
    if not (keep or outcome.wrong):
        shutil.rmtree(folder)
    return outcome


def _play(chosen: Round, fault: Fault, site: Site, reference: Reference) -> Outcome:
    environment = fault.prepare()
    ended = run_build(
        site,
        engine=chosen.engine,
        environment=environment,
        limits=fault.limits(),
        is_time=fault.is_time,
        strike=fault.strike,
    )
    end = end_of(ended, reference)
    wrong = [*_of_fault(fault, ended, end, reference)]
    for name in ("stdout", "stderr"):
        with suppress(OSError):
            (site.folder / name).rename(site.folder / f"{name}.fault")
    if end != "killed" and chosen.fault != "damaged shard":
        wrong += faults_of_store(site, reference)
    fault.mend(ended)
    wrong += _of_recovery(fault, site, chosen, reference)
    said = ended.error.strip() or (f"code {ended.code}" if ended.code else "")
    return Outcome(chosen, end, fault.deed, said, tuple(islice(wrong, _MOST)), ended.struck)


def _of_fault(fault: Fault, ended: Ended, end: str, reference: Reference) -> Iterator[str]:
    yield from faults_of_words(ended, end, reference)
    if end not in fault.ends and end != "wrong":
        yield f"it ended as {end}; allowed: {', '.join(sorted(fault.ends))}"


def _of_recovery(fault: Fault, site: Site, chosen: Round, reference: Reference) -> Iterator[str]:
    """Run the same command without the fault; what a cut file needs may be told first."""
    again = run_build(site, engine=chosen.engine)
    end = end_of(again, reference)
    if end == "error" and fault.damages:
        yield from (f"second run: {line}" for line in faults_of_words(again, end, reference))
        fault.follow(again)
        again = run_build(site, engine=chosen.engine)
        end = end_of(again, reference)
    if end != "same":
        yield f"the same command without the fault ended as {end}: {again.error[-500:]}"
    yield from (f"second run: {line}" for line in faults_of_words(again, end, reference))
    yield from faults_of_result(site, reference)
