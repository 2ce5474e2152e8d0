"""Predictions or votes against gold: what `klue score` does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa

from flows.commands.examples import gold_at
from flows.commands.votes import Loaded, load, task_and_spec
from flows.view import scoring_table
from flows.view.console import emit_json, say
from pipeline.contracts.example import Prediction
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.task import Task
from pipeline.core import schemas, store
from pipeline.core.errors import InputError
from pipeline.core.jsontext import canonical
from pipeline.scoring.breakdown import breakdown
from pipeline.scoring.human_baseline import human_baseline
from pipeline.scoring.measure import VARIANTS, Variant
from pipeline.scoring.resampling import Interval, Plan, Samples, compare, interval, samples
from pipeline.scoring.scorer import Gold, Measures, Scores, gold_of, rounded, scorer_of, scores
from pipeline.scoring.submission import bare_name, read_submission

#: What a vote about an item breaks that the gold does not have.
_UNKNOWN = "vote.unknown_item@1"


@dataclass(frozen=True)
class Scoring:
    """What `klue score` was asked for."""

    task: str
    gold: Path
    pred: tuple[Path, ...] = ()
    human: Path | None = None
    source: str | None = None
    split: str | None = None
    variant: str = "klue"
    breakdown: bool = False
    bootstrap: bool = False
    draws: int = 1_000
    confidence: float = 0.95
    seed: int = 0
    specs: Path | None = None

    @property
    def plan(self) -> Plan:
        """Return how is drawn; raises InputError for numbers out of range."""
        return Plan(self.draws, self.confidence, self.seed)

    def checked(self) -> Variant:
        """Return the variant; raises InputError for options that do not go together."""
        if self.variant not in VARIANTS:
            raise InputError(
                f"--variant {self.variant!r} is not known; allowed: {', '.join(VARIANTS)}"
            )
        if bool(self.pred) == (self.human is not None):
            raise InputError("give --pred FILE (once for each system), or --human VOTES")
        if self.human is not None and (self.breakdown or self.bootstrap):
            raise InputError("--breakdown and --bootstrap are for --pred; leave them out")
        if self.human is None and self.source is not None:
            raise InputError("--from says what --human is; leave it out")
        _ = self.plan
        return self.variant


@dataclass(frozen=True)
class _System:
    predictions: Sequence[Prediction]
    measures: Measures
    scores: Scores


def run(request: Scoring, *, as_json: bool) -> None:
    """Score and print what was found."""
    variant = request.checked()
    task, spec = task_and_spec(request.task, request.specs)
    examples = gold_at(request.gold, task, split=request.split)
    gold = gold_of(examples, scorer_of(task.id), spec)
    if request.human is not None:
        votes = _votes(request.human, request.source, task, spec, gold)
        found = _human(human_baseline(votes, gold, variant))
    else:
        found = {"n": len(gold), **_systems(request, gold, variant)}
    record = {"task": task.id, "variant": variant, **found}
    if as_json:
        emit_json(record)
    else:
        scoring_table.show(record)


def _human(found: dict[str, Any]) -> dict[str, Any]:
    """Return the record of people: `scores` are those of the top scoring one."""
    best = found["annotators"][found["best"]]
    scores_of = {name: best[name] for name in found["mean"]}
    return {"n": found["items"], "scores": scores_of, "human": found}


def _systems(request: Scoring, gold: Gold, variant: Variant) -> dict[str, Any]:
    names = _names(request.pred)
    given = _submissions(request.pred, gold)
    systems = {}
    for name, predictions in zip(names, given, strict=True):
        measures = gold.measures(predictions, variant)
        systems[name] = _System(predictions, measures, scores(measures, len(gold)))
    drawn = _drawn(request, systems, len(gold))
    told_of = {
        name: _told(request, gold, one, drawn.get(name) if drawn else None)
        for name, one in systems.items()
    }
    record = dict(told_of[names[0]])
    if len(names) > 1:
        record["systems"] = told_of
        record["comparisons"] = _comparisons(systems, drawn or {}, request.confidence)
    return record


def _submissions(paths: Sequence[Path], gold: Gold) -> list[list[Prediction]]:
    """Read all files; raises InputError that tells the faults of all."""
    found, faults = [], []
    for path in paths:
        try:
            found.append(read_submission(path, gold))
        except InputError as error:
            faults.append(str(error))
    if faults:
        raise InputError("\n".join(faults))
    return found


def _names(paths: Sequence[Path]) -> list[str]:
    """Return the name of each file without its endings; a number makes equal ones differ."""
    found: list[str] = []
    for path in paths:
        name, number = bare_name(path), 2
        while name in found:
            name, number = f"{bare_name(path)}-{number}", number + 1
        found.append(name)
    return found


def _drawn(request: Scoring, systems: Mapping[str, _System], n: int) -> Samples | None:
    """Return the metrics of all systems over the same draws, where they are wanted."""
    if not request.bootstrap and len(systems) == 1:
        return None
    say(f"drawing {request.draws:,} times from {n:,} examples")
    wanted = {
        name: {
            metric: measure
            for metric, measure in one.measures.items()
            if not isinstance(measure, str) and one.scores.values[metric] is not None
        }
        for name, one in systems.items()
    }
    return samples(wanted, n, request.plan)


def _told(request: Scoring, gold: Gold, one: _System, drawn: Any) -> dict[str, Any]:
    """Return scores, reasons, intervals and breakdown of a system."""
    record: dict[str, Any] = {"scores": one.scores.values}
    if one.scores.reasons:
        record["reasons"] = one.scores.reasons
    if drawn is not None:
        record["intervals"] = {
            name: _ends(interval(drawn[name], request.confidence)) if name in drawn else None
            for name in one.scores.values
        }
    if request.breakdown:
        record["breakdown"] = breakdown(gold, one.predictions, one.measures)
    return record


def _ends(given: Interval | None) -> list[float | None] | None:
    return None if given is None else [rounded(given[0]), rounded(given[1])]


def _comparisons(
    systems: Mapping[str, _System], drawn: Samples, confidence: float
) -> list[dict[str, Any]]:
    """Compare each system with each later one, by each metric that both have."""
    found = []
    for a, b in combinations(systems, 2):
        for metric in systems[a].scores.values:
            if metric in drawn[a] and metric in drawn[b]:
                first, second = (systems[name].scores.values[metric] for name in (a, b))
                one = compare(first, second, drawn[a][metric], drawn[b][metric], confidence)
                numbers = {name: rounded(number) for name, number in asdict(one).items()}
                found.append({"a": a, "b": b, "metric": metric, **numbers})
    return found


def _votes(path: Path, source: str | None, task: Task, spec: TaskSpec, gold: Gold) -> pa.Table:
    """Return the votes of people; those refused are told. Raises InputError."""
    if task.free or path.is_dir():
        found = load(path, task=task, spec=spec, source=source)
    else:  # answers that point into their items are checked against those of the gold
        with TemporaryDirectory() as folder:
            items = Path(folder) / "items.parquet"
            store.write_parquet(items, _items(gold))
            found = load(path, task=task, spec=spec, source=source, items=items)
    _tell(path, found)
    return found.votes


def _tell(path: Path, found: Loaded) -> None:
    if strange := found.refused[_UNKNOWN]:
        raise InputError(
            f"--human {path}: {strange:,} votes are about items that are not in the gold; give the"
            " gold that the items were drawn from"
        )
    for line in found.messages:
        say(f"not counted: {line}")


def _items(gold: Gold) -> pa.Table:
    rows: list[dict[str, object]] = [
        {"item": one.id, "task": gold.spec.task, "fields": canonical(dict(one.fields))}
        for one in gold.examples
    ]
    return schemas.build("items", rows)
