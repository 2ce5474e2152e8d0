"""The YAML at the top of the dataset card: what the hub and `datasets.load_dataset` read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import yaml

from pipeline.contracts.splits import FILES, SPLITS
from pipeline.release.facts import Facts, TaskFacts
from pipeline.release.licence import MIXED, Verdict

#: By task, in the words of the hub: its categories, their subtasks, and whether annotators wrote
#: texts.
_HUB: Final[dict[str, tuple[str, str, bool]]] = {
    "tc": ("text-classification", "topic-classification", False),
    "sts": ("text-classification", "semantic-similarity-scoring", False),
    "nli": ("text-classification", "natural-language-inference", True),
    "ner": ("token-classification", "named-entity-recognition", False),
    "re": ("text-classification", "multi-class-classification", False),
    "dp": ("token-classification", "parsing", False),
    "mrc": ("question-answering", "extractive-qa", True),
    "dst": ("text-generation", "dialogue-modeling", True),
}
_SIZES: Final = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
)
_LARGEST: Final = "1M<n<10M"


def front_matter(facts: Facts, verdict: Verdict) -> str:
    """Return the YAML block of a card, between its two lines of hyphens."""
    made = {
        "pretty_name": f"{facts.name} {facts.version}",
        "language": ["ko"],
        **_licence(verdict),
        "annotations_creators": ["machine-generated" if facts.simulated else "crowdsourced"],
        "language_creators": _writers(facts),
        "multilinguality": ["monolingual"],
        "source_datasets": ["original"],
        "size_categories": [size_category(sum(total(task) for task in facts.tasks))],
        "task_categories": _unique(_HUB[task.id][0] for task in facts.tasks),
        "task_ids": _unique(_HUB[task.id][1] for task in facts.tasks),
        "tags": ["korean", "benchmark", *(["simulated-annotation"] if facts.simulated else [])],
        "configs": [_config(task) for task in facts.tasks],
    }
    text = yaml.safe_dump(made, allow_unicode=True, sort_keys=False, width=100)
    return f"---\n{text}---"


def size_category(examples: int) -> str:
    """Return the hub's word for how many examples there are."""
    return next((word for limit, word in _SIZES if examples < limit), _LARGEST)


def total(task: TaskFacts) -> int:
    """Return how many examples a task has in all splits."""
    return sum(task.splits.values())


def _licence(verdict: Verdict) -> dict[str, str]:
    """Return the licence in the hub's words; what it has no word for is told in LICENSE.md."""
    if verdict.id == MIXED:
        return {"license": "other", "license_name": "mixed", "license_link": "LICENSE.md"}
    return {"license": verdict.id.lower()}


def _writers(facts: Facts) -> list[str]:
    """Return who wrote the texts."""
    found = any(not _HUB[task.id][2] or task.id != "dst" for task in facts.tasks)
    wrote = any(_HUB[task.id][2] for task in facts.tasks)
    by_annotators = ["machine-generated" if facts.simulated else "crowdsourced"]
    return [*(["found"] if found else []), *(by_annotators if wrote else [])]


def _config(task: TaskFacts) -> dict[str, Any]:
    present = [split for split in SPLITS if task.splits.get(split)]
    files = [
        {"split": FILES[one], "path": f"{task.config}/{FILES[one]}.parquet"} for one in present
    ]
    return {"config_name": task.config, "data_files": files}


def _unique(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))
