"""`klue compare-versions`: do two versions of a benchmark rank systems alike?"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from flows.commands.outputs import check_page
from flows.view.console import Result, print_line, print_table, say
from pipeline.core.errors import InputError
from pipeline.core.wording import count
from pipeline.scoring.resampling import Plan
from pipeline.scoring.versions.compare import Versions
from pipeline.scoring.versions.compare import compare_versions as compare
from pipeline.scoring.versions.reading import read_scores
from pipeline.scoring.versions.scores import Column, Scores

#: What is in front of the name of a published table instead of a path.
PUBLISHED: Final = "published:"


def compare_versions(
    old: str,
    new: str,
    *,
    human: str | None = None,
    pair: tuple[str, ...] = (),
    split: str = "test",
    out: Path | None = None,
    draws: int = 1_000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Result:
    """Return the record of a comparison; write the page if asked."""
    check_page("--out", out, "versions.json")
    plan = Plan(draws, confidence, seed)
    pairs = dict(_pair(text) for text in pair)
    names = _labels(old, new)
    versions = Versions(_scores(old, names[0], split), _scores(new, names[1], split), human, pairs)
    say(f"comparing {names[0]} and {names[1]}")
    record = compare(versions, plan)
    if out is not None:
        _write(out, record)
    return record, partial(_show, out=out)


def _pair(text: str) -> tuple[str, str]:
    old, sign, new = text.partition("=")
    if not sign or not old.strip() or not new.strip():
        raise InputError(f"--pair {text!r}: give OLD=NEW, the two names of one system")
    return old, new


def _labels(old: str, new: str) -> tuple[str, str]:
    """Return what the versions are called: the ends of their paths, the paths where those agree."""
    short = [
        text.removeprefix(PUBLISHED) if _is_published(text) else Path(text).name
        for text in (old, new)
    ]
    return (short[0], short[1]) if short[0] != short[1] else (old, new)


def _is_published(text: str) -> bool:
    return text.startswith(PUBLISHED)


def _scores(text: str, name: str, split: str) -> Scores:
    if _is_published(text):
        return _published(text.removeprefix(PUBLISHED), name)
    path = Path(text)
    return _of_runs(path, name, split) if path.is_dir() else read_scores(path, name)


def _published(table: str, name: str) -> Scores:
    from pipeline.report.quality.statistics import paper_table, score_tables

    known = score_tables()
    if table not in known:
        raise InputError(
            f"unknown published table {table!r}; tables of scores:"
            f" {', '.join(PUBLISHED + other for other in known)}"
        )
    found = paper_table(table)
    rows = {row: dict(zip(found.columns, of, strict=True)) for row, of in found.rows.items()}
    return _table(name, rows)


def _table(name: str, rows: Mapping[str, Mapping[str, float | None]]) -> Scores:
    metrics = dict.fromkeys(metric for row in rows.values() for metric in row)
    columns = {
        metric: Column(np.asarray([_number(row.get(metric)) for row in rows.values()]))
        for metric in metrics
    }
    return Scores(name, tuple(rows), columns)


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)


def _of_runs(folder: Path, name: str, split: str) -> Scores:
    """Return the scores of the runs below a folder, by model and seed; the best on dev of each."""
    from flows.commands.reports import read_runs
    from pipeline.report.results import best_scores

    rows = best_scores(read_runs([folder]).tuned, split)
    if not rows:
        raise InputError(f"{folder}: no run has scores on {split}; give --split dev or test")
    return _table(name, rows)


def _write(out: Path, record: Mapping[str, Any]) -> None:
    from flows.commands.reports import write_page
    from pipeline.report.quality_page import page
    from pipeline.report.versions import versions_page

    write_page(out, page(versions_page(record), translated=False), dict(record), "versions.json")


def _show(record: Mapping[str, Any], *, out: Path | None) -> None:
    old, new = (record[side]["name"] for side in ("old", "new"))
    systems = record["systems"]
    print_line(f"{old} against {new}: {count(len(systems['both']), 'system')} in both")
    for name, key in ((old, "only_old"), (new, "only_new")):
        if systems[key]:
            print_line(f"only in {name}: {', '.join(systems[key])}")
    rows = [
        (metric, f"{of['systems']:,}", *map(_cell, of["correlations"].values()), *_pairs(of))
        for metric, of in record["metrics"].items()
    ]
    heads = ("metric", "systems", "tau-b", "Spearman", "weighted tau", "opposite", "told apart")
    print_table("", heads, rows)
    for metric, of in record["metrics"].items():
        for key, reason in of["reasons"].items():
            if key in ("value", "over_systems"):
                print_line(f"{metric}: {reason}")
    say(f"page  {out / 'index.html'}" if out is not None else "give --out DIR for the page")


def _cell(found: Mapping[str, Any]) -> str:
    if found["value"] is None:
        return "-"
    ends = found["over_systems"]
    between = f" [{ends[0]:.2f}, {ends[1]:.2f}]" if ends else ""
    ceiling = f" of {found['ceiling']:.2f}" if found["ceiling"] is not None else ""
    return f"{found['value']:.3f}{ceiling}{between}"


def _pairs(of: Mapping[str, Any]) -> tuple[str, str]:
    pairs = of["pairs"]
    apart = [pairs["told_apart"][side] for side in ("old", "new")]
    told = " / ".join("-" if count is None else f"{count:,}" for count in apart)
    return f"{pairs['opposite_order']:,} of {pairs['all']:,}", told
