"""Which passages are asked about: categories, repeated sentences, length, question types."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.contracts.sampling import proportional
from pipeline.core.ids import draw
from pipeline.core.stage import Call
from pipeline.sampling import inputs
from pipeline.sampling.draft import Refusal
from pipeline.tasks.mrc.candidates.assembly import (
    Hashes,
    Passage,
    Section,
    assemble,
    fingerprints,
    shared,
)
from pipeline.tasks.mrc.spec import TYPES, Passages

#: What newsrooms put between the names of a category and of its subcategory.
_PARTS: Final = re.compile(r"[\s/>|,·ㆍ&]+")


class Categories:
    """The categories of a source's articles, counted over the whole source.

    An article without a category, as in Wikipedia, is left alone. Source: KLUE, Section 3.7.1.
    """

    def __init__(self, call: Call, source: str, spec: Passages) -> None:
        """Count the articles of each category."""
        self.politics = frozenset(name.casefold() for name in spec.politics)
        self.least = spec.least_articles
        self.counts: Counter[str] = Counter()
        for table in inputs.rows(call, source, "documents"):
            self.counts.update(n for n in table.column("section").to_pylist() if n is not None)

    def refusal(self, category: str | None) -> Refusal | None:
        """Tell why an article of this category is left out, or None."""
        if not category:
            return None
        if self.politics & {category.casefold(), *_PARTS.split(category.casefold())}:
            return Refusal("mrc.political@1", f"category {category}")
        count = self.counts[category]
        if count < self.least:
            reason = f"category {category} has {count} articles; {self.least} wanted"
            return Refusal("mrc.rare_category@1", reason, count)
        return None


#: The rule under which exact duplicates leave, the source of its stage, and how its reason begins.
EXACT: Final = "duplicate.exact@1"
ALL: Final = "all"
_REASON: Final = "repeats "


def repeats(call: Call, source: str) -> dict[str, str]:
    """Return the kept text of every exact duplicate of a source, by the id of the unit that left.

    The input among the call's that holds the ledger of duplicates is the one of all sources.
    """
    originals = _originals(call, source)
    wanted = pa.array(sorted(set(originals.values())), pa.string())
    texts: dict[str, str] = {}
    for table in inputs.units(call, source):
        mine = table.filter(pc.is_in(table.column("id"), value_set=wanted))
        columns = (mine.column(name).to_pylist() for name in ("id", "text"))
        texts.update(zip(*columns, strict=True))
    return {unit: texts[one] for unit, one in originals.items() if one in texts}


def _originals(call: Call, source: str) -> dict[str, str]:
    """Return the unit that stayed for each that left; those of another kind among them."""
    found: dict[str, str] = {}
    for table in inputs.rows(call, ALL, "ledger"):
        same = pc.equal(table.column("source"), source)
        mine = table.filter(pc.and_(same, pc.equal(table.column("rule"), EXACT)))
        columns = (mine.column(name).to_pylist() for name in ("unit", "reason"))
        for unit, reason in zip(*columns, strict=True):
            found[unit] = reason.removeprefix(_REASON)
    return found


_UNCUT: Final = "a paragraph that was not cut into sentences"


class Judge:
    """The judge of one source's sections; `known` are the fingerprints of other benchmarks."""

    def __init__(self, call: Call, source: str, spec: Passages, known: Hashes) -> None:
        """Read what is judged by: categories, and which sentences were boilerplate or repeats."""
        self.spec = spec
        self.known = known
        self.categories = Categories(call, source, spec)
        self.boilerplate = _boilerplate(call, source, spec)
        self.repeats = repeats(call, source)
        self._seen: dict[int, str] = {}

    def alone(self, section: Section) -> Refusal | Passage:
        """Judge a section by itself and return its passage, or why it makes none."""
        spec, row = self.spec, section.row
        if refusal := self.categories.refusal(section.document["section"]):
            return refusal
        if row["end"] - row["start"] <= spec.above:  # cleaning adds nothing
            return self._length(row["end"] - row["start"])
        passage = assemble(section, boilerplate=self.boilerplate, repeats=self.repeats)
        return self._faults(passage) or passage

    def _faults(self, passage: Passage) -> Refusal | None:
        if passage.lost or passage.uncut:
            parts = [*passage.lost, *([_UNCUT] * passage.uncut)]
            return Refusal("mrc.lost_sentence@1", f"lost {', '.join(parts)}", len(parts))
        if not self.spec.above < len(passage.text) < self.spec.below:
            return self._length(len(passage.text))
        if passage.prose < self.spec.prose:
            reason = "too little of it stands in whole sentences"
            return Refusal("mrc.prose@1", reason, passage.prose)
        if passage.lines < self.spec.lines:
            return Refusal("mrc.list@1", "too few of its lines end as sentences", passage.lines)
        return None

    def beside(self, passage: Passage, name: str) -> Refusal | None:
        """Compare a passage with other benchmarks and with those accepted before; or accept it."""
        prints = fingerprints(passage.text)
        share = shared(prints, self.known)
        if share > self.spec.known:
            return Refusal("mrc.known@1", "its text stands in another benchmark", share)
        before = Counter(self._seen[one] for one in prints.tolist() if one in self._seen)
        other, most = min(before.items(), key=lambda pair: (-pair[1], pair[0]), default=("", 0))
        near = round(most / max(len(prints), 1), 6)
        if near > self.spec.near:
            return Refusal("mrc.near_duplicate@1", f"repeats {other}", near)
        self._seen.update(dict.fromkeys(prints.tolist(), name))
        return None

    def _length(self, characters: int) -> Refusal:
        above, below = self.spec.above, self.spec.below
        reason = f"{characters} characters; more than {above} and fewer than {below} wanted"
        return Refusal("mrc.length@1", reason, characters)


def _boilerplate(call: Call, source: str, spec: Passages) -> frozenset[str]:
    """Return the sentences that were boilerplate as a whole, by the ledger of cleaning."""
    rules, found = pa.array(spec.boilerplate, pa.string()), set[str]()
    for table in inputs.rows(call, source, "ledger"):
        dropped = pc.equal(table.column("action"), "drop")
        mine = pc.and_(dropped, pc.is_in(table.column("rule"), value_set=rules))
        found.update(table.filter(mine).column("unit").to_pylist())
    return frozenset(found)


class Wanted(NamedTuple):
    """Passages wanted of a source, and questions of each type about them."""

    passages: int
    types: dict[str, int]


def wanted(spec: Passages, sources: Sequence[str], source: str) -> Wanted:
    """Return what is wanted of one of the `sources`, all of which have shares, by these alone."""
    shares = {name: spec.shares[name] for name in sources}
    types = {kind: proportional(shares, spec.quotas[kind])[source] for kind in TYPES}
    least = types["3"] + max(types["1"], types["2"])
    passages = proportional(shares, spec.passages)[source]
    return Wanted(min(max(passages, least), sum(types.values())), types)


def assign(passages: Sequence[str], asked: Wanted, *, seed: int) -> dict[str, tuple[str, ...]]:
    """Return the types of question for each passage (an id), in the order given.

    Passages without an answer are asked about alone, all others with type 1, type 2 or both: in
    the released dev set no passage of a type-3 question carries another one. With fewer passages
    than wanted, the types keep their proportions.
    """
    order = sorted(passages, key=lambda name: (draw(seed, "mrc.type", name), name))
    answerable = asked.passages - asked.types["3"]
    rest = len(order) - round(asked.types["3"] * len(order) / asked.passages)
    first, second = (-(-asked.types[kind] * rest // max(answerable, 1)) for kind in "12")
    found: dict[str, tuple[str, ...]] = dict.fromkeys(passages, ("3",))
    for place, name in enumerate(order[:rest]):
        mine = (("1", place < first), ("2", place >= rest - second))
        found[name] = tuple(kind for kind, is_asked in mine if is_asked)
    return found
