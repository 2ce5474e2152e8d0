"""The Markdown of a release: the templates of data/cards, filled with facts of the release.

Section 2 of the paper asks for a datasheet and a data statement: Gebru et al., Datasheets for
Datasets; Bender and Friedman, Data Statements for Natural Language Processing. What the facts do
not say is marked as not recorded. What others wrote is text in the templates, never mark-up.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import jinja2
import yaml

from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.contracts.splits import FILES, SPLITS
from pipeline.core.licences import LICENCES
from pipeline.core.resources import DATA
from pipeline.release.diff import Change, Difference
from pipeline.release.features import Feature, features
from pipeline.release.licence import MIXED, WRITTEN, Verdict, licence_of, used_sources
from pipeline.release.material import Facts, TaskFacts, has_klue_task, is_own, portable
from pipeline.release.soft_labels import SOFT_LABEL, label_order
from pipeline.release.tables import CARDS, COLUMNS, COMMON, card_of
from pipeline.release.withdrawn import REASONS

TEMPLATES: Final = DATA / "cards"
#: Those of a release of official files, whose card has a template of its own.
_OFFICIAL: Final = ("ATTRIBUTION.md", "LICENSE.md", "official.md")
_NAMES: Final = ("ATTRIBUTION.md", "CHANGELOG.md", "LICENSE.md", "README.md", "datasheet.md")
#: How many changes of the manifest the changelog lists, and how long the values are that it shows.
_LISTED: Final = 40
_SHORT: Final = 40
_SIZES: Final = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
)
#: What the hub calls licences whose SPDX identifier it does not take.
_HUB_NAMES: Final = {"ODC-By-1.0": "odc-by", "PDDL-1.0": "pddl"}
_BLANKS: Final = re.compile(r"\s+")
_SIGNS: Final = re.compile(r"([\\`*\[\]<>|#{}~])")


def texts(facts: Facts, difference: Difference | None = None) -> dict[str, str]:
    """Return the Markdown of a release; `difference` is that to the version before, if any.

    The changelog has counts and ids, no text of examples. Raises InputError as
    `pipeline.release.licence.licence_of` does.
    """
    return _texts(_NAMES, facts, difference=difference)


def official_texts(facts: Facts, as_published: Mapping[str, bool | None]) -> dict[str, str]:
    """Return the Markdown of a release of official files; raises as `texts` does.

    `as_published` tells of each file whether it is the published one (None: not known).
    """
    files = _texts(_OFFICIAL, facts, as_published=as_published)
    return files | {"README.md": files.pop("official.md")}


def _texts(names: Sequence[str], facts: Facts, **more: Any) -> dict[str, str]:
    environment = markdown_environment()
    environment.filters |= {
        "absent_splits": lambda task: [
            FILES[split] for split in SPLITS if not task.splits.get(split)
        ],
        "codes": codes,
        "configs_of": lambda source: codes(
            task.config for task in facts.tasks if source.id in task.sources
        ),
        "counted": lambda many, singular, several: f"{many:,} {singular if many == 1 else several}",
        "english": _english,
        "link": link,
        "moves": lambda update: sorted(
            Counter((move.before, move.after) for move in update.moved).items()
        ),
        "portable": portable,
        "split_words": _split_words,
        "what_changed": _what_changed,
    }
    values = _values(facts) | more
    return {name: render(environment.get_template(f"{name}.j2"), values) for name in names}


def markdown_environment() -> jinja2.Environment:
    """Return an environment of the templates, with the filters that all cards use."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=False,  # the result is Markdown, in which `plain` and `code` escape
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "code": code,
        "licence": lambda name: link(LICENCES[name].name, LICENCES[name].url),
        "number": "{:,}".format,
        "plain": plain,
    }
    return environment


def render(template: jinja2.Template, values: dict[str, Any]) -> str:
    """Return a text whose blocks have one empty line between them, whatever was left out."""
    return re.sub(r"\n{3,}", "\n\n", template.render(values)).strip("\n") + "\n"


def _values(facts: Facts) -> dict[str, Any]:
    verdict = licence_of(facts)
    columns = {task.config: COLUMNS[task.id] for task in facts.tasks}
    hints = {
        config: [name for name in facts.hidden_in_test if name not in facts.answer]
        for config, facts in columns.items()
    }
    return {
        "COMMON": COMMON,
        "LICENCES": LICENCES,
        "LISTED": _LISTED,
        "REASONS": REASONS,
        "SPLITS": SPLITS,
        "cards": {task.id: card_of(task.id) for task in facts.tasks},
        "facts": facts,
        "front_matter": front_matter(facts, verdict),
        "hints": [(config, names) for config, names in hints.items() if names],
        "klue": has_klue_task(facts),
        "own": [task.config for task in facts.tasks if is_own(task)],
        "soft_labels": _soft_labels(facts),
        "sources": used_sources(facts, *facts.tasks),
        "task_names": ", ".join(plain(_english(task)).lower() for task in facts.tasks),
        "tool": f"{plain(facts.tool)} {plain(facts.tool_version)}".strip(),
        "total": _total(facts),
        "verdict": verdict,
        "written": [task.config for task in facts.tasks if WRITTEN in task.sources],
    }


def front_matter(facts: Facts, verdict: Verdict) -> str:
    """Return the YAML at the top of README.md, which the hub and `load_dataset` read."""
    cards = [card_of(task.id) for task in facts.tasks]
    creators = ["machine-generated" if facts.simulated else "crowdsourced"]
    # nothing tells who annotated an own task
    annotators = {"annotations_creators": creators}
    is_known = facts.simulated or has_klue_task(facts)
    licence = {"license": verdict.id.lower()}
    if verdict.id in _HUB_NAMES:
        licence = {"license": _HUB_NAMES[verdict.id]}
    if verdict.id == MIXED or verdict.id.startswith("KOGL-"):  # the hub has no word for it
        name = verdict.id.lower()
        licence = {"license": "other", "license_name": name, "license_link": "LICENSE.md"}
    creators_of_text = ["found"] if any(task.sources != (WRITTEN,) for task in facts.tasks) else []
    data = {
        "pretty_name": f"{facts.name} {facts.version}",
        "language": ["ko"],
        **licence,
        **(annotators if is_known else {}),
        "language_creators": creators_of_text + creators * any(card.written for card in cards),
        "multilinguality": ["monolingual"],
        "source_datasets": ["original"],
        "size_categories": [size_category(_total(facts))],
        "task_categories": list(dict.fromkeys(card.category for card in cards)),
        "task_ids": list(dict.fromkeys(card.subtask for card in cards if card.subtask)),
        "tags": [
            "korean",
            *["benchmark"] * has_klue_task(facts),
            *["simulated-annotation"] * facts.simulated,
        ],
        "configs": [
            {
                "config_name": task.config,
                "data_files": [
                    {"split": FILES[split], "path": f"{task.config}/{FILES[split]}.parquet"}
                    for split in SPLITS
                    if task.splits.get(split)
                ],
            }
            for task in facts.tasks
        ],
        "dataset_info": [
            {"config_name": task.config, "features": _features(task.id)} for task in facts.tasks
        ],
    }
    text = yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=100)
    return f"---\n{text}---"


def _split_words(task: TaskFacts) -> str:
    """Return how the examples of a task were divided."""
    by = getattr(load_spec(task.id).split.numbers, "by", None)
    if by is None or CARDS.get(task.id) is not None:
        return card_of(task.id).split
    nouns = "scores" if by == "label" and task.scale is not None else f"{by}s"
    return f"By keyed draws: every split has the {nouns} in the shares of the whole."


def _soft_labels(facts: Facts) -> list[tuple[str, str, Sequence[str]]]:
    """Return config, kind of answers and order of labels of the tasks with soft labels."""
    return [
        (task.config, TASKS[task.id].kind, label_order(COLUMNS[task.id], load_spec(task.id)))
        for task in facts.tasks
        if SOFT_LABEL in COLUMNS[task.id].schema.names
    ]


def _features(task: str) -> list[Feature]:
    columns = COLUMNS[task]
    return features(columns.schema, columns.classes(load_spec(task)))


def size_category(examples: int) -> str:
    """Return the hub's word for how many examples there are."""
    return next((word for limit, word in _SIZES if examples < limit), "1M<n<10M")


def _total(facts: Facts) -> int:
    return sum(sum(task.splits.values()) for task in facts.tasks)


def _english(task: TaskFacts) -> str:
    return task.title.get("en", task.id)


def _what_changed(change: Change) -> str:
    values = change.before, change.after
    if None in values:
        return " is new" if change.before is None else " is gone"
    if all(
        not isinstance(value, dict | list) and 0 < len(str(value)) <= _SHORT for value in values
    ):
        return f": {code(str(change.before))}, now {code(str(change.after))}"
    return " changed"


def plain(text: str) -> str:
    """Return a text on one line in which no sign is mark-up; addresses stay readable."""
    return _SIGNS.sub(r"\\\1", _BLANKS.sub(" ", text).strip())


def code(text: str) -> str:
    """Return a text as code, for ids, names of files and labels."""
    text_in_row = _BLANKS.sub(" ", text).replace("|", "\\|")
    fence = "``" if "`" in text_in_row else "`"
    return f"{fence}{text_in_row}{fence}"


def codes(names: Iterable[str]) -> str:
    """Return several as code, with commas between them."""
    return ", ".join(code(name) for name in names)


def link(text: str, address: str | None) -> str:
    """Return a link, or the text alone where there is no web address."""
    if address is None or not re.fullmatch(r"https?://[^\s<>()]+", address):
        return plain(text)
    return f"[{plain(text)}]({address})"
