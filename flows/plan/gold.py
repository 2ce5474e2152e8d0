"""From candidates to gold: the calls of each task, for simulated or imported answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from flows.plan.candidates import TaskPlan
from pipeline.annotation.batches.batch import FOLDER
from pipeline.annotation.batches.spec_changes import require_labels
from pipeline.annotation.simulated.truths import ANSWERS
from pipeline.contracts.parts import part_modules
from pipeline.contracts.spec import TaskSpec
from pipeline.core.buildfile import Annotation, Build
from pipeline.core.errors import InputError, SpecError
from pipeline.core.fingerprint import of_file, of_path
from pipeline.core.stage import Call, call

_ANSWER: Final = "pipeline.annotation.simulated.campaign"
_DECIDE: Final = "pipeline.annotation.simulated.deciding"
_COLLECT: Final = "pipeline.annotation.intake.collecting"
_AGGREGATE: Final = "pipeline.agreement.aggregation.aggregate"


@dataclass(frozen=True)
class GoldPlan:
    """The calls of one task from its candidates on.

    `answered` gives the items (NLI: pairs) with all their votes, `gold` what they come to.
    """

    task: str
    spec: TaskSpec
    candidates: Call
    calls: tuple[Call, ...]

    @property
    def answered(self) -> Call:
        """Return the call whose outputs are items and votes."""
        return self.calls[-2]

    @property
    def gold(self) -> Call:
        """Return the call whose output is gold."""
        return self.calls[-1]


def plan_gold(build: Build, tasks: list[TaskPlan], work: Path) -> list[GoldPlan]:
    """Plan the gold of every task of a build.

    Raises SpecError for a build file without `annotation`, and for files that are not there.
    """
    if build.annotation is None:
        raise SpecError(
            f"{build.file}: annotation: is missing; say where answers come from, such as"
            " `annotation: {mode: imported}` after `klue import`, or end with --until annotate"
        )
    planner = _Planner(build, build.annotation, work)
    plans = []
    for n, task in enumerate(tasks):
        if build.annotation.mode == "simulated":
            calls = planner.plan_simulation(task)
        else:
            calls = planner.plan_import(task, is_first=n == 0)
        plans.append(GoldPlan(task.task, task.spec, task.candidates, calls))
    return plans


@dataclass(frozen=True)
class _Planner:
    build: Build
    answers: Annotation
    work: Path

    def plan_simulation(self, task: TaskPlan) -> tuple[Call, ...]:
        folder = self._folder(self.answers.truths, "annotation.truths")
        truths = Path(folder or ANSWERS) / f"{task.task}.jsonl"
        more: dict[str, Any] = {
            "raw": (of_file(truths) if truths.is_file() else "",),
            "params": {"seed": self.build.seed},
            "arguments": {"truths": folder},
        }
        answered = self._call(_ANSWER, task, task.candidates, **more)
        before = self._call(_AGGREGATE, task, answered)
        decided = self._call(_DECIDE, task, task.candidates, answered, before, **more)
        return answered, before, decided, self._call(_AGGREGATE, task, decided)

    def plan_import(self, task: TaskPlan, *, is_first: bool) -> tuple[Call, ...]:
        files, batches = self.answers.votes, self.work / FOLDER / task.task
        for n, path in enumerate(files):
            if not path.is_file():
                key = f"{self.build.file}: annotation.votes.{n}"
                raise InputError(f"{key}: {path} is no file; correct the path")
        if not files:
            require_labels(self.work, task.spec)
        if not files and not batches.is_dir():
            raise InputError(
                f"{batches}: no batch of {task.task} was given out; build with --until annotate,"
                " `klue import` the answers, then build again"
            )
        collected = self._call(
            _COLLECT,
            task,
            task.candidates,
            raw=tuple(map(of_file, files)) or (of_path(batches),),
            params={"strays": is_first},  # answers to nothing are reported once
            arguments={
                "files": list(map(str, files)),
                "batches": None if files else str(batches),
            },
        )
        return collected, self._call(_AGGREGATE, task, collected)

    def _call(
        self,
        module: str,
        task: TaskPlan,
        *inputs: Call,
        raw: tuple[str, ...] = (),
        params: dict[str, Any] | None = None,
        arguments: dict[str, Any] | None = None,
    ) -> Call:
        specs = self._folder(self.build.candidates.specs, "candidates.specs")
        return call(
            module,
            work=self.work,
            source=task.task,
            inputs=inputs,
            raw=(task.spec.digest, *raw),
            params={"task": task.task, "spec": task.spec.name, **(params or {})},
            arguments={"specs": specs, **(arguments or {})},
            code=part_modules(task.task, "task", "spec", "simulated"),
        )

    def _folder(self, path: Path | None, key: str) -> str | None:
        if path is not None and not path.is_dir():
            raise InputError(f"{self.build.file}: {key}: {path} is no folder; correct the path")
        return None if path is None else str(path)
