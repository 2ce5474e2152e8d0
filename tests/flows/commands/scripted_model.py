"""A model that knows the targets, as lm-evaluation-harness runs it: the same wherever it runs.

    python scripted_model.py FOLDER OUT ANSWERS TASK...

`right` answers are the targets; of `near` ones a part is wrong, and a part is noise that nobody can
read; `random` ones are the targets of other documents. Samples are logged to OUT; the last line
printed is JSON: the metrics of each task.
"""

from __future__ import annotations

import json
import sys
from hashlib import blake2b
from typing import Any

from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

NOISE = ("", "???", "1: 2", "모르겠습니다: 답")


def draw(doc: dict[str, Any], *parts: object) -> float:
    """Return a number from 0 to 1 of a document."""
    text = "\x1f".join(map(str, (doc["guid"], doc["part"], *parts)))
    return int.from_bytes(blake2b(text.encode(), digest_size=4).digest()) / 2**32


class Scripted(LM):  # type: ignore[misc]
    """Answers as the kind of answers says."""

    def __init__(self, answers: str) -> None:
        super().__init__()
        self.answers = answers

    def loglikelihood(self, requests: list[Any]) -> list[tuple[float, bool]]:
        """Return what makes the target most probable, or chance."""
        return [(self._likelihood(request), False) for request in requests]

    def _likelihood(self, request: Any) -> float:
        doc, choice = request.doc, request.args[1].strip()
        knows = self.answers == "right" or (self.answers == "near" and draw(doc) < 0.8)
        is_target = choice == doc["target"].strip("()")
        return -3 * draw(doc, choice) - (0 if knows and is_target else 4)

    def generate_until(self, requests: list[Any]) -> list[str]:
        """Return targets, those of other documents, and noise."""
        by_task: dict[str, list[str]] = {}
        for request in requests:
            by_task.setdefault(request.task_name, []).append(request.doc["target"])
        return [self._text(request.doc, by_task[request.task_name]) for request in requests]

    def _text(self, doc: dict[str, Any], targets: list[str]) -> str:
        kind = draw(doc, "kind")
        if self.answers == "right" or (self.answers == "near" and kind < 0.6):
            return str(doc["target"])
        if self.answers == "near" and kind < 0.75:
            return NOISE[int(draw(doc, "noise") * len(NOISE))]
        if self.answers == "near" and kind < 0.9:
            return "\n".join(doc["target"].splitlines()[:-1]) or doc["target"]
        return targets[int(draw(doc, "other") * len(targets))]

    def loglikelihood_rolling(self, requests: list[Any]) -> list[float]:
        """Return nothing: no task asks for it."""
        raise NotImplementedError


def main(folder: str, out: str, answers: str, *tasks: str) -> None:
    """Run the tasks of a folder."""
    manager = TaskManager(include_path=folder, include_defaults=False)
    results = simple_evaluate(
        Scripted(answers), tasks=list(tasks), task_manager=manager, bootstrap_iters=0
    )
    tracker = EvaluationTracker(output_path=out)
    tracker.date_id = "run"  # else the time
    for task, samples in results["samples"].items():
        tracker.save_results_samples(task, samples)
    sys.stdout.write(f"{json.dumps(results['results'])}\n")


main(*sys.argv[1:])
