"""Returned votes -> agreement -> gold: what `klue audit` and `klue aggregate` do."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from flows.commands.audit_page import write_page
from flows.commands.control_items import control_of
from flows.commands.gamma import gamma_of, require_spans, texts_of_spans
from flows.commands.outputs import check_choice, check_file, check_folder, check_page, write_rows
from flows.commands.unnamed_task import RuleOptions, require_annotators, unnamed_task
from flows.commands.votes import OFFICIAL, Loaded, is_tool_export, load, task_and_spec
from flows.view.audit_table import show_audit, show_gold, show_next_votes
from flows.view.console import Result, say
from pipeline.agreement.aggregation.aggregate import Aggregated
from pipeline.agreement.aggregation.aggregate import aggregate as aggregated
from pipeline.agreement.aggregation.next_votes import next_votes as ranked_items
from pipeline.agreement.aggregation.outcome import refusal_rows
from pipeline.agreement.audit import audit as audited
from pipeline.agreement.votes.selection import LEVELS, select
from pipeline.annotation.exports.read import READERS
from pipeline.annotation.intake.columns import HINT, parse_columns
from pipeline.annotation.intake.label_names import Measured, parse_labels
from pipeline.annotation.intake.vote import count_rules
from pipeline.core import store
from pipeline.core.errors import InputError
from pipeline.core.files import read_text, refuse


@dataclass(frozen=True)
class Audit:
    """What `klue audit` was asked for."""

    votes: Path
    bootstrap: int
    seed: int
    task: str | None = None
    level: str | None = None
    labels: str | None = None
    source: str | None = None
    columns: str | None = None
    wide: bool = False
    items: Path | None = None
    html: Path | None = None
    check: bool = False
    gamma: bool = False
    specs: Path | None = None


@dataclass(frozen=True)
class Aggregation:
    """What `klue aggregate` was asked for."""

    votes: Path
    task: str | None = None
    level: str | None = None
    labels: str | None = None
    rule: str | None = None
    margin: int | None = None
    minimum: int | None = None
    source: str | None = None
    columns: str | None = None
    wide: bool = False
    items: Path | None = None
    out: Path | None = None
    exclude: bool | None = None
    public_figures: Path | None = None
    crowd: str | None = None
    force: bool = False
    specs: Path | None = None


def audit(**options: Any) -> Result:
    """Audit a file of votes, and write the page if asked.

    With `check` packages compute coefficients and scores of matched sentences anew; the record's
    `ok` tells whether they agree. Raises InputError for options that do not go together, and for a
    file that gives no vote.
    """
    asked = Audit(**options)
    measured = measured_as(asked.task, asked.level, asked.labels, asked.source)
    refuse(
        f"--bootstrap {asked.bootstrap}",
        (not 0 <= asked.bootstrap <= 100_000, "is out of range; allowed: 0 to 100000"),
    )
    check_page("--html", asked.html, "audit.json")
    task, spec = (None, None) if asked.task is None else task_and_spec(asked.task, asked.specs)
    aligned = require_spans(task) if asked.gamma else None
    if asked.check:
        from flows.commands.reference import compare, require_packages

        require_packages()
    loaded = load(
        asked.votes,
        task=task,
        spec=spec,
        source=asked.source,
        measured=measured,
        items=asked.items,
        columns=parse_columns(asked.columns, wide=asked.wide),
    )
    _check_votes(asked.votes, loaded, asked.source)
    spans = None if aligned is None else texts_of_spans(loaded, aligned, spec)
    gold = None
    if task is not None and spec is not None:
        gold = aggregated(
            loaded.votes,
            task=task,
            spec=spec,
            items=loaded.items,
            exclude=asked.source != OFFICIAL,  # nobody is excluded from published votes
        ).gold
    labels = measured.allowed if measured is not None else ()
    record = audited(
        loaded.votes,
        task=task,
        spec=spec,
        level=loaded.level,
        labels=labels,
        items=loaded.items,
        gold=gold,
        bootstrap=asked.bootstrap,
        seed=asked.seed,
    )
    record["per_item"] = list(record["per_item"])
    record["refused"] = dict(sorted(loaded.refused.items()))
    record["unassigned"] = loaded.unassigned
    if (control := control_of(asked.votes)) is not None:
        record["control_items"] = control
    if spans is not None:
        coefficients, record["gamma"] = gamma_of(spans, bootstrap=asked.bootstrap, seed=asked.seed)
        record["coefficients"] |= coefficients
    if asked.check:
        selection = select(loaded.votes, task=task, spec=spec, level=loaded.level, labels=labels)
        record["check"] = compare(selection, record["coefficients"], task, loaded.items)
        record["ok"] = all(row["agrees"] for row in record["check"])
    if asked.html is not None:
        write_page(record, loaded, asked.html, task)
    return record, partial(show_audit, html=asked.html)


def measured_as(
    task: str | None, level: str | None, labels: str | None, source: str | None = None
) -> Measured | None:
    """Return how votes of no task are read, None where a tool's export says it.

    Raises InputError unless a task or that is given.
    """
    if is_tool_export(source, task) and level is None and labels is None:
        return None
    if (task is None) == (level is None and labels is None):
        raise InputError(
            "give either --task T, or --level L for votes of no task (or their --labels); levels:"
            f" {', '.join(LEVELS)}; exports of tools (--from {', '.join(READERS)}) need neither"
        )
    check_choice("--level", level, LEVELS)
    return parse_labels(labels, level)


def aggregate(**options: Any) -> Result:
    """Aggregate a file of votes; write gold, ledger and queue if asked.

    Raises InputError for options that do not go together, and for a file that gives no vote.
    """
    request = Aggregation(**options)
    check_folder("--out", request.out, _GOLD_FILES, force=request.force)
    result, record = aggregate_votes(request)
    if request.out is not None:
        record["out"] = [str(path) for path in _write_gold(result, request.out)]
    return record, show_gold


def aggregate_votes(request: Aggregation) -> tuple[Aggregated, dict[str, Any]]:
    """Return the gold of votes of a task, or of no task by its options, and the record of it.

    Raises InputError as `aggregate` does.
    """
    measured = measured_as(request.task, request.level, request.labels, request.source)
    rule = RuleOptions(request.rule, request.margin, request.minimum)
    rule.require_no_task(request.task)
    task, spec = None, None
    if request.task is not None:
        task, spec = task_and_spec(request.task, request.specs)
    elif measured is not None:
        rule.aggregation(measured.level)  # before the votes are read
    loaded = load(
        request.votes,
        task=task,
        spec=spec,
        source=request.source,
        measured=measured,
        items=request.items,
        columns=parse_columns(request.columns, wide=request.wide),
    )
    _check_votes(request.votes, loaded, request.source)
    votes, record = loaded.votes, {"task": task and task.id, "spec": spec and spec.name}
    if loaded.level is not None:
        task, spec, votes = unnamed_task(votes, measured or Measured(loaded.level, {}), rule)
        require_annotators(votes, spec)
        record["level"] = loaded.level
    assert task is not None and spec is not None
    exclude = request.source != OFFICIAL if request.exclude is None else request.exclude
    result = aggregated(
        votes,
        task=task,
        spec=spec,
        items=loaded.items,
        unvoted=loaded.refused_items,
        exclude=exclude,
        public_figures=_names(request.public_figures),
        crowd=request.crowd.replace("-", "_") if request.crowd is not None else None,
    )
    record |= {"rule": spec.aggregation.rule, **result.summary}
    without_gold = refusal_rows(result.gold, loaded.quarantined)
    ledger = pa.concat_tables([loaded.quarantined, result.ledger, without_gold])
    return replace(result, ledger=ledger), record | {
        "refused": dict(sorted(loaded.refused.items()))
    }


def next_votes(*, budget: int | None = None, **options: Any) -> Result:
    """Rank the items of votes by what one more vote adds; write them if asked.

    Raises InputError as `aggregate` does, and for a budget of no votes.
    """
    request = Aggregation(**options)
    refuse(f"--budget {budget}", (budget is not None and budget < 1, "must be at least 1"))
    check_file("--out", request.out, force=request.force)
    result, record = aggregate_votes(request)
    ranked = ranked_items(result, budget=budget)
    names = ("task", "spec", "level", "rule", "items", "unresolved", "removed", "refused")
    record = {name: record[name] for name in names if name in record} | asdict(ranked)
    record["next"] = record.pop("rows")
    if request.out is not None:
        write_rows(request.out, ranked.rows)
        record["out"] = str(request.out)
    return record, show_next_votes


def _names(path: Path | None) -> frozenset[str] | None:
    if path is None:
        return None
    lines = read_text(path, "a file of names, one a line, as --public-figures").splitlines()
    return frozenset(name.strip() for name in lines if name.strip())


#: The columns of gold that hold JSON.
_AS_JSON: Final = ("label", "soft_label", "evidence")
_GOLD_FILES: Final = ("gold.parquet", "gold.jsonl", "ledger.parquet", "queue.jsonl")


def _write_gold(result: Aggregated, folder: Path) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    store.write_parquet(folder / "gold.parquet", result.gold)
    store.write_parquet(folder / "ledger.parquet", result.ledger)
    rows = [{k: v for k, v in row.items() if v is not None} for row in result.gold.to_pylist()]
    for row in rows:
        row |= {key: json.loads(row[key]) for key in _AS_JSON if key in row}
    write_rows(folder / "gold.jsonl", rows)
    write_rows(folder / "queue.jsonl", (row for row in rows if row["status"] == "unresolved"))
    return [folder / name for name in _GOLD_FILES]


#: Rules of records that may only name their columns otherwise.
_NAMELESS: Final = {"vote.key@1", "vote.item@1", "vote.annotator@1", "vote.empty@1"}


def _check_votes(path: Path, loaded: Loaded, source: str | None) -> None:
    """Say what was refused. Raises InputError where no vote is left."""
    for line in loaded.messages:
        say(line)
    fate = f"refused: {count_rules(loaded.refused)}" if loaded.refused else "it is empty"
    if source in (None, "votes") and _NAMELESS & set(loaded.refused):
        fate += (
            f"; where columns have other names, say which to read: {HINT}; exports of tools need"
            f" --from: {', '.join(READERS)}"
        )
    refuse(path, (not loaded.votes.num_rows, f"gives no vote; {fate}"))
