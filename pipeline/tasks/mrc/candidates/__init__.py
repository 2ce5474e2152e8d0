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
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from pipeline.contracts.sampling import proportional
from pipeline.core import store
from pipeline.core.ids import draw
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling import inputs
from pipeline.sampling.draft import STAGE_NAME, Draft, Refusal, source_shards, with_quotas
from pipeline.sampling.inputs import pools
from pipeline.tasks.mrc.candidates.assembly import (
    Hashes,
    Passage,
    Section,
    assemble,
    boilerplate,
    fingerprints,
    read_fingerprints,
    repeats,
    sections,
    shared_fraction,
)
from pipeline.tasks.mrc.spec import TYPES, Passages

#: What sections are drawn for, and about how many are held at a time at first.
PURPOSE: Final = "mrc.passage"
FIRST: Final = 16_384
_KNOWN: Final = "known.npy"


def _prepare(call: Call, folder: Path) -> None:
    np.save(
        folder / _KNOWN, read_fingerprints([Path(p) for p in call.arguments.get("known_texts", ())])
    )


@with_quotas
def _run(call: Call, shard: Shard) -> Outcome:
    source, spec = shard.payload, Passages.model_validate(call.params["sampling"])
    draft, chosen = Draft("mrc", source), list[tuple[Section, Passage]]()
    if source not in call.params["sources"]:
        share = wanted_passages(spec, sorted(spec.shares), source).passages
        draft.short("not in this build, left to the others", wanted=share, drawn=0)
        return draft.outcome()
    asked = wanted_passages(spec, sorted(call.params["sources"]), source)
    judge = Judge(call, source, spec, np.load(store.partial_of(call.folder) / _KNOWN))
    ids = inputs.row_ids(call, source, "sections")
    for section, judged in _judge_sections(
        call, source, judge, ids, first=max(FIRST, 4 * asked.passages)
    ):
        if len(chosen) == asked.passages:
            break
        name = section.row["id"]
        refusal = judged if isinstance(judged, Refusal) else judge.beside(judged, name)
        if isinstance(judged, Passage) and refusal is None:
            chosen.append((section, judged))
        elif refusal is not None:
            draft.refuse(name, refusal.rule, refusal.reason, score=refusal.score)
    _add(draft, chosen, asked, seed=call.params["seed"])
    return draft.outcome(ids)


def _judge_sections(
    call: Call, source: str, judge: Judge, ids: pa.Array, *, first: int
) -> Iterator[tuple[Section, Refusal | Passage]]:
    """Yield the sections of a source, without their texts, with what was judged of them.

    They come by keyed draw and id, in pools of one pass each.
    """
    seed = call.params["seed"]
    keys = np.array([draw(seed, PURPOSE, name) for name in ids.to_pylist()], np.float64)
    for low, high in pools(keys, first=first):
        pool: list[tuple[float, str, Section, Refusal | Passage]] = []
        for section in sections(call, source):
            key = draw(seed, PURPOSE, section.row["id"])
            if low <= key < high:
                document = {k: v for k, v in section.document.items() if k != "text"}
                bare = section._replace(document=document, kept={})
                pool.append((key, section.row["id"], bare, judge.alone(section)))
        for _, _, section, judged in sorted(pool, key=itemgetter(0, 1)):
            yield section, judged


def _add(draft: Draft, chosen: list[tuple[Section, Passage]], asked: Wanted, *, seed: int) -> None:
    types = assign([section.row["id"] for section, _ in chosen], asked, seed=seed)
    drawn: Counter[str] = Counter()
    for section, passage in chosen:
        # the id of a candidate must not tell the type asked for, which betrays the answer
        name = section.row["id"]
        keys = {kind: draw(seed, "mrc question", f"{name} {kind}") for kind in types[name]}
        for place, kind in enumerate(sorted(keys, key=keys.__getitem__)):
            drawn[kind] += 1
            draft.add(
                {
                    "title": section.document["title"] or section.row["title"],
                    "context": passage.text,
                    "question_type": int(kind),
                },
                {"passage": name},
                sampler="article" if section.document["section"] else "section",
                meta=_evidence(section, passage),
                parts=(f"question-{place}",),
            )
    draft.short("passages", wanted=asked.passages, drawn=len(chosen))
    for kind in TYPES:
        draft.short(f"type {kind}", wanted=asked.types[kind], drawn=drawn[kind])


def _evidence(section: Section, passage: Passage) -> dict[str, Any]:
    evidence: dict[str, Any] = {
        "document": section.document["id"],
        "section": section.row["title"],
        "start": section.row["start"],
        "end": section.row["end"],
        "prose": passage.prose,
        "lines": passage.lines,
        "restored": list(passage.restored),
        "news_category": section.document["section"],
        "url": section.document["url"],
        "date": section.document["date"],
    }
    return {name: value for name, value in evidence.items() if value not in (None, "", [])}


#: What newsrooms put between the names of a category and of its subcategory.
_PARTS: Final = re.compile(r"[\s/>|,·ㆍ&]+")


_UNCUT: Final = "a paragraph that was not cut into sentences"


class Judge:
    """The judge of one source's sections; `known` are the fingerprints of other benchmarks."""

    def __init__(self, call: Call, source: str, spec: Passages, known: Hashes) -> None:
        """Read what is judged by: categories, and which sentences were boilerplate or repeats."""
        self.spec, self.known = spec, known
        self._politics = frozenset(name.casefold() for name in spec.politics)
        self._articles: Counter[str] = Counter()
        for table in inputs.rows(call, source, "documents"):
            self._articles.update(n for n in table.column("section").to_pylist() if n is not None)
        self.boilerplate = boilerplate(call, source, spec.boilerplate)
        self.repeats = repeats(call, source)
        self._seen: dict[int, str] = {}

    def alone(self, section: Section) -> Refusal | Passage:
        """Judge a section by itself and return its passage, or why it makes none."""
        spec, row = self.spec, section.row
        if refusal := self._category_refusal(section.document["section"]):
            return refusal
        if row["end"] - row["start"] <= spec.above:  # cleaning adds nothing
            return self._length(row["end"] - row["start"])
        passage = assemble(section, boilerplate=self.boilerplate, repeats=self.repeats)
        return self._faults(passage) or passage

    def _category_refusal(self, category: str | None) -> Refusal | None:
        """Tell why an article of a category is left out; one without any, as in Wikipedia, never.

        The articles of a category are counted over the whole source (KLUE, Section 3.7.1).
        """
        if not category:
            return None
        if self._politics & {category.casefold(), *_PARTS.split(category.casefold())}:
            return Refusal("mrc.political@1", f"category {category}")
        count, least = self._articles[category], self.spec.least_articles
        if count >= least:
            return None
        return Refusal(
            "mrc.rare_category@1",
            f"category {category} has {count} articles; {least} wanted",
            count,
        )

    def _faults(self, passage: Passage) -> Refusal | None:
        if passage.lost or passage.uncut:
            parts = [*passage.lost, *([_UNCUT] * passage.uncut)]
            return Refusal("mrc.lost_sentence@1", f"lost {', '.join(parts)}", len(parts))
        if not self.spec.above < len(passage.text) < self.spec.below:
            return self._length(len(passage.text))
        if passage.prose < self.spec.prose:
            return Refusal(
                "mrc.prose@1", "too little of it stands in whole sentences", passage.prose
            )
        if passage.lines < self.spec.lines:
            return Refusal("mrc.list@1", "too few of its lines end as sentences", passage.lines)
        return None

    def beside(self, passage: Passage, name: str) -> Refusal | None:
        """Compare a passage with other benchmarks and with those accepted before; or accept it."""
        prints = fingerprints(passage.text)
        share = shared_fraction(prints, self.known)
        if share > self.spec.known:
            return Refusal("mrc.known@1", "its text stands in another benchmark", share)
        before = Counter(
            self._seen[fingerprint] for fingerprint in prints.tolist() if fingerprint in self._seen
        )
        other, most = min(before.items(), key=lambda pair: (-pair[1], pair[0]), default=("", 0))
        near = round(most / max(len(prints), 1), 6)
        if near > self.spec.near:
            return Refusal("mrc.near_duplicate@1", f"repeats {other}", near)
        self._seen.update(dict.fromkeys(prints.tolist(), name))
        return None

    def _length(self, characters: int) -> Refusal:
        bounds = f"more than {self.spec.above} and fewer than {self.spec.below}"
        return Refusal("mrc.length@1", f"{characters} characters; {bounds} wanted", characters)


class Wanted(NamedTuple):
    """Passages wanted of a source, and questions of each type about them."""

    passages: int
    types: dict[str, int]


def wanted_passages(spec: Passages, sources: Sequence[str], source: str) -> Wanted:
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
    shards=lambda call: source_shards(call, "shares"),
    run=_run,
    prepare=_prepare,
    distributions=("numpy",),
)
