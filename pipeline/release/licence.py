"""The licence of a release, computed from the licences of the sources that its examples are from.

Share-alike wins, in the newest version that all may go up to; attribution adds up; what copyright
does not protect, and the public domain, add nothing. A source without commercial use restricts what
holds it; one that may not be changed or passed on cannot be in a release at all. What annotators
made is under the licence that the makers of the release choose, without a choice under CC BY-SA
4.0, as that of KLUE is (Sections 2.1 and 6.1 of the paper).
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from pipeline.core.errors import InputError
from pipeline.core.licences import LICENCES, Licence, licence
from pipeline.release.material import Facts, SourceFacts, TaskFacts, has_klue_task
from pipeline.release.tables import card_of

#: The licence of labels, and of texts that annotators wrote, where no other is chosen.
ANNOTATION: Final = "CC-BY-SA-4.0"
#: The licence of texts of attribution under labels without, and of what may not be used
#: commercially, without and with share-alike.
_ATTRIBUTION: Final = "CC-BY-4.0"
_RESTRICTED: Final = "CC-BY-NC-4.0"
_RESTRICTED_ALIKE: Final = "CC-BY-NC-SA-4.0"
#: The id of a verdict that no single licence can give.
MIXED: Final = "mixed"
#: Stands for a source where annotators wrote the whole text themselves.
WRITTEN: Final = "written"
#: What a source must grant to be in a release at all, and how the error calls it.
_NEEDED: Final = {
    "derivatives": "that it is changed (cut into sentences, annotated)",
    "redistribution": "that it is passed on",
}


@dataclass(frozen=True)
class Verdict:
    """A licence, and why: `because` has one line a rule that was applied.

    `id` is one of `pipeline.core.licences`, or "mixed"; `url` is then None and `spdx` joins two
    licences, each for the examples of some sources. `restricted` tells that commercial use is not
    granted. `labels` is the licence of labels, and of texts that annotators wrote. `texts` are the
    licences of the texts alone, without labels (ids, sorted); none are needed where it is empty.
    `by_task` has the verdict of every task.
    """

    id: str
    name: str
    url: str | None
    spdx: str
    because: tuple[str, ...]
    labels: str
    restricted: bool = False
    texts: tuple[str, ...] = ()
    by_task: Mapping[str, Verdict] = field(default_factory=dict)


def licence_of(facts: Facts) -> Verdict:
    """Return the licence of a release and of each of its tasks.

    Raises InputError for a source whose licence or contract does not let it be changed or passed
    on, or whose licence forbids that of the labels, for an unknown licence, and for a source of
    examples that the facts do not describe.
    """
    by_task = {task.id: _verdict(facts, task) for task in facts.tasks}
    return replace(_verdict(facts, *facts.tasks), by_task=by_task)


def used_sources(facts: Facts, *tasks: TaskFacts) -> tuple[SourceFacts, ...]:
    """Return the sources that the examples of these tasks are from, in the order of the facts.

    Raises InputError for one that the facts do not describe.
    """
    named = {name for task in tasks for name in task.sources} - {WRITTEN}
    if unknown := sorted(named - {source.id for source in facts.sources}):
        raise InputError(
            f"examples are from {', '.join(unknown)}, of which no licence is known; describe"
            " the source in the catalogue, and name it in the build file"
        )
    return tuple(source for source in facts.sources if source.id in named)


def _verdict(facts: Facts, *tasks: TaskFacts) -> Verdict:
    sources = used_sources(facts, *tasks)
    for source in sources:
        for right, meaning in _NEEDED.items():
            if not _grants(source, right):
                raise InputError(
                    f"source {source.id} cannot be in a release: {_licence(source).name} does not"
                    f" grant {right}: {meaning}; leave it out of the build, or record in the"
                    " catalogue a contract that grants it"
                )
    labels = facts.label_licence or ANNOTATION
    closed = [source for source in sources if not _grants(source, "commercial")]
    shared = [source for source in sources if source not in closed and _licence(source).share_alike]
    check_labels(labels, {source.id: source.licence for source in shared})
    asking = {
        source.licence for source in sources if _licence(source).attribution or source in closed
    }
    ids = _result(labels, shared, closed, is_asked=bool(asking))
    texts = set(asking)
    if any(card_of(task.id).written for task in tasks) and LICENCES[labels].attribution:
        texts.add(labels)
    names = [LICENCES[name].name for name in ids]
    clash = [
        "share-alike with and without commercial use cannot be under one licence: examples of the"
        f" sources without commercial use are under {restricted}, all others under {usual}"
        for usual, restricted in itertools.pairwise(names)
    ]
    return Verdict(
        id=ids[0] if len(ids) == 1 else MIXED,
        name=" and ".join(names)
        + (", by source; no commercial use of the whole" if len(ids) > 1 else ""),
        url=LICENCES[ids[0]].url if len(ids) == 1 else None,
        spdx=" AND ".join(ids),
        because=(_annotation(facts), *(_reason(source, ids) for source in sources), *clash),
        labels=labels,
        restricted=bool(closed) or not LICENCES[labels].commercial,
        texts=tuple(sorted(texts)),
    )


def check_labels(labels: str, sources: Mapping[str, str]) -> None:
    """Raise InputError for labels without commercial use on texts whose share-alike grants it.

    `labels` is the licence of labels, `sources` are the licences of sources by id.
    """
    open_alike = [
        f"{source} ({LICENCES[name].name})"
        for source, name in sources.items()
        if LICENCES[name].share_alike and LICENCES[name].commercial
    ]
    if open_alike and not LICENCES[labels].commercial:
        raise InputError(
            f"labels under {LICENCES[labels].name} cannot be with the texts of"
            f" {', '.join(open_alike)}, whose share-alike asks for a licence that grants commercial"
            " use; choose one that does, or leave these sources out"
        )


def _annotation(facts: Facts) -> str:
    """Return the line about the labels: their licence, and who chose it."""
    terms = LICENCES[facts.label_licence or ANNOTATION]
    usual = "as those of KLUE are" if has_klue_task(facts) else "as the makers chose no other"
    why = usual if facts.label_licence is None else "which the makers of this release chose"
    restricts = "" if terms.commercial else "; commercial use is not granted"
    return (
        "annotation: labels, and texts that annotators wrote, are under"
        f" {terms.name}, {why}{restricts}"
    )


def _result(
    labels: str, shared: Sequence[SourceFacts], closed: Collection[SourceFacts], *, is_asked: bool
) -> tuple[str, ...]:
    """Return the licence, or two where share-alike with and without commercial use meet.

    `is_asked` says whether a source asks for attribution.
    """
    terms, usual = LICENCES[labels], labels
    if shared:
        usual = max([ANNOTATION, *(source.licence for source in shared)], key=_version)
    elif is_asked and not terms.attribution:
        usual = _ATTRIBUTION
    if not closed:
        return (usual,)
    strict = [source.licence for source in closed if source.licence.startswith("CC-BY-NC-SA")]
    restricted = _RESTRICTED if terms.commercial else labels
    if strict or terms.share_alike:
        restricted = max([_RESTRICTED_ALIKE, *strict], key=_version)
    return (usual, restricted) if shared else (restricted,)


def _version(name: str) -> tuple[int, ...]:
    return tuple(int(part) for part in name.rpartition("-")[2].split("."))


def _grants(source: SourceFacts, right: str) -> bool:
    """Tell whether a source grants a right: a contract may grant more than the licence does."""
    by_licence = source.basis.get("kind") == "contract" or getattr(_licence(source), right)
    return bool(source.basis.get(right, True) and by_licence)


def _licence(source: SourceFacts) -> Licence:
    try:
        return licence(source.licence)
    except ValueError as error:
        raise InputError(f"source {source.id}: {error}") from None


def _reason(source: SourceFacts, ids: Sequence[str]) -> str:
    terms, result = _licence(source), LICENCES[ids[0]].name
    if not _grants(source, "commercial"):
        return (
            f"{source.id} ({terms.name}): commercial use is not granted, which restricts the whole"
        )
    if source.basis.get("kind") == "not_protected":
        return f"{source.id}: not protected by copyright, adds nothing"
    if not terms.attribution:
        return f"{source.id} ({terms.name}): dedicated to the public, adds nothing"
    by_contract = ", by a contract" if source.basis.get("kind") == "contract" else ""
    if terms.share_alike:
        return f"{source.id} ({terms.name}{by_contract}): {_upward(source.licence, ids[0])}"
    return f"{source.id} ({terms.name}{by_contract}): asks for attribution, which {result} keeps"


def _upward(name: str, result: str) -> str:
    """Return by which rule an adaptation may be under the newest version."""
    if name == result:
        return "share-alike: the release is under the same licence"
    section = "3(b)(1)" if _version(name) >= (4, 0) else "4(b)"
    return (
        f"share-alike: its section {section} lets an adaptation be under a later version with the"
        f" same elements, here {LICENCES[result].name}"
    )
