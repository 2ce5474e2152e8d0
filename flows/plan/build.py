"""All calls of a build: its corpus, the candidates of its tasks, their gold, and its release."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from flows.plan.candidates import TaskPlan, plan_tasks
from flows.plan.corpus import CorpusPlan, plan_corpus
from flows.plan.gold import GoldPlan, plan_gold
from flows.plan.release import ReleasePlan, plan_release
from flows.plan.tasks import tasks_of
from pipeline.contracts.build_inputs import load_build
from pipeline.core.fingerprint import of_value
from pipeline.core.stage import Call

#: The parts of a build, each of which includes the ones before it.
PARTS: Final = ("corpus", "annotate", "adjudicate", "release")


@dataclass(frozen=True)
class BuildPlan:
    """The corpus of a build and, unless it ends before, its tasks, their gold and its release."""

    corpus: CorpusPlan
    until: str = "corpus"
    tasks: list[TaskPlan] = field(default_factory=list)
    gold: list[GoldPlan] = field(default_factory=list)
    release: ReleasePlan | None = None

    @property
    def name(self) -> str:
        """Return the build's name."""
        return self.corpus.build.name

    @property
    def calls(self) -> list[Call]:
        """Return all calls, each after those that it reads from."""
        later = [call for part in (self.tasks, self.gold) for task in part for call in task.calls]
        last = self.release.calls if self.release is not None else []
        return [*self.corpus.calls, *later, *last]

    def fingerprint(self, contents: dict[str, str]) -> str:
        """Return the build's fingerprint: what was asked for, and what came out, of every stage."""
        return of_value(
            [[c.stage, c.source, c.fingerprint, contents[c.fingerprint]] for c in self.calls]
        )


def plan_build(
    path: Path,
    work: Path,
    *,
    until: str | None = None,
    tasks: frozenset[str] = frozenset(),
    releases: Path = Path("data/releases"),
) -> BuildPlan:
    """Plan a build up to a part: the same files and settings give the same calls.

    Without `until` it goes as far as the build file says: to a release where it says under
    `annotation` who answers, else to handed-out batches. `tasks` restricts it to those tasks and to
    the sources that feed them. Raises SpecError or InputError.
    """
    tasks = tasks or tasks_of(load_build(path))
    corpus = plan_corpus(path, work, tasks=tasks)
    last = until or ("release" if corpus.build.annotation is not None else "annotate")
    if last == "corpus":
        return BuildPlan(corpus, last)
    drawn = plan_tasks(corpus, work, tasks=tasks)
    if last == "annotate":
        return BuildPlan(corpus, last, drawn)
    gold = plan_gold(corpus.build, drawn, work)
    if last == "adjudicate":
        return BuildPlan(corpus, last, drawn, gold)
    return BuildPlan(corpus, last, drawn, gold, plan_release(corpus, gold, work, releases))
