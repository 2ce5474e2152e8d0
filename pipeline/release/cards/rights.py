"""LICENSE.md and ATTRIBUTION.md: under what a release may be used, and whom to name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pipeline.core.licences import LICENCES
from pipeline.release.cards.markdown import bullets, code, codes, link, page, plain, table
from pipeline.release.licence import ANNOTATION, Verdict, licence_of, used
from pipeline.release.material import Facts, SourceFacts, TaskFacts

_CHANGES: Final = (
    "Changes to the sources: texts were cut into sentences or passages, cleaned, selected and"
    " annotated; pairs, questions and dialogues were written by annotators or by a program where a"
    " config says so. No source endorses this release."
)


def licence_text(facts: Facts) -> str:
    """Return LICENSE.md: the licence, by which rules, and that of every config.

    Raises InputError as `licence_of` does.
    """
    verdict = licence_of(facts)
    warning = "**Restricted: commercial use is not granted.**" if verdict.restricted else ""
    return page(
        "# Licence",
        warning,
        f"{plain(facts.name)} {plain(facts.version)} is under **{link(verdict.name, verdict.url)}**"
        f" (SPDX: {code(verdict.spdx)}). {code('ATTRIBUTION.md')} says whom to name.",
        "## Why",
        bullets(plain(line) for line in verdict.because),
        "## By config",
        table(
            ("config", "licence", "SPDX", "texts alone"),
            [_row(task, verdict.by_task[task.id]) for task in facts.tasks],
        ),
        f"A config is as free as its texts where only they are used; labels are under"
        f" {_linked(ANNOTATION)}.",
        "The data comes as it is, without warranty of any kind. Rights of others, such as those of"
        " the people whom a text speaks about, are not licensed.",
    )


def attribution_text(facts: Facts) -> str:
    """Return ATTRIBUTION.md: who must be named for which config, and what was changed.

    Raises InputError as `licence_of` does.
    """
    licence_of(facts)
    sources = used(facts, *facts.tasks)
    asked = [one for one in sources if LICENCES[one.licence].attribution]
    free = [one for one in sources if one not in asked]
    return page(
        "# Attribution",
        f"Whoever passes on {plain(facts.name)}, or what is made of it, names this release with"
        f" its version ({plain(facts.version)}) and licence, and the following.",
        *(_entry(facts, one) for one in asked),
        "## Sources that ask for no attribution" if free else "",
        *(_entry(facts, one) for one in free),
        "## Annotation",
        _annotation(facts),
        "## Changes",
        _CHANGES,
    )


def _row(task: TaskFacts, verdict: Verdict) -> tuple[str, ...]:
    texts = ", ".join(_linked(one) for one in verdict.texts) or "free of conditions"
    return (code(task.config), link(verdict.name, verdict.url), code(verdict.spdx), texts)


def _linked(name: str) -> str:
    return link(LICENCES[name].name, LICENCES[name].url)


def _entry(facts: Facts, source: SourceFacts) -> str:
    return page(f"### {plain(source.name)}", bullets(_lines(facts, source))).strip()


def _lines(facts: Facts, source: SourceFacts) -> Iterator[str]:
    basis = source.basis
    if LICENCES[source.licence].attribution:
        yield f"Name: {plain(str(basis.get('attribution') or source.name))}"
    yield f"Licence: {_linked(source.licence)}{_by(source)}"
    if source.address:
        yield f"Address: {plain(source.address)}"
    if basis.get("act"):
        yield f"Law: {plain(str(basis['act']))}, {plain(str(basis.get('article') or ''))}"
    if basis.get("note"):
        yield f"Note: {plain(str(basis['note']))}"
    yield f"Configs: {codes(task.config for task in facts.tasks if source.id in task.sources)}"


def _by(source: SourceFacts) -> str:
    kinds = {"contract": ", by a contract with the owner", "not_protected": ""}
    return kinds.get(str(source.basis.get("kind")), "")


def _annotation(facts: Facts) -> str:
    who = plain(facts.maintainer) if facts.maintainer else f"the makers of {plain(facts.name)}"
    how = "drawn by a program, not by people" if facts.simulated else "by the annotators"
    return f"Labels, and texts written for the tasks: {who} ({how}), {_linked(ANNOTATION)}."
