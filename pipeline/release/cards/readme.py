"""README.md of a release: the dataset card that people read first, and the hub's front matter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pipeline.contracts.splits import FILES, SPLITS
from pipeline.release.cards.front_matter import front_matter, total
from pipeline.release.cards.markdown import (
    Cells,
    bullets,
    code,
    codes,
    counted,
    fenced,
    link,
    page,
    plain,
    table,
)
from pipeline.release.cards.task_card import COMMON, card_of
from pipeline.release.licence import WRITTEN, Verdict, licence_of
from pipeline.release.material import Facts, TaskFacts
from pipeline.release.tables import COLUMNS, Columns
from pipeline.release.withdrawn import REASONS

_WITHHELD: Final = (
    "votes, gold and rows of the ledger about items that are not examples of train or validation;"
    " those that no split has yet may come into a later test split",
    "what an author wrote about a text, unless all examples made of it are in train or validation",
    "what inspectors wrote to annotators, when votes were given, what came back from annotators by"
    " file, and the annotators' own ids: votes have pseudonyms",
    "counts by label of test splits that have few examples",
)


def readme(facts: Facts) -> str:
    """Return README.md.

    Raises InputError as `licence_of` does.
    """
    verdict = licence_of(facts)
    return page(
        front_matter(facts, verdict),
        f"# {plain(facts.name)} {plain(facts.version)}",
        _warning(facts),
        _what(facts),
        "## Loading",
        _loading(facts),
        "## Splits and labels",
        _splits(facts),
        _labels(facts),
        "## How the tasks were split",
        _rules(facts),
        "## How it was annotated",
        _annotation(facts),
        "## What is withheld, and why",
        _withheld(facts),
        "## Licence",
        _licence(facts, verdict),
        "## Known limits",
        bullets(_limits(facts)),
        "## Checking a copy",
        _checking(),
        "## Reporting an example",
        reporting(facts),
        "## Version",
        _version(facts),
    )


def reporting(facts: Facts) -> str:
    """Return how an example is reported and withdrawn."""
    contact = (
        f"Write to {plain(facts.contact)}"
        if facts.contact
        else "This build records no address to write to: turn to whoever published this copy,"
    )
    reasons = "; ".join(f"{code(reason)} ({words})" for reason, words in REASONS.items())
    return (
        f"{contact} and name the {code('guid')} of the example and one reason: {reasons}. Do not"
        f" repeat the text. A withdrawn example is listed in {code('withdrawn.yaml')}; the next"
        " version leaves it out and says so."
    )


def withdrawn(facts: Facts) -> str:
    """Return how many examples are withdrawn."""
    return f"{counted(len(facts.withdrawn), 'example is', 'examples are')} withdrawn"


def _warning(facts: Facts) -> str:
    if not facts.simulated:
        return ""
    return (
        "> **The annotation is simulated: no person labelled these examples.** Labels, votes,"
        " annotators and agreement were drawn by a program, to try out the way from raw text to"
        " a release. Do not train, evaluate or publish results with them."
    )


def _what(facts: Facts) -> str:
    named = ", ".join(plain(task.title.get("en", task.id)).lower() for task in facts.tasks)
    examples = counted(sum(total(task) for task in facts.tasks), "example", "examples")
    tasks = counted(len(facts.tasks), "task", "tasks")
    corpora = counted(len(facts.sources), "source corpus", "source corpora")
    return (
        f"A benchmark of Korean language understanding in the manner of KLUE (Park et al., 2021):"
        f" {examples} of {tasks} ({named}), built from {corpora} by {plain(facts.tool)}"
        f" {plain(facts.tool_version)}. It is not the official KLUE data."
        f" {code('datasheet.md')} answers how it was made, and {code('report/index.html')} is the"
        " quality-control report."
    )


def _loading(facts: Facts) -> str:
    return fenced(
        "from datasets import load_dataset\n\n"
        f'data = load_dataset("path/to/{facts.name}/{facts.version}", "{facts.tasks[0].config}")\n'
        'print(data["train"][0])',
        "python",
    )


def _splits(facts: Facts) -> str:
    rows: list[Cells] = [
        (
            code(task.config),
            plain(task.title.get("en", task.id)),
            *(task.splits.get(split, 0) for split in SPLITS),
            codes(task.sources),
        )
        for task in facts.tasks
    ]
    titles = ("config", "task", *(FILES[split] for split in SPLITS), "sources")
    return table(titles, rows)


def _labels(facts: Facts) -> str:
    rows = [
        (code(task.config), len(task.labels), codes(task.labels))
        for task in facts.tasks
        if task.labels
    ]
    return page(
        "Labels are names, never bare numbers.", table(("config", "labels", "names"), rows)
    ).strip()


def _rules(facts: Facts) -> str:
    parts = [
        f"**{code(task.config)}** (rule {code(task.split_rule)}). {card_of(task.id).split}\n"
        + bullets(card_of(task.id).promises)
        + _unmet(task)
        for task in facts.tasks
    ]
    return page(
        "The rules are those of the paper's paragraphs on the final datasets, with sizes scaled to"
        " what there is. For every task:",
        bullets(COMMON),
        *parts,
    ).strip()


def _unmet(task: TaskFacts) -> str:
    if not task.unmet:
        return ""
    return f"\nNot met in this version: {codes(task.unmet)}; the report says what binds."


def _annotation(facts: Facts) -> str:
    rows = [_annotated(task) for task in facts.tasks]
    titles = ("config", "spec", "votes", "annotators", "gold", "unresolved", "removed", "agreement")
    return table(titles, rows)


def _annotated(task: TaskFacts) -> Cells:
    return (
        code(task.config),
        code(task.spec),
        task.votes,
        task.annotators,
        task.gold,
        task.unresolved,
        task.removed,
        agreement(task),
    )


def agreement(task: TaskFacts) -> str:
    """Return a task's coefficient of agreement with its name."""
    if task.agreement is None:
        return f"{plain(task.coefficient)}: too few votes"
    return f"{plain(task.coefficient)} {task.agreement:.3f}"


def _withheld(facts: Facts) -> str:
    hints = {task.config: _hints(COLUMNS[task.id]) for task in facts.tasks}
    named = "; ".join(
        f"{codes(names)} of {code(config)}" for config, names in hints.items() if names
    )
    labels = "the labels of the test splits, and the columns that betray them"
    return page(
        "So that scores on the test splits can be trusted, this folder is without",
        bullets([f"{labels}: {named}" if named else labels, *_WITHHELD]),
        "The columns of labels are empty in the test splits. What is withheld lies apart from the"
        " release, readable by its owner alone.",
        pseudonyms(facts),
    ).strip()


def _hints(columns: Columns) -> list[str]:
    return [name for name in columns.betraying if name not in columns.answer]


def pseudonyms(facts: Facts) -> str:
    """Return what the public names of annotators are worth."""
    made = (
        "were made with a secret key: without it an id cannot be found from a name, nor a name from"
        " an id."
        if facts.keyed
        else "were made without a key: they can be undone by whoever guesses an annotator's id,"
        " for the name follows from it."
    )
    return f"The names of annotators {made} All votes of one person stay together either way."


def _licence(facts: Facts, verdict: Verdict) -> str:
    plainly = (
        "**Restricted: commercial use is not granted.** " if verdict.restricted else ""
    ) + f"{link(verdict.name, verdict.url)}, computed from the licences of the sources."
    names = {task.id: verdict.by_task[task.id].name for task in facts.tasks}
    freer = [code(task.config) for task in facts.tasks if names[task.id] != verdict.name]
    other = f" {', '.join(freer)} have a licence of their own." if freer else ""
    return (
        f"{plainly}{other} {code('LICENSE.md')} says why, {code('ATTRIBUTION.md')} who must be"
        " named."
    )


def _limits(facts: Facts) -> Iterator[str]:
    if facts.simulated:
        yield "The annotation is simulated, see the top of this card."
    for task in facts.tasks:
        if absent := [FILES[split] for split in SPLITS if not task.splits.get(split)]:
            yield f"{code(task.config)} has no examples in {codes(absent)}."
    if left := [f"{code(one.config)} {one.left_out:,}" for one in facts.tasks if one.left_out]:
        yield f"Gold items that are in no split, since a rule keeps them out: {', '.join(left)}."
    for source in facts.sources:
        if source.ethical_risk != "low":
            yield (
                f"{plain(source.name)} carries a {source.ethical_risk} risk of biased or offensive"
                " text; detectors and annotators do not find all of it."
            )
    if written := [code(task.config) for task in facts.tasks if WRITTEN in task.sources]:
        yield f"{', '.join(written)}: the texts were written for the task, not found in use."
    yield "Filters of personal data work by form; names of people in the public eye remain."


def _checking() -> str:
    return page(
        fenced("klue verify path/to/this/folder", "sh"),
        f"checks every file against {code('manifest.json')}, that splits do not meet, and that"
        f" nothing tells a label of test; {code('klue diff OLDER NEWER')} compares two versions,"
        f" and {code('klue explain GUID')} walks from an example back to the raw file.",
    ).strip()


def _version(facts: Facts) -> str:
    before = (
        f"The version before is {plain(facts.previous)}; {code('CHANGELOG.md')} says what changed."
        if facts.previous
        else "This is the first version."
    )
    gone = f" {withdrawn(facts)}." if facts.withdrawn else ""
    return f"{plain(facts.version)}, seed {facts.seed}. {before}{gone}"
