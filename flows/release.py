"""The release flow: gold -> splits -> leakage check of each task -> the files of the release."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from flows.engine.run import Part
from flows.plan.build import BuildPlan
from flows.view import funnel
from flows.view.tables import release_table

if TYPE_CHECKING:
    from flows.engine.tasks import Tasks
    from flows.publish.publish import Publisher


def release_flow(plan: BuildPlan, publisher: Publisher) -> Part:
    """Return the flow that splits the examples of each task and writes the release."""
    assert plan.release is not None  # that is what the publisher is for
    name = f"{plan.release.name} {plan.release.version}"

    def publish(tasks: Tasks) -> None:
        tasks.run("publish", name, publisher.publish)

    return Part(
        "release",
        partial(_summary, plan, publisher),
        [task.calls for task in plan.release.tasks],
        then=None if publisher.is_current() else publish,
    )


def _summary(plan: BuildPlan, publisher: Publisher) -> str:
    published, release = publisher.published, plan.release
    assert published is not None
    assert release is not None
    from flows.engine.artifacts import report_address

    counts = {
        "candidates": funnel.task_rows(plan.tasks),
        "gold": {task.task: funnel.outcomes(task.gold) for task in plan.gold},
        "splits": funnel.splits(release),
    }
    facts = [
        f"- folder: `{published.place}`",
        f"- hash: `{published.release_hash}`",
        f"- checks that hold: {published.checks}",
        f"- report: {report_address(published.folder)}",
    ]
    return release_table(counts, published.agreement).markdown() + "\n".join(facts)
