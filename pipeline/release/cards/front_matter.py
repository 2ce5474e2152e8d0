"""The YAML at the top of the dataset card: what the hub and `datasets.load_dataset` read."""

from __future__ import annotations

from typing import Any, Final

import yaml

from pipeline.contracts.splits import FILES, SPLITS
from pipeline.release.cards.task_card import card_of
from pipeline.release.licence import MIXED, WRITTEN, Verdict
from pipeline.release.material import Facts, TaskFacts

_SIZES: Final = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
)
_LARGEST: Final = "1M<n<10M"


def front_matter(facts: Facts, verdict: Verdict) -> str:
    """Return the YAML block of a card, between its two lines of hyphens."""
    cards = [card_of(task.id) for task in facts.tasks]
    data = {
        "pretty_name": f"{facts.name} {facts.version}",
        "language": ["ko"],
        **_licence(verdict),
        "annotations_creators": ["machine-generated" if facts.simulated else "crowdsourced"],
        "language_creators": _writers(facts),
        "multilinguality": ["monolingual"],
        "source_datasets": ["original"],
        "size_categories": [size_category(sum(total(task) for task in facts.tasks))],
        "task_categories": list(dict.fromkeys(card.category for card in cards)),
        "task_ids": list(dict.fromkeys(card.subtask for card in cards if card.subtask)),
        "tags": ["korean", "benchmark", *(["simulated-annotation"] if facts.simulated else [])],
        "configs": [_config(task) for task in facts.tasks],
    }
    text = yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=100)
    return f"---\n{text}---"


def size_category(examples: int) -> str:
    """Return the hub's word for how many examples there are."""
    return next((word for limit, word in _SIZES if examples < limit), _LARGEST)


def total(task: TaskFacts) -> int:
    """Return how many examples a task has in all splits."""
    return sum(task.splits.values())


def _licence(verdict: Verdict) -> dict[str, str]:
    """Return the licence in the hub's words; LICENSE.md has what it has no word for."""
    if verdict.id == MIXED:
        return {"license": "other", "license_name": "mixed", "license_link": "LICENSE.md"}
    return {"license": verdict.id.lower()}


def _writers(facts: Facts) -> list[str]:
    """Return who wrote the texts."""
    found = any(task.sources != (WRITTEN,) for task in facts.tasks)
    wrote = any(card_of(task.id).written for task in facts.tasks)
    by_annotators = ["machine-generated" if facts.simulated else "crowdsourced"]
    return [*(["found"] if found else []), *(by_annotators if wrote else [])]


def _config(task: TaskFacts) -> dict[str, Any]:
    present = [split for split in SPLITS if task.splits.get(split)]
    files = [
        {"split": FILES[one], "path": f"{task.config}/{FILES[one]}.parquet"} for one in present
    ]
    return {"config_name": task.config, "data_files": files}
