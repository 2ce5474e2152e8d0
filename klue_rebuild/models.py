"""Predictions scored, and the baseline step: a model trained on examples."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from klue_rebuild.arguments import checked
from klue_rebuild.items import conformed, gold_file
from klue_rebuild.records import Scores, Trained
from klue_rebuild.scratch import Scratch, path_or_none, scratch, without_none
from klue_rebuild.tables import Data, Place, arrow_table, frame_of_rows, is_place
from klue_rebuild.votes import SEED

if TYPE_CHECKING:
    import pandas as pd

_SCORE: Final = ("system", "metric", "score", "low", "high", "reason")
_COMPARISON: Final = ("a", "b", "metric")
_RUN: Final = ("task", "split", "metric", "variant", "score")


@checked
def score(
    gold: Data,
    predictions: Data | Mapping[str, Data],
    *,
    task: str,
    split: str | None = None,
    variant: str = "klue",
    breakdown: bool = False,
    bootstrap: bool = False,
    draws: int = 1_000,
    confidence: float = 0.95,
    seed: int = SEED,
    specs: Place | None = None,
) -> Scores:
    """Score predictions as KLUE does, and compare systems: `klue score`.

    `gold` is a release or another path of what the command takes, or a table: `Split.examples`, a
    frame of `Release.examples`, or labelled items. `split` picks from examples of several (test if
    not given). `predictions` are a table with `guid` and `label` (docs/scoring.md has the form of
    each task), one for each example, or a path; a mapping names several systems, which are compared
    by a paired bootstrap of `draws`. `variant` is ``klue`` (the published computation) or
    ``strict`` (the paper's words). `bootstrap` adds intervals that hold `confidence`.

    Returns `Scores`: `values` by metric, from 0 to 100 (None where it is not defined); the frame
    `table` with `system`, `metric`, `score`, `low`, `high`, `reason`; `comparisons` of each two
    systems. With `breakdown`, `as_json()` also has the scores by source, class and length.

    Raises InputError that names each fault of the predictions by row and guid.

    >>> klue_rebuild.score(gold, answers, task="nli").values
    {'accuracy': 66.666667}
    """
    from flows.commands import score as command

    systems = predictions if isinstance(predictions, Mapping) else {"predictions": predictions}
    with scratch() as place:
        files = [place.file(data, name) for name, data in _as_files(systems)]
        record, _ = command.score(
            task=task,
            gold=gold_file(place, gold, task),
            pred=tuple(files),
            variant=variant,
            breakdown=breakdown,
            bootstrap=bootstrap,
            draws=draws,
            confidence=confidence,
            seed=seed,
            **without_none(split=split, specs=path_or_none(specs)),
        )
        record = _named(record, list(systems))
        return Scores(
            task=record["task"],
            variant=record["variant"],
            n=record["n"],
            values=record["scores"],
            table=frame_of_rows(_score_rows(record, next(iter(systems))), _SCORE),
            comparisons=_comparisons(record),
            notes=place.notes,
            record=record,
        )


@checked
def train(
    examples: Data,
    task: str,
    model: str,
    *,
    out: Place,
    settings: Mapping[str, Any] | None = None,
    recipe: Place | None = None,
    seed: int = 0,
    precision: str = "auto",
    holdout: float | None = None,
    new_head: bool = False,
    download: bool = False,
    specs: Place | None = None,
) -> Trained:
    """Train a model on examples, keep the best on dev, predict and score: `klue train`.

    `examples` is a release, a folder of official files or of `klue split`, or the table
    `Split.examples`. `task` may be ``all`` for a folder. `model` is a folder, a model of the hub,
    or ``scratch:tiny`` (mini, small, base, large). Runs are written to `out`, a folder for each
    task; a run that was stopped goes on. `settings` change numbers of the recipe, such as
    ``{"epochs": 3}``. Needs the extra `train`; progress is written to standard error.

    Returns `Trained`: `folders` by task, and the frame `scores` with `task`, `split`, `metric`,
    `variant` (klue, strict) and `score` (0 to 100).

    Raises InputError or SpecError for what cannot be trained, MissingDependencyError without torch.

    >>> klue_rebuild.train(release.folder, "nli", "scratch:tiny", out="runs").scores
    """
    from flows import train as command
    from flows.view.progress import show_steps

    with scratch(quiet=False) as place, show_steps("train"):
        record, _ = command.train(
            place=_examples_folder(place, examples),
            task=task,
            model=model,
            out=Path(out),
            settings=tuple(f"{name}={json.dumps(x)}" for name, x in (settings or {}).items()),
            seed=seed,
            precision=precision,
            new_head=new_head,
            download=download,
            **without_none(recipe=path_or_none(recipe), holdout=holdout, specs=path_or_none(specs)),
        )
    return Trained(
        folders={run["task"]: Path(out) / run["task"] for run in record["runs"]},
        scores=frame_of_rows(_run_rows(record), _RUN),
        record=record,
    )


def _as_files(systems: Mapping[str, Data]) -> Iterator[tuple[str, Data]]:
    """Yield the tables under names that files can have; messages name them so."""
    for place, (name, data) in enumerate(systems.items()):
        yield (name if len(systems) == 1 else f"predictions-{place}"), data


def _named(record: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """Return a record whose systems have the names that the caller gave them."""
    if "systems" not in record:
        return record
    files = dict(zip(record["systems"], names, strict=True))
    systems = {files[file]: scores for file, scores in record["systems"].items()}
    pairs = [{**row, "a": files[row["a"]], "b": files[row["b"]]} for row in record["comparisons"]]
    return {**record, "systems": systems, "comparisons": pairs}


def _score_rows(record: Mapping[str, Any], only: str) -> Iterator[dict[str, Any]]:
    for system, row in record.get("systems", {only: record}).items():
        for metric, value in row["scores"].items():
            low, high = (row.get("intervals") or {}).get(metric) or (None, None)
            reason = (row.get("reasons") or {}).get(metric)
            numbers = {"score": value, "low": low, "high": high}
            yield {"system": system, "metric": metric, **numbers, "reason": reason}


def _comparisons(record: Mapping[str, Any]) -> pd.DataFrame:
    rows = record.get("comparisons", [])
    more = [name for row in rows for name in row]
    return frame_of_rows(rows, list(dict.fromkeys((*_COMPARISON, *more))))


def _examples_folder(place: Scratch, examples: Data) -> Path:
    """Return the folder of examples; a table is written as `klue split` writes it."""
    if is_place(examples):
        from klue_rebuild.releases import release_folder

        return release_folder(examples)
    from pipeline.core import schemas

    table = conformed(arrow_table(examples, "examples"), schemas.EXAMPLES)
    place.table(table, "examples")
    return place.folder


def _run_rows(record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for run in record["runs"]:
        for part, variants in run.get("scores", {}).items():
            for variant, scores in variants.items():
                for metric, value in scores.items():
                    numbers = {"metric": metric, "variant": variant, "score": value}
                    yield {"task": run["task"], "split": part, **numbers}
