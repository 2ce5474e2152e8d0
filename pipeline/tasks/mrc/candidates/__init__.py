"""Stage `candidates` of reading comprehension: passages with the types of question to be written.

A passage is a section of a Wikipedia article, or a news article. The call reads, beside the kept
sentences and the ledger of their duplicates, the documents, sections and cleaning ledgers of its
sources; ``arguments["known_texts"]`` names files with the texts of other benchmarks. A share of the
spec that belongs to no source of the build goes to the others. Source: KLUE, Section 3.7.1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from pipeline.contracts.sampling import proportional
from pipeline.core import store
from pipeline.core.ids import draw
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling import inputs
from pipeline.sampling.draft import STAGE_NAME, Draft, Refusal, planned_sources
from pipeline.sampling.inputs import pools
from pipeline.tasks.mrc.candidates.assembly import (
    Hashes,
    Passage,
    Row,
    Section,
    assemble,
    boilerplate,
    fingerprints,
    known,
    repeats,
    sections,
    shared,
)
from pipeline.tasks.mrc.spec import TYPES, Passages

#: What sections are drawn for, and about how many are held at a time at first.
PURPOSE: Final = "mrc.passage"
FIRST: Final = 16_384
_KNOWN: Final = "known.npy"


class Found(NamedTuple):
    """A section with its key, its document (without the text), and what was judged of it."""

    key: float
    row: Row
    document: Row
    judged: Refusal | Passage


def _prepare(call: Call, folder: Path) -> None:
    np.save(folder / _KNOWN, known([Path(p) for p in call.arguments.get("known_texts", ())]))


def _shards(call: Call) -> Iterator[Shard]:
    shares = call.params["sampling"]["shares"]
    yield from (Shard(name, name) for name in planned_sources(call, shares))


def _run(call: Call, shard: Shard) -> Outcome:
    source, spec = shard.payload, Passages.model_validate(call.params["sampling"])
    draft, chosen = Draft("mrc", source), list[tuple[Found, Passage]]()
    if source not in call.params["sources"]:
        share = wanted(spec, sorted(spec.shares), source).passages
        draft.short("not in this build, left to the others", wanted=share, drawn=0)
        return draft.outcome()
    asked = wanted(spec, sorted(call.params["sources"]), source)
    judge = Judge(call, source, spec, np.load(store.partial_of(call.folder) / _KNOWN))
    ids = inputs.row_ids(call, source, "sections")
    for found in _keyed(call, source, judge, ids, first=max(FIRST, 4 * asked.passages)):
        if len(chosen) == asked.passages:
            break
        name, judged = found.row["id"], found.judged
        refusal = judged if isinstance(judged, Refusal) else judge.beside(judged, name)
        if isinstance(judged, Passage) and refusal is None:
            chosen.append((found, judged))
        elif refusal is not None:
            draft.refuse(name, refusal.rule, refusal.reason, score=refusal.score)
    _add(draft, chosen, asked, seed=call.params["seed"])
    return draft.outcome(ids)


def _keyed(call: Call, source: str, judge: Judge, ids: pa.Array, *, first: int) -> Iterator[Found]:
    """Yield the judged sections of a source by keyed draw and id, in pools of one pass each."""
    seed = call.params["seed"]
    keys = np.array([draw(seed, PURPOSE, name) for name in ids.to_pylist()], np.float64)
    for low, high in pools(keys, first=first):
        pool: list[Found] = []
        for section in sections(call, source):
            key = draw(seed, PURPOSE, section.row["id"])
            if low <= key < high:
                document = {k: v for k, v in section.document.items() if k != "text"}
                pool.append(Found(key, section.row, document, judge.alone(section)))
        yield from sorted(pool, key=lambda found: (found.key, found.row["id"]))


def _add(draft: Draft, chosen: list[tuple[Found, Passage]], asked: Wanted, *, seed: int) -> None:
    types = assign([found.row["id"] for found, _ in chosen], asked, seed=seed)
    drawn: Counter[str] = Counter()
    for found, passage in chosen:
        # the id of a candidate must not tell the type asked for, which betrays the answer
        section = found.row["id"]
        keys = {kind: draw(seed, "mrc question", f"{section} {kind}") for kind in types[section]}
        for place, kind in enumerate(sorted(keys, key=keys.__getitem__)):
            drawn[kind] += 1
            draft.add(
                {
                    "title": found.document["title"] or found.row["title"],
                    "context": passage.text,
                    "question_type": int(kind),
                },
                {"passage": section},
                sampler="article" if found.document["section"] else "section",
                meta=_evidence(found, passage),
                parts=(f"question-{place}",),
            )
    draft.short("passages", wanted=asked.passages, drawn=len(chosen))
    for kind in TYPES:
        draft.short(f"type {kind}", wanted=asked.types[kind], drawn=drawn[kind])


def _evidence(found: Found, passage: Passage) -> dict[str, Any]:
    evidence: dict[str, Any] = {
        "document": found.document["id"],
        "section": found.row["title"],
        "start": found.row["start"],
        "end": found.row["end"],
        "prose": passage.prose,
        "lines": passage.lines,
        "restored": list(passage.restored),
        "news_category": found.document["section"],
        "url": found.document["url"],
        "date": found.document["date"],
    }
    return {name: value for name, value in evidence.items() if value not in (None, "", [])}


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
        if count >= self.least:
            return None
        reason = f"category {category} has {count} articles; {self.least} wanted"
        return Refusal("mrc.rare_category@1", reason, count)


_UNCUT: Final = "a paragraph that was not cut into sentences"


class Judge:
    """The judge of one source's sections; `known` are the fingerprints of other benchmarks."""

    def __init__(self, call: Call, source: str, spec: Passages, known: Hashes) -> None:
        """Read what is judged by: categories, and which sentences were boilerplate or repeats."""
        self.spec, self.known = spec, known
        self.categories = Categories(call, source, spec)
        self.boilerplate = boilerplate(call, source, spec.boilerplate)
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
    types: dict[str, tuple[str, ...]] = dict.fromkeys(passages, ("3",))
    for place, name in enumerate(order[:rest]):
        types[name] = ("1",) * (place < first) + ("2",) * (place >= rest - second)
    return types


STAGE = Stage(
    name=STAGE_NAME,
    main="items",
    invariant="sampling",
    shards=_shards,
    run=_run,
    prepare=_prepare,
    distributions=("numpy",),
)
