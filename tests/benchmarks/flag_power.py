"""Power of the audit's flags: planted faults found, honest annotators flagged, design by design.

    python tests/benchmarks/flag_power.py [--seeds N] [--first S] [--accuracy A] [--design D]
                                          [--fault F] [--json]

Each design is drawn N times (20) from seed S (0) on with honest annotators of accuracy A (.85),
once with nobody planted and once with each fault. A fault is found when its annotator has one of
the flags named in `FAULTS`; false flags are those of all others, as a share of these people. With
--bound it prints instead how often any test could find somebody who answers at random, wholly or by
half: the likelihood ratio against an honest annotator, by a test that knows accuracy and shares of
labels, looks for nothing else, and may flag one honest pool in twenty.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from pipeline.agreement.audit import audit  # noqa: E402
from pipeline.agreement.coefficients.estimates import generator  # noqa: E402
from pipeline.contracts.registry import task_of  # noqa: E402
from pipeline.core import schemas  # noqa: E402

Chance = np.random.Generator
START = datetime(2026, 1, 5, tzinfo=UTC)
#: Two who copy each other share so many items; seats are exchanged so often at most.
SHARED, _TRIES = 50, 1000
TYPES = ("PS", "LC", "OG", "DT")
LENGTH = 60


@dataclass(frozen=True)
class Design:
    """Annotators, items, votes an item; the shares of labels, or what else is answered."""

    annotators: int
    items: int
    per_item: int
    shares: tuple[float, ...]
    kind: str = "labels"


DESIGNS = {
    "6 x 300 x 5, 4 labels": Design(6, 300, 5, (0.4, 0.3, 0.2, 0.1)),
    "12 x 400 x 3, 4 labels": Design(12, 400, 3, (0.4, 0.3, 0.2, 0.1)),
    "100 x 1,000 x 5, 2 labels": Design(100, 1000, 5, (0.5, 0.5)),
    "6 x 200 x 6, 5 scores": Design(6, 200, 6, (0.2,) * 5, "scores"),
    "5 x 60 x 5, 3 labels": Design(5, 60, 5, (0.4, 0.35, 0.25)),
    "20 x 200 x 3, spans": Design(20, 200, 3, (0.4, 0.3, 0.2, 0.1), "spans"),
}
LOW = {"random", "low_agreement", "reversed"}
#: Each fault, with the flags that name it.
FAULTS = {
    "nobody": set(),
    "random": LOW,
    "random by prior": LOW,
    "half random": LOW,
    "constant": {"constant"},
    "constant 97 %": {"constant"},
    "swap of two labels": {"habit", *LOW},
    "swap one way": {"habit", "unused_label", "constant", *LOW},
    "never a label": {"unused_label", "habit", "constant"},
    "slow drift": {"drift", *LOW},
    "random from halfway": {"drift", *LOW},
    "fast and honest": {"fast"},
    "fast and random": {"fast", *LOW},
    "copy of a colleague": {"copying"},
    "two share random answers": {"copying", *LOW},
    "shifted": {"biased"},
    "reversed": LOW,
    "compressed": {"compressed"},
}
SCALES = {"shifted", "reversed", "compressed"}


def main() -> int:
    """Run the study and print a table for each design."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=20, help="how many draws of each (20)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--accuracy", type=float, default=0.85, help="of honest annotators (.85)")
    parser.add_argument("--design", help="only designs whose name holds this")
    parser.add_argument("--fault", help="only this fault")
    parser.add_argument("--bound", action="store_true", help="print the power of the best test")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    out: dict[str, dict[str, dict[str, float]]] = {}
    for name, design in DESIGNS.items():
        if asked.design and asked.design not in name:
            continue
        if asked.bound:
            if design.kind == "labels":
                powers = ", ".join(
                    f"{share:.0%} random {_bound(design, asked.accuracy, share):.0%}"
                    for share in (1.0, 0.5)
                )
                sys.stdout.write(f"{name}, accuracy {asked.accuracy}: {powers}\n")
            continue
        out[name] = {
            fault: _rates(
                design, fault, asked.accuracy, range(asked.first, asked.first + asked.seeds)
            )
            for fault in FAULTS
            if (fault not in SCALES or design.kind == "scores")
            and (not asked.fault or fault == asked.fault)
        }
        if not asked.json:
            sys.stdout.write(f"{name}, accuracy {asked.accuracy}\n")
            for fault, rates in out[name].items():
                row = f"  {fault:26} {rates['found']:6.0%} found {rates['false']:7.2%} false"
                sys.stdout.write(f"{row}  {rates['codes']}\n")
            sys.stdout.flush()
    if asked.json:
        sys.stdout.write(json.dumps(out) + "\n")
    return 0


def _rates(design: Design, fault: str, accuracy: float, seeds: range) -> dict[str, Any]:
    found = planted = false = honest = 0
    codes: dict[str, int] = {}
    for seed in seeds:
        votes, bad = draw(design, fault, accuracy, seed)
        flags = audited(votes, design)
        for person in range(design.annotators):
            own = flags.get(f"p{person:03d}", set())
            if person in bad:
                planted += 1
                found += bool(own & FAULTS[fault])
            else:
                honest += 1
                false += bool(own)
                for code in own:
                    codes[code] = codes.get(code, 0) + 1
    return {
        "found": found / planted if planted else float("nan"),
        "false": false / honest,
        "codes": codes,
    }


def _bound(design: Design, accuracy: float, share: float, *, draws: int = 40_000) -> float:
    """Return how often the best test finds one whose answers are random for this share of items."""
    chance = generator(1, f"bound.{design}.{accuracy}.{share}")
    shares, labels = np.array(design.shares), len(design.shares)
    wrong = shares[None, :] * (1 - np.eye(labels))
    honest = accuracy * np.eye(labels) + (1 - accuracy) * wrong / wrong.sum(axis=1, keepdims=True)
    votes = design.items * design.per_item // design.annotators
    bad = (1 - share) * honest + share / labels
    scores = []
    for rates in (honest, bad):
        total = np.zeros(draws)
        for _ in range(votes):
            truth = chance.choice(labels, draws, p=shares)
            odds = np.tile(np.log(shares), (draws, 1))
            for _ in range(design.per_item - 1):
                odds += np.log(honest[:, _draw_labels(chance, honest[truth])].T)
            posterior = np.exp(odds - odds.max(axis=1, keepdims=True))
            posterior /= posterior.sum(axis=1, keepdims=True)
            own = _draw_labels(chance, rates[truth])
            likely = [(posterior * table[:, own].T).sum(axis=1) for table in (bad, honest)]
            total += np.log(likely[0] / likely[1])
        scores.append(total)
    limit = np.quantile(scores[0], 1 - 0.05 / design.annotators)
    return float((scores[1] > limit).mean())


def _draw_labels(chance: Chance, rates: np.ndarray) -> np.ndarray:
    """Return a label for each row of probabilities."""
    sums = rates.cumsum(axis=1)
    drawn: np.ndarray = (chance.random(len(rates))[:, None] > sums[:, :-1]).sum(axis=1)
    return drawn


def audited(votes: pa.Table, design: Design) -> dict[str, set[str]]:
    """Audit votes; returns the codes of everybody's flags."""
    if design.kind == "spans":
        from pipeline.contracts.spec import load_spec

        record = audit(votes, task=task_of("ner"), spec=load_spec("ner"), bootstrap=0)
    else:
        level = "nominal" if design.kind == "labels" else "interval"
        record = audit(votes, level=level, bootstrap=0)
    people = record["per_annotator"]
    return {name: {flag["code"] for flag in person["flags"]} for name, person in people.items()}


def draw(design: Design, fault: str, accuracy: float, seed: int) -> tuple[pa.Table, set[int]]:
    """Return the votes of one draw, and who was planted: the first, and the second of a pair."""
    chance = generator(seed, f"power.{design}.{fault}.{accuracy}")
    seats = _assign(design, chance)
    pair = fault in ("copy of a colleague", "two share random answers")
    if pair:
        _share(seats, chance)
    answer = {"labels": _labels, "scores": _labels, "spans": _spans}[design.kind]
    given = answer(design, chance, seats, fault, accuracy)
    if pair:
        _copy(seats, given)
    bad = set() if fault == "nobody" else {0, 1} if pair else {0}
    pace = np.exp(chance.normal(3, 0.25, design.annotators))
    if fault.startswith("fast"):
        pace[0] = np.exp(3) / 5
    return _table(design, chance, seats, given, pace), bad


def _assign(design: Design, chance: Chance) -> np.ndarray:
    """Return who judges each item, (items, votes), everybody about as many."""
    seats = np.empty((design.items, design.per_item), np.int64)
    load = np.zeros(design.annotators)
    for item in range(design.items):
        order = np.lexsort((chance.random(design.annotators), load))
        seats[item] = chance.permutation(order[: design.per_item])
        load[seats[item]] += 1
    return seats


def _share(seats: np.ndarray, chance: Chance) -> None:
    """Exchange seats until the first two annotators share `SHARED` items, if they can."""
    for _ in range(_TRIES):
        zero, one = (seats == 0).any(axis=1), (seats == 1).any(axis=1)
        if (zero & one).sum() >= SHARED or not (one & ~zero).any() or not (zero & ~one).any():
            return
        here = int(chance.choice(np.flatnonzero(zero & ~one)))
        there = int(chance.choice(np.flatnonzero(one & ~zero)))
        free = [seat for seat, who in enumerate(seats[here]) if who not in seats[there]]
        free = [seat for seat in free if seats[here, seat] != 0]
        if free:
            seat = free[0]
            place = int(np.flatnonzero(seats[there] == 1)[0])
            seats[here, seat], seats[there, place] = 1, seats[here, seat]


def _copy(seats: np.ndarray, given: np.ndarray) -> None:
    """Give the first annotator the answers of the second wherever they share an item."""
    for item in np.flatnonzero((seats == 0).any(axis=1) & (seats == 1).any(axis=1)):
        given[item, seats[item] == 0] = given[item, seats[item] == 1]


def _progress(seats: np.ndarray, person: int) -> np.ndarray:
    """Return how far the person is through their items, 0 to 1, (items,)."""
    own = (seats == person).any(axis=1)
    return np.cumsum(own) / max(own.sum(), 1)


def _wrongness(fault: str, seats: np.ndarray, chance: Chance) -> np.ndarray:
    """Return where the first annotator answers at random, (items,)."""
    length, progress = len(seats), _progress(seats, 0)
    if fault in ("random", "random by prior", "fast and random", "two share random answers"):
        return np.ones(length, bool)
    if fault == "half random":
        return chance.random(length) < 0.5
    if fault == "slow drift":
        return chance.random(length) < progress
    if fault == "random from halfway":
        return progress > 0.5
    return np.zeros(length, bool)


def _labels(
    design: Design, chance: Chance, seats: np.ndarray, fault: str, accuracy: float
) -> np.ndarray:
    shares, many = np.array(design.shares), len(design.shares)
    truth = chance.choice(many, design.items, p=shares)[:, None]
    wrong = _other(design, chance, np.broadcast_to(truth, seats.shape))
    given = np.where(chance.random(seats.shape) < accuracy, truth, wrong)
    bad = (seats == 0) | ((seats == 1) & (fault == "two share random answers"))
    prior = shares if fault == "random by prior" else np.full(many, 1 / many)
    noise = chance.choice(many, seats.shape, p=prior)
    given = np.where(bad & _wrongness(fault, seats, chance)[:, None], noise, given)
    change = _CHANGES.get(fault)
    if change is not None:
        given = np.where(bad, change(design, chance, given), given)
    return given


def _other(design: Design, chance: Chance, truth: np.ndarray) -> np.ndarray:
    """Return wrong labels: by prior, or a neighbour of a score."""
    many = len(design.shares)
    if design.kind == "scores":
        step = np.where(
            truth == 0, 1, np.where(truth == many - 1, -1, chance.choice([-1, 1], truth.shape))
        )
        return truth + step
    wrong = chance.choice(many, truth.shape, p=np.array(design.shares))
    while (same := wrong == truth).any():
        wrong[same] = chance.choice(many, int(same.sum()), p=np.array(design.shares))
    return wrong


def _constant(design: Design) -> int:
    return len(design.shares) // 2 if design.kind == "scores" else 0


def _two(design: Design) -> tuple[int, int]:
    return (1, 3) if design.kind == "scores" else (0, 1)


def _swap(design: Design, given: np.ndarray, *, both: bool) -> np.ndarray:
    first, second = _two(design)
    out = np.where(given == second, first, given)
    return np.where(given == first, second, out) if both else out


def _never(design: Design, chance: Chance, given: np.ndarray) -> np.ndarray:
    return np.where(given == 1, _other(design, chance, np.ones(given.shape, np.int64)), given)


_CHANGES: dict[str, Callable[[Design, Chance, np.ndarray], np.ndarray]] = {
    "constant": lambda design, _chance, given: np.full(given.shape, _constant(design)),
    "constant 97 %": lambda design, chance, given: np.where(
        chance.random(given.shape) < 0.97, _constant(design), given
    ),
    "swap of two labels": lambda design, _chance, given: _swap(design, given, both=True),
    "swap one way": lambda design, _chance, given: _swap(design, given, both=False),
    "never a label": _never,
    "shifted": lambda design, _chance, given: np.minimum(given + 1, len(design.shares) - 1),
    "reversed": lambda design, _chance, given: len(design.shares) - 1 - given,
    "compressed": lambda _design, _chance, given: np.round(2 + 0.5 * (given - 2) + 0.01).astype(
        int
    ),
}


def _spans(
    design: Design, chance: Chance, seats: np.ndarray, fault: str, accuracy: float
) -> np.ndarray:
    truths = [_true_spans(design, chance) for _ in range(design.items)]
    at_random = _wrongness(fault, seats, chance)
    given = np.empty(seats.shape, object)
    for item, seat in np.ndindex(*seats.shape):
        bad = seats[item, seat] == 0 or (
            seats[item, seat] == 1 and fault == "two share random answers"
        )
        spans = _honest_spans(truths[item], chance, accuracy)
        if bad and at_random[item]:
            spans = _random_spans(design, chance, prior=fault == "random by prior")
        given[item, seat] = _changed(spans, fault, chance) if bad else spans
    return given


def _true_spans(design: Design, chance: Chance) -> list[tuple[int, int, str]]:
    many = min(int(chance.poisson(2.2)), 6)
    starts = sorted(chance.choice(range(1, LENGTH - 8, 8), many, replace=False).tolist())
    return [
        (start, start + int(chance.integers(2, 6)), str(chance.choice(TYPES, p=design.shares)))
        for start in starts
    ]


def _honest_spans(
    truth: list[tuple[int, int, str]], chance: Chance, accuracy: float
) -> list[tuple[int, int, str]]:
    spans = []
    for start, end, label in truth:
        fate = 3 if chance.random() < accuracy else int(chance.integers(3))
        other = str(chance.choice([name for name in TYPES if name != label]))
        if fate:
            spans.append((start, end + (fate == 1), other if fate == 2 else label))
    if chance.random() < 1 - accuracy:
        spans += _random_spans(None, chance, prior=False)[:1]
    return spans


def _random_spans(
    design: Design | None, chance: Chance, *, prior: bool
) -> list[tuple[int, int, str]]:
    many = min(int(chance.poisson(2.2)), 6)
    starts = chance.choice(range(0, LENGTH - 8, 4), many, replace=False).tolist()
    shares = design.shares if prior and design is not None else None
    return [
        (start, start + int(chance.integers(1, 8)), str(chance.choice(TYPES, p=shares)))
        for start in sorted(starts)
    ]


def _changed(
    spans: list[tuple[int, int, str]], fault: str, chance: Chance
) -> list[tuple[int, int, str]]:
    if fault == "constant" or (fault == "constant 97 %" and chance.random() < 0.97):
        return []
    names = {"swap of two labels": {"PS": "LC", "LC": "PS"}, "swap one way": {"LC": "PS"}}
    if fault == "never a label":
        return [
            (s, e, str(chance.choice(["PS", "OG", "DT"])) if t == "LC" else t) for s, e, t in spans
        ]
    swap = names.get(fault, {})
    return [(start, end, swap.get(label, label)) for start, end, label in spans]


def _table(
    design: Design, chance: Chance, seats: np.ndarray, given: np.ndarray, pace: np.ndarray
) -> pa.Table:
    many = seats.size
    seconds = pace[seats.ravel()] * np.exp(chance.normal(0, 0.5, many))
    item = np.repeat(np.arange(design.items), design.per_item)
    task, round_ = ("ner", "tag") if design.kind == "spans" else ("tc", "main")
    rows = [
        {
            "item": f"i{item[row]:05d}",
            "task": task,
            "role": "annotator",
            "round": round_,
            "attempt": 1,
            "simulated": True,
            "annotator": f"p{seats.ravel()[row]:03d}",
            "label": _written(design, given.ravel()[row]),
            "at": START + timedelta(minutes=int(row)),
            "seconds": float(seconds[row]),
        }
        for row in range(many)
    ]
    return schemas.build("votes", rows)


def _written(design: Design, answer: Any) -> str:
    if design.kind == "spans":
        spans = [{"start": s, "end": e, "label": t} for s, e, t in sorted(answer)]
        return json.dumps(spans)
    return str(int(answer) + 1) if design.kind == "scores" else json.dumps(f"L{int(answer)}")


if __name__ == "__main__":
    sys.exit(main())
