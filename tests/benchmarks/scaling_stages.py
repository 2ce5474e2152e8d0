"""The stages of a build, each measured alone in a process of its own."""

from __future__ import annotations

import gc
import resource
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import forkserver, get_context
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from flows.main import COLLECTIONS
from flows.plan.build import BuildPlan, Request, plan_build
from pipeline.core import running, store
from pipeline.core.stage import Call

#: The stages of the corpus, whose sources are told together; those of tasks are told by task.
CORPUS = ("read", "select", "segment", "clean", "pii", "score", "toxicity", "sign", "dedup")

#: The highest exponent of cost that a stage may have.
EXPONENT = 1.1
#: A stage that takes less at the first size has no exponent: the clock decides it.
LEAST_SECONDS = 0.2
#: Seconds of CPU below which a stage is run twice.
SHORT = 10
#: How many times more a stage is run at all sizes while its exponent is above `EXPONENT`.
MORE = 3


class Row(NamedTuple):
    """What a stage took: rows that it read, CPU and other seconds, peak of its process in MiB."""

    unit: str
    size: int
    cpu_seconds: float
    wall_seconds: float
    peak_mib: float

    def __add__(self, other: Row) -> Row:  # type: ignore[override]
        """Return the row of two runs of one stage."""
        return Row(
            self.unit,
            self.size + other.size,
            self.cpu_seconds + other.cpu_seconds,
            self.wall_seconds + other.wall_seconds,
            max(self.peak_mib, other.peak_mib),
        )


class Step(NamedTuple):
    """A stage of a build, with its task, and what runs it in a process with these modules."""

    name: str
    work: Callable[[], Row]
    modules: set[str]


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float | None:
    """Return the slope of log(seconds) over log(sizes), or None if that says nothing."""
    import numpy as np

    least: dict[float, float] = {}  # where the data end, two runs of one size are one measure
    for size, value in zip(sizes, seconds, strict=True):
        least[size] = min(value, least.get(size, value))
    if min(sizes) <= 0 or seconds[0] < LEAST_SECONDS or len(least) < 2:
        return None
    slope, _ = np.polyfit(np.log([*least]), np.log([*least.values()]), 1)
    return round(float(slope), 3)


def measure_builds(builds: Sequence[Path], until: str) -> list[dict[str, Row]]:
    """Run builds of the same stages, each in its folder; returns what each stage took, by build.

    A stage is run in all builds before the next one, so that a machine that gets slower within the
    hour does not make what is large seem dear.
    """
    found: list[dict[str, Row]] = [{} for _ in builds]
    for steps in zip(*(_steps(build, until) for build in builds), strict=True):
        for known, step, row in zip(found, steps, _measure(steps), strict=True):
            known[step.name] = known[step.name] + row if step.name in known else row
    return found


def _measure(steps: Sequence[Step]) -> list[Row]:
    """Run a stage at all sizes, and again where its exponent is too high; the least CPU counts.

    Other guests of a machine add to what a run takes, and never take away: more runs come nearer
    to what the stage costs, and one that costs too much stays where it is.
    """
    rows = [_least(step.work, step.modules) for step in steps]
    for _ in range(MORE):
        slope = exponent([row.size for row in rows], [row.cpu_seconds for row in rows])
        if (slope or 0) <= EXPONENT:
            break
        more = [_alone(step.work, step.modules) for step in steps]
        rows = [min(pair, key=lambda row: row.cpu_seconds) for pair in zip(rows, more, strict=True)]
    return rows


def _steps(build: Path, until: str) -> Iterator[Step]:
    """Yield the stages of a build, each to be run before the next one is asked for."""
    request = _request(build, until)
    plan = plan_build(request, frozenset())
    with store.lock(request.store):
        modules = {name for call in plan.calls for name in call.code}
        for call in plan.calls:
            name = call.stage if call.stage in CORPUS else f"{call.stage} {call.source}"
            yield Step(name, partial(_complete, call), modules)
        for name, work in _OF_RELEASE.items() if plan.release is not None else ():
            yield Step(name, partial(_of_release, work, build), _RELEASING)


def measure_matching(sentences: int) -> dict[str, Row]:
    """Return what matching so many sentences takes, by algorithm."""
    return {
        f"matching {algorithm}": _least(
            partial(_match, algorithm, sentences), {"pipeline.tasks.sts.matching"}
        )
        for algorithm in ("anchors", "global")
    }


def _least(work: Callable[[], Row], modules: set[str]) -> Row:
    """Run a function alone, and what is over soon once more; the run of less CPU counts.

    A second of another guest on the machine is much of three, and little of thirty.
    """
    rows = [_alone(work, modules)]
    if rows[0].cpu_seconds < SHORT:
        rows.append(_alone(work, modules))
    return min(rows, key=lambda row: row.cpu_seconds)


def _alone(work: Callable[[], Row], modules: set[str]) -> Row:
    """Run a function in a process of its own, forked from one that has the modules loaded.

    The server of such processes finds modules of the project alone; this one is imported by each
    process. Garbage is collected as in the workers of a build.
    """
    wanted = ["flows.plan.build", *sorted(modules)]
    if forkserver._forkserver._preload_modules != wanted:
        forkserver._forkserver._stop()
        forkserver.set_forkserver_preload(wanted)
    context = get_context("forkserver")
    with ProcessPoolExecutor(1, context, gc.set_threshold, COLLECTIONS) as pool:
        row: Row = pool.submit(work).result()
    return row


def _measured(work: Callable[[], object]) -> Row:
    Path("/proc/self/clear_refs").write_text("5")  # the peak counts from here
    begin, before = perf_counter(), _cpu()
    work()
    return Row("rows", 0, _cpu() - before, perf_counter() - begin, _peak_mib())


def _complete(call: Call) -> Row:
    shutil.rmtree(call.folder, ignore_errors=True)
    row = _measured(partial(running.complete, call))
    return row._replace(size=_size(call))


def _size(call: Call) -> int:
    """Return how many rows a finished call has read, or made where it reads none."""
    manifest = store.read_manifest(call.folder)
    assert manifest is not None  # it is finished
    return manifest.counts.rows_in or manifest.counts.rows_out


def _match(algorithm: Any, sentences: int) -> Row:
    from bench_matching import load

    from pipeline.tasks.sts.matching import content_words, match_sentences

    tokens = [content_words(text) for text in load(sentences)]
    match_sentences(tokens[:100], order=range(100), algorithm=algorithm)  # imports SciPy
    work = partial(match_sentences, tokens, order=range(sentences), algorithm=algorithm)
    return _measured(work)._replace(unit="sentences", size=sentences)


def _request(build: Path, until: str) -> Request:
    folder = build.parent
    return Request(build, folder / "work", until=until, releases=folder / "releases")


def _of_release(work: Callable[[BuildPlan, Request], object], build: Path) -> Row:
    """Plan a finished build again, which no process can be sent, and do the work on it."""
    from flows.engine import artifacts

    request = _request(build, "release")
    plan = plan_build(request, frozenset())
    artifacts.leave_report_link = lambda *_: None  # there is no server to tell
    examples = sum(_size(call) for call in plan.calls if call.stage == "split")
    return _measured(partial(work, plan, request))._replace(unit="examples", size=examples)


def _audit(plan: BuildPlan, _: Request) -> None:
    from flows.publish.quality import audits_of

    audits_of(plan.release)


def _report(plan: BuildPlan, _: Request) -> None:
    from flows.publish.material import facts
    from flows.publish.quality import audits_of, report_of
    from pipeline.report.quality_page import page

    audits = audits_of(plan.release)
    records = {task: audited.record for task, audited in audits.items()}
    about = facts(plan, plan.release, records)
    page(report_of(plan, plan.release, about, audits))


def _publish(plan: BuildPlan, request: Request) -> None:
    from flows.publish.publish import Publisher
    from pipeline.release.manifest import private_folder

    for folder in (plan.release.folder, private_folder(plan.release.folder)):
        shutil.rmtree(folder, ignore_errors=True)  # of the run before, which would be compared
    Publisher(plan, request).publish()


def _verify(plan: BuildPlan, _: Request) -> None:
    from flows.publish.verified import verify_release

    wrong = [check.name for check in verify_release(plan.release.folder) if not check.ok]
    if wrong:
        sys.exit(f"{plan.release.folder}: {', '.join(wrong)} fail")


_RELEASING = {"flows.publish.publish", "flows.publish.quality", "flows.engine.artifacts"}
_OF_RELEASE = {"audit": _audit, "report": _report, "publish": _publish, "verify": _verify}


def _cpu() -> float:
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(part.ru_utime + part.ru_stime for part in usage)


def _peak_mib() -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    fields: dict[str, Any] = dict(line.split(":", 1) for line in lines)
    return int(fields["VmHWM"].split()[0]) / 1024
