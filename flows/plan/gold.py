"""From candidates to gold: the calls of each task, for simulated or imported answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from flows.plan.candidates import TaskPlan
from pipeline.annotation.batches.batch import FOLDER
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
    given = build.annotation
    if given is None:
        raise SpecError(
            f"{build.file}: annotation: is missing; say where answers come from, such as"
            " `annotation: {mode: imported}` after `klue import`, or end with --until annotate"
        )
    return [_Planner(build, given, work).plan(task, tasks[0].task) for task in tasks]


@dataclass(frozen=True)
class _Planner:
    build: Build
    given: Annotation
    work: Path

    def plan(self, task: TaskPlan, first: str) -> GoldPlan:
        calls = (
            self._simulated(task)
            if self.given.mode == "simulated"
            else self._imported(task, strays=task.task == first)
        )
        return GoldPlan(task.task, task.spec, task.candidates, calls)

    def _simulated(self, task: TaskPlan) -> tuple[Call, ...]:
        folder = self._folder(self.given.truths, "annotation.truths")
        truths = Path(folder or ANSWERS) / f"{task.task}.jsonl"
        params = self._params(task) | {"seed": self.build.seed}
        arguments = self._arguments() | {"truths": folder}
        raw = (task.spec.digest, of_file(truths) if truths.is_file() else "")
        more = {"params": params, "arguments": arguments, "raw": raw}
        drawn = task.candidates
        answered = self._call(_ANSWER, task, (drawn,), **more)
        before = self._aggregate(task, answered)
        decided = self._call(_DECIDE, task, (drawn, answered, before), **more)
        return answered, before, decided, self._aggregate(task, decided)

    def _imported(self, task: TaskPlan, *, strays: bool) -> tuple[Call, ...]:
        batches = None if self.given.votes else self.work / FOLDER / task.task
        files = self.given.votes
        for n, path in enumerate(files):
            if not path.is_file():
                key = f"{self.build.file}: annotation.votes.{n}"
                raise InputError(f"{key}: {path} is no file; correct the path")
        raw = (task.spec.digest, *map(of_file, files))
        if batches is not None:
            if not batches.is_dir():
                raise InputError(
                    f"{batches}: no batch of {task.task} was given out; build with --until"
                    " annotate, `klue import` the answers, then build again"
                )
            raw = (task.spec.digest, of_path(batches))
        collected = self._call(
            _COLLECT,
            task,
            (task.candidates,),
            params=self._params(task) | {"strays": strays},
            arguments=self._arguments()
            | {"files": list(map(str, files)), "batches": str(batches) if batches else None},
            raw=raw,
        )
        return collected, self._aggregate(task, collected)

    def _aggregate(self, task: TaskPlan, answered: Call) -> Call:
        return self._call(
            _AGGREGATE,
            task,
            (answered,),
            params=self._params(task),
            arguments=self._arguments(),
            raw=(task.spec.digest,),
        )

    def _call(self, module: str, task: TaskPlan, inputs: tuple[Call, ...], **more: Any) -> Call:
        code = part_modules(task.task, "task", "spec", "simulated")
        return call(module, work=self.work, source=task.task, inputs=inputs, code=code, **more)

    def _params(self, task: TaskPlan) -> dict[str, Any]:
        return {"task": task.task, "spec": task.spec.name}

    def _arguments(self) -> dict[str, Any]:
        return {"specs": self._folder(self.build.candidates.specs, "candidates.specs")}

    def _folder(self, path: Path | None, key: str) -> str | None:
        if path is None:
            return None
        if not path.is_dir():
            raise InputError(f"{self.build.file}: {key}: {path} is no folder; correct the path")
        return str(path)
