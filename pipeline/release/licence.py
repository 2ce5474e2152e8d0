"""The licence of a release, computed from the licences of the sources that its examples are from.

Share-alike wins, in the newest version that all may go up to; attribution adds up; what copyright
does not protect, and the public domain, add nothing. A source without commercial use restricts what
holds it; one that may not be changed or passed on cannot be in a release at all. What annotators
made is under CC BY-SA 4.0, as that of KLUE is (Sections 2.1 and 6.1 of the paper).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from pipeline.core.errors import InputError
from pipeline.core.licences import LICENCES, Licence, licence
from pipeline.release.material import Facts, SourceFacts, TaskFacts
from pipeline.release.tables import card_of

#: The licence of labels, and of texts that annotators wrote.
ANNOTATION: Final = "CC-BY-SA-4.0"
#: The licence of what may not be used commercially.
RESTRICTED: Final = "CC-BY-NC-SA-4.0"
#: The id of a verdict that no single licence can give.
MIXED: Final = "mixed"
#: Stands for a source where annotators wrote the whole text themselves.
WRITTEN: Final = "written"
_OF_ANNOTATION: Final = (
    "annotation: labels, and texts that annotators wrote, are under"
    f" {LICENCES[ANNOTATION].name}, as those of KLUE are"
)
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
    granted. `texts` are the licences of the texts alone, without labels (ids, sorted); none
    are needed where it is empty. `by_task` has the verdict of every task.
    """

    id: str
    name: str
    url: str | None
    spdx: str
    because: tuple[str, ...]
    restricted: bool = False
    texts: tuple[str, ...] = ()
    by_task: Mapping[str, Verdict] = field(default_factory=dict)


def licence_of(facts: Facts) -> Verdict:
    """Return the licence of a release and of each of its tasks.

    Raises InputError for a source whose licence or contract does not let it be changed or passed
    on, for an unknown licence, and for a source of examples that the facts do not describe.
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
    closed = [source for source in sources if not _grants(source, "commercial")]
    shared = [source for source in sources if source not in closed and _licence(source).share_alike]
    ids = _result(shared, closed)
    texts = {
        source.licence for source in sources if _licence(source).attribution or source in closed
    }
    if any(card_of(task.id).written for task in tasks):
        texts.add(ANNOTATION)
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
        because=(_OF_ANNOTATION, *(_reason(source, ids) for source in sources), *clash),
        restricted=bool(closed),
        texts=tuple(sorted(texts)),
    )


def _result(shared: Sequence[SourceFacts], closed: Sequence[SourceFacts]) -> tuple[str, ...]:
    """Return the licence, or two where share-alike with and without commercial use meet."""
    usual = max([ANNOTATION, *(source.licence for source in shared)], key=_version)
    if not closed:
        return (usual,)
    strict = [source.licence for source in closed if source.licence.startswith("CC-BY-NC-SA")]
    restricted = max([RESTRICTED, *strict], key=_version)
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
