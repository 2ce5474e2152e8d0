"""What a release's report is compared with: an older release, and the official KLUE files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.contracts.registry import TASKS
from pipeline.contracts.splits import FILES
from pipeline.release.diff import ConfigDifference, Difference, diff

if TYPE_CHECKING:
    from pipeline.report.changes import Older
    from pipeline.report.record import Chart, Report
    from pipeline.report.release_changes import ExampleChanges


def changed_report(
    report: Report, folder: Path, old: Path, before: dict[str, Any]
) -> tuple[Report, Older]:
    """Return the report of `folder` with what changed since the release `old`.

    `before` is the record of the older one.
    """
    from pipeline.report.release_changes import with_changes

    difference = diff(old, folder)
    return with_changes(report, before, difference.before, _examples(difference))


def official_charts(folder: Path, report: Report) -> dict[str, list[Chart]]:
    """Return the charts of the official examples in a folder, of the tasks of a report."""
    from pipeline.contracts.spec import load_spec
    from pipeline.report.official import official_examples
    from pipeline.report.quality.distributions import charts

    wanted = {task.section.removeprefix("task-") for task in report.overview}
    read = official_examples(folder, tasks=wanted & TASKS.keys())
    return {
        task: charts(found.examples, task=task, spec=load_spec(task))
        for task, found in read.tasks.items()
    }


def _examples(difference: Difference) -> dict[str, ExampleChanges]:
    tasks = {task.config: name for name, task in TASKS.items()}
    return {tasks[one.config]: _of_config(one) for one in difference.configs}


def _of_config(config: ConfigDifference) -> ExampleChanges:
    from pipeline.report.release_changes import ExampleChanges

    by_kind = {
        "added": config.added,
        "removed": config.removed,
        "relabelled": config.relabelled,
        "edited": config.edited,
    }
    counts = {kind: sum(map(len, splits.values())) for kind, splits in by_kind.items()}
    named = {
        kind: [guid for split, ids in splits.items() if split != FILES["test"] for guid in ids]
        for kind, splits in by_kind.items()
    }
    counts["moved"] = len(config.moved)
    named["moved"] = [
        one.guid for one in config.moved if FILES["test"] not in (one.before, one.after)
    ]
    return ExampleChanges(counts, named)
