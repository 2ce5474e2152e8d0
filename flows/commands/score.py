"""Predictions or votes against gold: what `klue score` does."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain, combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from flows.commands.examples import gold_at
from flows.commands.releases import task_at
from flows.commands.votes import load, task_and_spec
from flows.view.console import Result, say
from flows.view.scoring_table import show_scores
from pipeline.contracts.example import Prediction
from pipeline.contracts.spec import TaskSpec
from pipeline.contracts.splits import SPLITS
from pipeline.contracts.task import Task
from pipeline.core import schemas, store
from pipeline.core.errors import InputError
from pipeline.core.files import refuse
from pipeline.core.jsontext import canonical
from pipeline.core.store import MANIFEST
from pipeline.core.wording import count
from pipeline.release.manifest import read_manifest
from pipeline.release.reading import released_splits
from pipeline.scoring.breakdown import breakdown
from pipeline.scoring.harness.samples import read_samples
from pipeline.scoring.human_baseline import human_baseline
from pipeline.scoring.measure import VARIANTS, Floats, Measure, Variant
from pipeline.scoring.resampling import Plan, Samples, compare, interval, samples
from pipeline.scoring.scorer import Gold, Measures, Scores, gold_of, round_score, scorer_of, scores
from pipeline.scoring.submission import bare_name, read_submission

#: Samples of language models are in the form that lm-evaluation-harness logs.
LM_EVAL: Final = "lm-eval"
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

    def variant_and_plan(self) -> tuple[Variant, Plan]:
        """Return variant and plan of draws; raises InputError for options that are at odds."""
        if self.variant not in VARIANTS:
            raise InputError(
                f"--variant {self.variant!r} is not known; allowed: {', '.join(VARIANTS)}"
            )
        is_human, more = self.human is not None, self.breakdown or self.bootstrap
        if bool(self.pred) == is_human:
            raise InputError("give --pred FILE (once for each system), or --human VOTES")
        refuse(
            "options",
            (is_human and more, "--breakdown and --bootstrap are for --pred; leave them out"),
            (
                not is_human and self.source not in (None, LM_EVAL),
                f"--from {LM_EVAL} says that --pred are samples of lm-evaluation-harness; other"
                " tools are for --human; leave it out",
            ),
            (
                self.source == LM_EVAL and (is_human or not (self.gold / MANIFEST).is_file()),
                f"--from {LM_EVAL} needs --pred, and the release that was exported as --gold",
            ),
        )
        return self.variant, Plan(self.draws, self.confidence, self.seed)


@dataclass(frozen=True)
class _System:
    predictions: Sequence[Prediction]
    measures: Measures
    scores: Scores
    unparsed: float | None = None

    def scored_measures(self) -> dict[str, Measure]:
        """Return the metrics that have a score."""
        return {
            metric: measure
            for metric, measure in self.measures.items()
            if not isinstance(measure, str) and self.scores.values[metric] is not None
        }


def score(**options: Any) -> Result:
    """Return the scores of systems, or of people."""
    request = Scoring(**options)
    variant, plan = request.variant_and_plan()
    task, spec = task_and_spec(task_at(request.gold, request.task).id, request.specs)
    gold = gold_of(gold_at(request.gold, task, split=request.split), scorer_of(task.id), spec)
    if request.human is not None:
        votes = _votes(request.human, request.source, task, spec, gold)
        votes = votes.filter(pc.invert(pc.is_in(votes["item"], value_set=_others(request, task))))
        human = human_baseline(votes, gold, variant)
        best = human["annotators"][human["best"]]
        scores_of_best = {name: best[name] for name in human["mean"]}
        result = {"n": human["items"], "scores": scores_of_best, "human": human}
    else:
        result = {"n": len(gold), **_score_systems(request, gold, variant, plan)}
    return {"task": task.id, "variant": variant, **result}, show_scores


def _score_systems(request: Scoring, gold: Gold, variant: Variant, plan: Plan) -> dict[str, Any]:
    systems = {}
    submissions = _submissions(request, gold)
    for name, (predictions, unparsed) in zip(_names(request.pred), submissions, strict=True):
        measures = gold.measures(predictions, variant)
        systems[name] = _System(predictions, measures, scores(measures, len(gold)), unparsed)
    all_samples: Samples = {}
    if request.bootstrap or len(systems) > 1:
        say(f"drawing {count(request.draws, 'time')} from {count(len(gold), 'example')}")
        all_samples = samples(
            {name: system.scored_measures() for name, system in systems.items()}, len(gold), plan
        )
    records = {
        name: _record(request, gold, system, all_samples.get(name))
        for name, system in systems.items()
    }
    first = next(iter(records.values()))
    if len(systems) == 1:
        return first
    comparisons = _comparisons(systems, all_samples, request.confidence)
    return {**first, "systems": records, "comparisons": comparisons}


def _submissions(request: Scoring, gold: Gold) -> list[tuple[list[Prediction], float | None]]:
    """Return predictions of each file, and of samples the share that cannot be read."""
    read = partial(_read_samples, request) if request.source == LM_EVAL else _read_predictions
    submissions, faults = [], []
    for path in request.pred:
        try:
            submissions.append(read(path, gold))
        except InputError as error:
            faults.append(str(error))
    if faults:
        raise InputError("\n".join(faults))
    prompts = {prompt: path for path, (*_, prompt) in zip(request.pred, submissions, strict=True)}
    if len(prompts) > 1:
        named = "; ".join(f"{path}: {prompt}" for prompt, path in prompts.items())
        raise InputError(
            f"systems were asked with different prompts ({named}), so their scores do not compare;"
            " give samples of one prompt, or score each file alone"
        )
    return [(predictions, unparsed) for predictions, unparsed, _ in submissions]


def _read_predictions(path: Path, gold: Gold) -> tuple[list[Prediction], None, None]:
    return read_submission(path, gold), None, None


def _read_samples(request: Scoring, path: Path, gold: Gold) -> tuple[list[Prediction], float, str]:
    release = read_manifest(request.gold).release_hash
    (split,) = (name for name in SPLITS if name == (request.split or "test"))
    samples = read_samples(path, gold, release=release, split=split)
    return samples.predictions, samples.unparsed, samples.prompt


def _names(paths: Sequence[Path]) -> list[str]:
    """Return the name of each file without its endings; a number makes equal ones differ."""
    names: list[str] = []
    for path in paths:
        bare = bare_name(path)
        choices = chain([bare], (f"{bare}-{number}" for number in itertools.count(2)))
        names.append(next(name for name in choices if name not in names))
    return names


def _record(
    request: Scoring, gold: Gold, system: _System, samples_of_system: Mapping[str, Floats] | None
) -> dict[str, Any]:
    record: dict[str, Any] = {"scores": system.scores.values}
    if system.unparsed is not None:
        record["unparsed"] = round_score(system.unparsed)
    if system.scores.reasons:
        record["reasons"] = system.scores.reasons
    if samples_of_system is not None:
        intervals = {
            name: interval(samples_of_system[name], request.confidence)
            for name in samples_of_system
        }
        record["intervals"] = {
            name: [round_score(end) for end in ends] if (ends := intervals.get(name)) else None
            for name in system.scores.values
        }
    if request.breakdown:
        record["breakdown"] = breakdown(gold, system.predictions, system.measures)
    return record


def _comparisons(
    systems: Mapping[str, _System], all_samples: Samples, confidence: float
) -> list[dict[str, Any]]:
    comparisons = []
    for a, b in combinations(systems, 2):
        for metric in systems[a].scores.values:
            if metric in all_samples[a] and metric in all_samples[b]:
                first, second = (systems[name].scores.values[metric] for name in (a, b))
                comparison = compare(
                    first, second, all_samples[a][metric], all_samples[b][metric], confidence
                )
                numbers = {name: round_score(number) for name, number in asdict(comparison).items()}
                comparisons.append({"a": a, "b": b, "metric": metric, **numbers})
    return comparisons


def _others(request: Scoring, task: Task) -> pa.Array:
    """Return the examples of a release that are in other splits than the gold."""
    if not (request.gold / MANIFEST).is_file():
        return pa.array([], pa.string())
    splits = released_splits(request.gold)[task.id]
    wanted = request.split or "test"
    return pa.array([name for name, split in splits.items() if split != wanted], pa.string())


def _votes(path: Path, source: str | None, task: Task, spec: TaskSpec, gold: Gold) -> pa.Table:
    if task.free or path.is_dir():
        loaded = load(path, task=task, spec=spec, source=source)
    else:  # answers that point into their items are checked against those of the gold
        rows: list[dict[str, object]] = [
            {"item": example.id, "task": gold.spec.task, "fields": canonical(dict(example.fields))}
            for example in gold.examples
        ]
        with TemporaryDirectory() as folder:
            items = Path(folder) / "items.parquet"
            store.write_parquet(items, schemas.build("items", rows))
            loaded = load(path, task=task, spec=spec, source=source, items=items)
    if strange := loaded.refused[_UNKNOWN]:
        raise InputError(
            f"--human {path}: {count(strange, 'vote')} about items that are not in the gold; give"
            " the gold that the items were drawn from"
        )
    for line in loaded.messages:
        say(f"not counted: {line}")
    return loaded.votes
