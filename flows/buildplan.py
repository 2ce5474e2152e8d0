"""All calls of a build: its corpus, and the candidates of its tasks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from flows.plan import CorpusPlan, plan_corpus
from flows.sampling_plan import TaskPlan, plan_tasks
from pipeline.core.fingerprint import of_value
from pipeline.core.stage import Call

#: The parts of a build, each of which includes the ones before it.
PARTS: Final = ("corpus", "annotate")


@dataclass(frozen=True)
class BuildPlan:
    """The corpus of a build and, unless it ends there, its tasks."""

    corpus: CorpusPlan
    tasks: list[TaskPlan]

    @property
    def name(self) -> str:
        """Return the build's name."""
        return self.corpus.build.name

    @property
    def calls(self) -> list[Call]:
        """Return all calls, each after those that it reads from."""
        return [*self.corpus.calls, *(call for task in self.tasks for call in task.calls)]

    def fingerprint(self, contents: dict[str, str]) -> str:
        """Return the build's fingerprint: what was asked for, and what came out, of every stage."""
        return of_value(
            [[c.stage, c.source, c.fingerprint, contents[c.fingerprint]] for c in self.calls]
        )


def plan_build(
    path: Path, work: Path, *, until: str = PARTS[-1], tasks: frozenset[str] = frozenset()
) -> BuildPlan:
    """Plan a build up to a part: the same files and settings give the same calls.

    `tasks` restricts it to those tasks and to the sources that feed them. Raises SpecError or
    InputError.
    """
    corpus = plan_corpus(path, work, tasks=tasks)
    drawn = plan_tasks(corpus, path, work, tasks=tasks) if until != "corpus" else []
    return BuildPlan(corpus, drawn)
