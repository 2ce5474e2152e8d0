"""What a build comes to: as one JSON object, and as a screen that a person reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from flows.engine.run import Seconds
from flows.plan.build import WORK, BuildPlan, Request
from flows.publish.material import is_simulated
from flows.view import funnel
from flows.view.console import console, from_here, print_line
from flows.view.next_command import command_line
from flows.view.tables import Row, listing, release_table, rule_table, source_table, task_table
from pipeline.agreement.aggregation.outcome import REFUSED
from pipeline.core import store
from pipeline.core.wording import count
from pipeline.release.stored.private import place_of
from pipeline.report.quality.screens import too_many

if TYPE_CHECKING:
    from flows.publish.publish import Published
    from pipeline.core.objects.address import Address
    from pipeline.release.stored.upload import Stored

_ANSWERS: Final = {"simulated": "simulated: no person gave them", "imported": "imported"}


def result_of(plan: BuildPlan, seconds: Seconds, published: Published | None) -> dict[str, Any]:
    """Return what `klue build --json` prints, but for its batches."""
    contents = {call.fingerprint: funnel.manifest(call).content for call in plan.calls}
    sources, tasks = funnel.funnels(plan.corpus), funnel.task_rows(plan.tasks)
    return {
        "fingerprint": plan.fingerprint(contents),
        "release": str(published.place) if published is not None else None,
        "release_hash": published.release_hash if published is not None else None,
        "simulated": is_simulated(plan.gold),
        "stages": funnel.stages(plan.calls, seconds),
        "funnel": {source: asdict(counts) for source, counts in sources.items()},
        "candidates": tasks,
        "gold": {task.task: funnel.outcomes(task.gold) for task in plan.gold},
        "splits": funnel.splits(plan.release) if plan.release is not None else {},
        "personal_left": funnel.personal_left(plan.corpus),
        "sentences": str(plan.corpus.dedup.folder) if plan.corpus.chains else None,
    }


def show_opening(plan: BuildPlan, request: Request) -> None:
    """Say before anything runs what the build is made of and where it ends."""
    annotation, calls, release = plan.corpus.build.annotation, plan.calls, ""
    if plan.release is not None:
        before = plan.release.previous
        follows = f"follows {before.name}" if before else "follows no earlier version there"
        stored = plan.release.stored
        place = from_here(plan.release.folder) if stored is None else stored.place
        release = f"{plan.release.name} {plan.release.version} in {place}, {follows}"
    ends = {
        "corpus": "clean sentences",
        "candidates": "candidates",
        "annotate": "batches for annotators",
        "adjudicate": "gold answers",
        "release": f"release {release}",
        "train": f"models of release {release}",
    }
    lines = {
        "build": f"{plan.name}, from {request.build_file}",
        "sources": ", ".join(plan.corpus.sources) or "none",
        "tasks": ", ".join(task.task for task in plan.tasks),
        "answers": _ANSWERS[annotation.mode] if plan.gold and annotation else "",
        "ends with": ends[plan.until],
        "stages": f"{len(calls)}, {sum(call.done for call in calls)} of them in the store already",
    }
    print_lines((name, text) for name, text in lines.items() if text)
    print_lines(("note", note) for note in plan.notes)
    console().print()


def show_result(
    plan: BuildPlan,
    seconds: Seconds,
    result: Row,
    published: Published | None,
    request: Request,
) -> None:
    """Print the funnels of a finished build, and where its outputs lie."""
    if plan.corpus.chains:
        show_sources(result["funnel"])
    if published is not None:
        release_table(result, published.agreement).print()
    else:
        if plan.corpus.chains:
            rule_table(result["funnel"]).print()
        if plan.tasks:
            _show_tasks(result["candidates"])
        for task, ends in result["gold"].items():
            print_line(f"{task:4} answers: {', '.join(f'{n:,} {end}' for end, n in ends.items())}")
    skipped = len(plan.calls) - len(seconds)
    print_line(f"\n{count(len(plan.calls), 'stage')}, {skipped} of them in the store already")
    print_lines([("fingerprint", result["fingerprint"]), *_refusal_lines(plan)])
    if plan.corpus.chains:
        print_lines([("PII left", listing(result["personal_left"]) or "none found")])
        print_lines(("profile", line) for line in _profiles(plan))
        reasons = plan.corpus.build.personal_data.keep.items()
        print_lines(("kept", f"{kind}: {reason}") for kind, reason in reasons)
    print_lines(_outputs(plan) if published is None else _release_lines(plan, published))
    work = [] if request.work == WORK else ["--work", request.work]
    print_lines(("try", command_line("explain", name, *work)) for name in _examples(plan))
    if published is not None:
        place = published.place
        shown = from_here(place) if isinstance(place, Path) else place
        print_lines([("try", command_line("verify", shown))])


def print_lines(lines: Iterable[tuple[str, str]]) -> None:
    """Print a name and what it stands for a line."""
    for name, text in lines:
        print_line(f"{name:12} {text}")


def show_sources(sources: Mapping[str, Row]) -> None:
    """Print the funnel of each source, and which of them lost much to the detectors."""
    source_table(sources).print()
    print_lines(_warnings(sources))


def _warnings(sources: Mapping[str, Row]) -> Iterator[tuple[str, str]]:
    for source, counts in sources.items():
        units = counts["units"]
        lost = sum(n for rule, n in counts["drops"].items() if rule.startswith("toxicity."))
        if too_many(lost, units):
            yield (
                "warning",
                f"{source}: {lost:,} of {count(units, 'unit')} ({lost / units:.1%}) left for"
                f" toxicity; read some, and set toxicity.thresholds.{source} in the build file, or"
                " flag (docs/toxicity.md)",
            )


def _show_tasks(tasks: Mapping[str, Row]) -> None:
    task_table(tasks).print()
    for task, counts in tasks.items():
        print_line(f"{task:4} {listing(counts['samplers']) or 'no candidates'}")
    for task, counts in tasks.items():
        notes = {
            "refused before": listing(counts["before"]),
            "set aside": listing(counts["quarantines"]),
            "quotas not met": "; ".join(counts["short"]),
        }
        for name, text in notes.items():
            if text:
                print_line(f"{task:4} {name}: {text}")


def _refusal_lines(plan: BuildPlan) -> Iterator[tuple[str, str]]:
    for task in plan.gold:
        if votes := funnel.manifest(task.answered).counts.quarantined:
            where = "its ledger, of stage collect, has file and line of each"
            items = funnel.ledger_rules([task.gold], "keep").get(REFUSED, 0)
            without = f", also on {count(items, 'item')} without gold" if items else ""
            yield "refused", f"{task.task:4} {count(votes, 'vote')}{without}; {where}"


def _profiles(plan: BuildPlan) -> Iterator[str]:
    """Yield what left of which sources, where it was not the same of all."""
    policies = {chain.policy.profile: chain.policy for chain in plan.corpus.chains}
    for profile, policy in sorted(policies.items() if len(policies) > 1 else ()):
        names = [chain.source for chain in plan.corpus.chains if chain.policy.profile == profile]
        types = ", ".join(policy.drop) or "nothing"
        yield f"{profile}: {', '.join(names)} ({types} left, from {policy.minimum} on)"


def _outputs(plan: BuildPlan) -> Iterator[tuple[str, str]]:
    if plan.corpus.chains:
        yield "sentences", f"{from_here(plan.corpus.dedup.folder)}/kept-*.parquet"
    for task in plan.tasks:
        yield "candidates", f"{task.task:4} {from_here(task.candidates.folder)}/items-*.parquet"


def _release_lines(plan: BuildPlan, published: Published) -> Iterator[tuple[str, str]]:
    folder, stored = from_here(published.folder), published.stored
    place = folder if stored is None else stored.place
    unchanged = "and no file has changed since" if stored is None else "and its copy is unchanged"
    verdict = "hold" if published.new else f"held when it was written, {unchanged}"
    yield "release", f"{place}{'' if published.new else ', which stood already'}"
    if stored is not None:
        yield "files", str(stored.files)
    yield "hash", published.release_hash
    yield "verified", f"{published.checks} checks {verdict}"
    if plan.release is not None and plan.release.withdrawn:
        before = len(plan.release.withdrawn_before)
        earlier = f", {before:,} of them by an earlier version" if before else ""
        yield "withdrawn", f"{count(len(plan.release.withdrawn), 'example')}{earlier}"
    for task, names in funnel.unmet(plan.release).items() if plan.release is not None else ():
        yield "not met", f"{task:4} {', '.join(names)} (the report says why)"
    private = f"{folder}.private" if stored is None else _private(plan, stored)
    yield "test labels", f"{private} (for you alone)"
    yield "report", f"{folder}/report/index.html"


def _private(plan: BuildPlan, stored: Stored) -> Path | Address:
    assert plan.release is not None
    assert plan.release.stored is not None
    place = place_of(plan.release.stored.private, stored.marker)
    return from_here(place) if isinstance(place, Path) else place


def _examples(plan: BuildPlan) -> Iterator[str]:
    """Yield ids to be explained: of a unit that cleaning dropped, and of a candidate."""
    ledgers = (
        path for chain in plan.corpus.chains for path in store.tables(chain.clean.folder, "ledger")
    )
    rows = (row for path in ledgers for row in store.read_table(path, "ledger").to_pylist())
    yield from islice((row["unit"] for row in rows if row["action"] == "drop"), 1)
    items = (path for task in plan.tasks for path in store.tables(task.candidates.folder, "items"))
    names = (name for path in items for name in store.read_table(path, "items")["item"].to_pylist())
    yield from islice(names, 1)


def show_batches(rows: Iterable[Row]) -> None:
    """Print where each batch is."""
    for batch in rows:
        people = len(batch["annotators"])
        whom = f"to {count(people, 'annotator')}" if people else "to nobody in particular"
        when = "" if batch["new"] else ", exported before"
        items = f"{count(batch['items'], 'item')} of {batch['spec']}, round {batch['round']}"
        where = from_here(Path(batch["folder"])) / "export"
        print_line(f"batch        {batch['name']}: {items}, {whom}{when}: {where}")
