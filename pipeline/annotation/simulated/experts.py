"""What simulated experts decide: reviews of reports, open items, privacy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import pyarrow as pa

from pipeline.annotation.intake.raw import RawVote
from pipeline.annotation.simulated import diary
from pipeline.annotation.simulated.chance import Chance
from pipeline.annotation.simulated.truth import Truth, Truths, load_truths
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core.jsontext import parsed

EXPERT: Final = "sim-expert"
_FILE: Final = "simulated-experts"
#: The share of reports that wait for their review still.
_PENDING: Final = 0.08
#: How often an expert upholds a report against a text that nobody judged.
_UPHELD: Final = 0.75
#: How often a person's name may not stay (Section 3.4.1: 118 of 31,008 sentences).
_PRIVATE: Final = 0.004


def review(
    votes: pa.Table,
    items: pa.Table,
    *,
    task: Task,
    spec: TaskSpec,
    seed: int,
    truths: Truths | None = None,
) -> Iterator[RawVote]:
    """Yield a decision about most of the reported items, votes of round `review`.

    A report that the item's truth names is upheld, any other one against a judged text dismissed;
    about texts that nobody judged a draw decides. Some reports stay without a decision.
    """
    reported = _reported(votes)
    known = truths or load_truths(task)
    place = 0
    for row in items.to_pylist():
        chance = Chance(seed, row["item"])
        reasons = reported.get(row["item"])
        if not reasons or chance.at("pending") < _PENDING:
            continue
        truth = _truth(row, known, chance)
        upheld = _upheld(truth, reasons, chance)
        label = {"verdict": "uphold", "reason": upheld} if upheld else {"verdict": "dismiss"}
        place += 1
        yield _vote(row, "review", label, spec, place)


def adjudicate(
    waiting: Iterable[str],
    items: pa.Table,
    *,
    task: Task,
    spec: TaskSpec,
    seed: int,
    truths: Truths | None = None,
) -> Iterator[RawVote]:
    """Yield the expert's answer to items that wait for one, votes of round `adjudicate`."""
    asked, known = set(waiting), truths or load_truths(task)
    rows = [row for row in items.to_pylist() if row["item"] in asked]
    for place, row in enumerate(rows, start=1):
        chance = Chance(seed, row["item"])
        truth = _truth(row, known, chance)
        yield _vote(row, "adjudicate", truth.answer, spec, place)


def privacy(
    waiting: Iterable[str], items: pa.Table, *, spec: TaskSpec, seed: int
) -> Iterator[RawVote]:
    """Yield whether a sentence that names a person may stay, votes of round `privacy`."""
    asked = set(waiting)
    rows = [row for row in items.to_pylist() if row["item"] in asked]
    for place, row in enumerate(rows, start=1):
        private = Chance(seed, row["item"]).at("private") < _PRIVATE
        yield _vote(row, "privacy", {"verdict": "remove" if private else "keep"}, spec, place)


def _truth(row: Mapping[str, Any], known: Truths, chance: Chance) -> Truth:
    gold = parsed(row["gold"]) if row["gold"] is not None else None
    turn = chance.at("which")
    meta = parsed(row["meta"]) if row["meta"] else None
    return known.of(parsed(row["fields"]), item=row["item"], turn=turn, gold=gold, meta=meta)


def _upheld(truth: Truth, reasons: list[str], chance: Chance) -> str | None:
    """Return the reason for which an item leaves, None where it stays."""
    if truth.report is not None:
        return truth.report
    dismissed = not truth.estimated or chance.at("upheld") >= _UPHELD
    return None if dismissed else reasons[0]


def _reported(votes: pa.Table) -> Mapping[str, list[str]]:
    found: dict[str, set[str]] = {}
    columns = (votes.column(name).to_pylist() for name in ("item", "report"))
    for item, report in zip(*columns, strict=True):
        if report is not None:
            found.setdefault(item, set()).add(report)
    return {item: sorted(reasons) for item, reasons in found.items()}


def _vote(row: Mapping[str, Any], round_: str, label: Any, spec: TaskSpec, place: int) -> RawVote:
    value = {
        "item": row["item"],
        "annotator": EXPERT,
        "role": "expert",
        "round": round_,
        "label": label,
        "task": spec.task,
        "spec": spec.name,
        "at": diary.decided(spec, place),
        "source": row["source"],
        "simulated": True,
    }
    return RawVote(_FILE, place, value)
