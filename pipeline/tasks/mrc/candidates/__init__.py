"""Stage `candidates` of reading comprehension: passages with the types of question to be written.

A passage is a section of a Wikipedia article, or a news article. The call reads, beside the kept
sentences and the ledger of their duplicates, the documents, sections and cleaning ledgers of its
sources; ``arguments["known_texts"]`` names files with the texts of other benchmarks. A share of the
spec that belongs to no source of the build goes to the others. Source: KLUE, Section 3.7.1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from pipeline.core import store
from pipeline.core.ids import draw
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling import inputs
from pipeline.sampling.draft import STAGE_NAME, Draft, Refusal, planned_sources
from pipeline.sampling.inputs import pools
from pipeline.tasks.mrc.candidates.assembly import Passage, Row, known, sections
from pipeline.tasks.mrc.candidates.judging import Judge, Wanted, assign, wanted
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
    """Write the fingerprints of known texts, which all shards share."""
    np.save(folder / _KNOWN, known([Path(p) for p in call.arguments.get("known_texts", ())]))


def _shards(call: Call) -> Iterator[Shard]:
    shares = call.params["sampling"]["shares"]
    yield from (Shard(name, name) for name in planned_sources(call, shares))


def _run(call: Call, shard: Shard) -> Outcome:
    source, spec = shard.payload, Passages.model_validate(call.params["sampling"])
    if source not in call.params["sources"]:
        return _absent(spec, source)
    asked = wanted(spec, sorted(call.params["sources"]), source)
    judge = Judge(call, source, spec, np.load(store.partial_of(call.folder) / _KNOWN))
    ids = inputs.row_ids(call, source, "sections")
    draft, chosen = Draft("mrc", source), list[tuple[Found, Passage]]()
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


def _absent(spec: Passages, source: str) -> Outcome:
    """Note what a source that the build lacks would have given; the others give it."""
    draft = Draft("mrc", source)
    whole = wanted(spec, sorted(spec.shares), source)
    draft.short("not in this build, left to the others", wanted=whole.passages, drawn=0)
    return draft.outcome()


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
        for place, kind in enumerate(_mixed(types[found.row["id"]], found.row["id"], seed=seed)):
            drawn[kind] += 1
            draft.add(
                {
                    "title": found.document["title"] or found.row["title"],
                    "context": passage.text,
                    "question_type": int(kind),
                },
                {"passage": found.row["id"]},
                sampler="article" if found.document["section"] else "section",
                meta=_evidence(found, passage),
                parts=(f"question-{place}",),
            )
    draft.short("passages", wanted=asked.passages, drawn=len(chosen))
    for kind in TYPES:
        draft.short(f"type {kind}", wanted=asked.types[kind], drawn=drawn[kind])


def _mixed(kinds: Iterable[str], section: str, *, seed: int) -> list[str]:
    return sorted(kinds, key=lambda kind: draw(seed, "mrc question", f"{section} {kind}"))


def _evidence(found: Found, passage: Passage) -> dict[str, Any]:
    told: dict[str, Any] = {
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
    return {name: value for name, value in told.items() if value not in (None, "", [])}


STAGE = Stage(
    name=STAGE_NAME,
    main="items",
    invariant="sampling",
    shards=_shards,
    run=_run,
    prepare=_prepare,
    distributions=("numpy",),
)
