"""Answers of a language model, read back from the samples that lm-evaluation-harness logged.

A line is one document with the answer to it. The document names its task, release, split, prompt
and example; its prompt must be what this version asks, so that all answers are to one question.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from pipeline.contracts.example import Prediction
from pipeline.contracts.splits import FILES, Split
from pipeline.contracts.task import mask
from pipeline.core.errors import InputError, RecordError
from pipeline.core.wording import count
from pipeline.scoring import rows
from pipeline.scoring.harness.folder import PROMPTS
from pipeline.scoring.harness.prompts import Doc, Prompt
from pipeline.scoring.harness.runtime import read_results
from pipeline.scoring.scorer import Gold
from pipeline.scoring.submission import Faults, fault_message, json_lines

#: What a document says of itself, of those texts.
_NAMES: Final = ("guid", "task", "release", "split", "form", "mode", "prompt")
#: The name of the filter of a task without filters.
_NO_FILTER: Final = "none"


class Samples(NamedTuple):
    """The predictions of a file, in the order of the gold; its prompt, and the share of answers
    that cannot be read, 0 to 100."""

    predictions: list[Prediction]
    prompt: str
    unparsed: float


class _Answer(NamedTuple):
    line: int
    label: Any
    probabilities: list[float] | None
    unparsed: bool


@dataclass
class _Reader:
    """The answers of a file by document, and the prompt that its first line names."""

    gold: Gold
    release: str
    split: Split
    prompt: Prompt | None = None
    answers: dict[tuple[str, int], _Answer] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.prompts = PROMPTS[self.gold.spec.task]
        self.labels = self.prompts.labels(self.gold.spec)
        self.items = {
            example.id: self.prompts.items(example.fields, example.label)
            for example in self.gold.examples
        }

    def read(self, line: int, row: Mapping[str, Any]) -> None:
        """Read the answer of a line; raises RecordError for one that cannot be used."""
        names = self._names(row)
        prompt = self._prompt(names)
        guid, part = names["guid"], row["doc"].get("part")
        if guid not in self.items:
            raise rows.wrong("unknown", "its guid is not in the gold")
        if type(part) is not int or not 0 <= part < len(self.items[guid]):
            raise rows.wrong("form", f"guid {guid}: `doc.part` is {mask(part)}")
        if (guid, part) in self.answers:
            first = self.answers[guid, part].line
            raise rows.wrong("double", f"guid {guid} stands here again, first in line {first:,}")
        fields, gold = self.items[guid][part]
        doc = Doc(fields, self.labels)
        if names["prompt"] != prompt.ask(doc):
            raise rows.wrong(
                "prompt", f"guid {guid}: was asked with another prompt than {_title(prompt)}"
            )
        answer, probabilities = read_results(prompt, doc, self._results(prompt, row, guid))
        label = self.prompts.wrong(gold, doc) if answer is None else answer
        self.answers[guid, part] = _Answer(line, label, probabilities, answer is None)

    def _names(self, row: Mapping[str, Any]) -> dict[str, str]:
        doc = row.get("doc")
        if not isinstance(doc, dict) or not all(isinstance(doc.get(n), str) for n in _NAMES):
            raise rows.wrong(
                "form", "is no sample of a folder of `klue export-eval`; see --log_samples"
            )
        wanted = {
            "task": self.gold.spec.task,
            "release": self.release,
            "split": FILES[self.split],
        }
        for name, value in wanted.items():
            if doc[name] != value:
                other = "another" if name == "release" else mask(doc[name])
                raise rows.wrong(
                    f"of another {name}",
                    f"its {name} is {other}, that of the gold is {value[:12]}",
                )
        if row.get("filter") != _NO_FILTER:
            raise rows.wrong(
                "filter", f"is of the filter {mask(row.get('filter'))}, not of answers as given"
            )
        return {name: doc[name] for name in _NAMES}

    def _prompt(self, names: Mapping[str, str]) -> Prompt:
        try:
            prompt = self.prompts.prompt(names["form"], names["mode"])
        except KeyError:
            known = ", ".join(map(_title, self.prompts.prompts))
            raise rows.wrong("prompt", f"is of an unknown prompt; known: {known}") from None
        if self.prompt is None:
            self.prompt = prompt
        if prompt is not self.prompt:
            reason = f"is of the prompt {_title(prompt)}, lines before of {_title(self.prompt)}"
            raise rows.wrong("prompt", reason)
        return prompt

    def _results(self, prompt: Prompt, row: Mapping[str, Any], guid: str) -> list[Any]:
        results, choices = row.get("filtered_resps"), prompt.choices(self.labels)
        if isinstance(results, list):
            if prompt.mode == "gen" and len(results) == 1 and isinstance(results[0], str):
                return results
            if prompt.mode == "mc" and len(results) == len(choices):
                with suppress(TypeError, ValueError):
                    return [(float(number), greedy) for number, greedy in results]
        wanted = f"{count(len(choices), 'log-likelihood')}" if prompt.mode == "mc" else "one text"
        raise rows.wrong("form", f"guid {guid}: `filtered_resps` is {mask(results)}, not {wanted}")


def read_samples(path: Path, gold: Gold, *, release: str, split: Split) -> Samples:
    """Return the answers of a file of samples, one for each example of the gold.

    `release` is the hash of the release that the gold is of. Raises InputError for a file that is
    unusable as a whole, and one for all faults of its lines: the first 20, and how many of each
    kind.
    """
    reader, faults = _Reader(gold, release, split), Faults()
    for line, row in json_lines(path):
        if isinstance(row, RecordError):
            faults.add("unreadable", line, row.reason)
            continue
        try:
            reader.read(line, row)
        except RecordError as fault:
            faults.add(
                fault.rule.removeprefix("prediction.").removesuffix("@1"), line, fault.reason
            )
    if not faults.counts and reader.prompt is None:
        raise InputError(f"{path}: holds no sample; give the file that --log_samples wrote")
    for guid, items in reader.items.items():
        if lacking := sum((guid, part) not in reader.answers for part in range(len(items))):
            of = f"{lacking} of {count(len(items), 'answer')}" if len(items) > 1 else "its answer"
            faults.add("missing", None, f"guid {guid} lacks {of}; was the run cut off, or limited?")
    if faults.counts or reader.prompt is None:
        raise InputError(fault_message(path, faults, "line", len(reader.items)))
    return _joined(reader, _title(reader.prompt))


def _joined(reader: _Reader, prompt: str) -> Samples:
    predictions = []
    for guid, items in reader.items.items():
        answers = [reader.answers[guid, part] for part in range(len(items))]
        label = reader.prompts.join([answer.label for answer in answers])
        given = answers[0].probabilities
        predictions.append(Prediction(guid, label, None if given is None else tuple(given)))
    unparsed = sum(answer.unparsed for answer in reader.answers.values())
    return Samples(predictions, prompt, 100 * unparsed / len(reader.answers))


def _title(prompt: Prompt) -> str:
    return f"{prompt.form} ({prompt.mode})"
