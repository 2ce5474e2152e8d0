"""What lm-evaluation-harness calls: the data beside this file, and the results of one document.

Copied like prompts.py, and with the same limits; `datasets` is there wherever the harness is.
"""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.scoring.harness.prompts import Doc, Prompt, Prompts

#: The target of a document whose answer is private; null would end a run after inference.
PLACEHOLDER = "(비공개)"
#: The metric that stands beside every score: the share of answers that cannot be read, x100.
UNPARSED = "unparsed"


def load_splits(
    file: str, prompts: Prompts, *, form: str, mode: str, **_settings: Any
) -> dict[str, Any]:
    """Return the splits beside a file as `datasets.Dataset`, with the prompts of one form."""
    from datasets import Dataset
    from pyarrow.parquet import read_table

    folder, prompt = Path(file).parent, prompts.prompt(form, mode)
    about = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    return {
        path.stem: Dataset.from_list(
            [document(row, prompt, about, path.stem) for row in read_table(path).to_pylist()]
        )
        for path in sorted(folder.glob("*.parquet"))
    }


def document(
    row: Mapping[str, Any], prompt: Prompt, about: Mapping[str, Any], split: str
) -> dict[str, Any]:
    """Return a row as a document of the harness: all that is needed to read its answer back."""
    doc = Doc(json.loads(row["fields"]), about["labels"])
    gold = None if row["gold"] is None else json.loads(row["gold"])
    return {
        "guid": row["guid"],
        "part": row["part"],
        "parts": row["parts"],
        "task": about["task"],
        "release": about["release"],
        "split": split,
        "form": prompt.form,
        "mode": prompt.mode,
        "fields": row["fields"],
        "labels": json.dumps(about["labels"], ensure_ascii=False),
        "gold": row["gold"],
        "prompt": prompt.ask(doc),
        "choices": json.dumps(list(prompt.choices(about["labels"])), ensure_ascii=False),
        "target": PLACEHOLDER if row["gold"] is None else prompt.write(gold, doc),
    }


def choices_of(row: Mapping[str, Any]) -> list[str]:
    """Return the texts that are compared for a document."""
    return list(json.loads(row["choices"]))


def results_of(prompts: Prompts, row: Mapping[str, Any], results: Sequence[Any]) -> dict[str, Any]:
    """Return what is counted of one document, by metric; without gold the unparsed answers only."""
    prompt = prompts.prompt(row["form"], row["mode"])
    doc = Doc(json.loads(row["fields"]), json.loads(row["labels"]))
    answer, probabilities = read_results(prompt, doc, results)
    unparsed = {UNPARSED: [float(answer is None), 1.0]}
    if row["gold"] is None:
        return unparsed
    gold = json.loads(row["gold"])
    if answer is None:
        answer = prompts.wrong(gold, doc)
    return {**prompts.payloads(gold, answer, doc._replace(probabilities=probabilities)), **unparsed}


def read_results(
    prompt: Prompt, doc: Doc, results: Sequence[Any]
) -> tuple[Any, list[float] | None]:
    """Return the answer of a document, None for one that cannot be read, and its probabilities.

    `results` is the generated text, or the log-likelihood of each choice and whether it is greedy.
    """
    if prompt.mode == "gen":
        return prompt.read(unicodedata.normalize("NFC", results[0]), doc), None
    answers = list(prompt.choices(doc.labels).values())
    likelihoods = [float(result[0]) for result in results]
    best = max(likelihoods)
    if not all(number < math.inf for number in likelihoods) or best == -math.inf:
        return None, [1 / len(answers)] * len(answers)
    weights = [math.exp(number - best) for number in likelihoods]
    return answers[likelihoods.index(best)], [weight / sum(weights) for weight in weights]
