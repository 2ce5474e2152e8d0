"""Stage `candidates` of topic classification: headlines by press section (Section 3.1.1).

The headlines of all sources are walked together in keyed order and taken until the quota of their
section is full, so that each section is a keyed draw of its own from all headlines that it has,
whichever source they are from. One shard draws, since what one source lacks the others make up for.
The press section is evidence and stands in `meta` alone, with date and address: annotators judge
the headline without it (Section 3.1.1), and forms for annotators hold nothing of `meta` but a
suggestion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import merge
from itertools import islice
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core.ids import draw
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling import inputs, walk
from pipeline.sampling.draft import STAGE_NAME, Draft, merge_outcomes
from pipeline.tasks.tc.press_sections import Sections

TASK: Final = "tc"
SECTION: Final = "tc.section@1"
DUPLICATE: Final = "tc.near_duplicate@1"
#: How these candidates are drawn. It must not tell the section: annotators may see it.
SAMPLER: Final = "headlines"
#: The one shard; quotas that are not met are noted under this name, as of no source.
ALL: Final = "all"
#: What is read of documents, and what official files call it.
_TOLD: Final = {"section": "predefined_news_category", "date": "date", "url": "url"}

Row = dict[str, Any]


def _run(call: Call, _shard: Shard) -> Outcome:
    wanted: dict[str, int] = call.params["sampling"]["quotas"]
    left, short = dict(wanted), Draft(TASK, ALL)
    drafts = {source: Draft(TASK, source) for source in sorted(call.params["sources"])}
    first = 2 * sum(wanted.values())
    for row, document, section in _drawn(call, drafts, left, first):
        told = {_TOLD[k]: v for k, v in document.items() if k in _TOLD and v is not None}
        drafts[row["source"]].add(
            {"title": row["text"]},
            {"title": row["id"]},
            sampler=SAMPLER,
            meta={"section": section, **told},
        )
    for name, quota in wanted.items():
        short.short(name, wanted=quota, drawn=quota - left[name])
    outcomes = [draft.outcome(inputs.ids(call, source)) for source, draft in drafts.items()]
    return merge_outcomes([*outcomes, short.outcome()])


def _drawn(
    call: Call, drafts: Mapping[str, Draft], left: dict[str, int], first: int
) -> Iterator[tuple[Row, Row, str]]:
    """Yield headlines, documents and sections until no quota is open; drafts take the refusals.

    `left` is how many headlines each section still wants.
    """
    clusters: set[str] = set()
    sections = Sections(call.params["sampling"])
    for row, document in _with_documents(call, _keyed(call, first)):
        draft = drafts[row["source"]]
        section = sections.of(document.get("section"), document.get("url"))
        if section is None:
            draft.refuse(row["id"], SECTION, "its source names no press section of the spec")
        elif left[section] and row["cluster"] in clusters:
            draft.refuse(row["id"], DUPLICATE, f"another of cluster {row['cluster']} is drawn")
        elif left[section]:
            clusters.add(row["cluster"])
            left[section] -= 1
            yield row, document, section
            if not any(left.values()):
                return


def _keyed(call: Call, first: int) -> Iterator[Row]:
    """Yield the headlines of all sources, by keyed draw and id."""
    seed, sources = call.params["seed"], sorted(call.params["sources"])
    each = first // len(sources)
    walks = (walk.keyed_walk(call, source, purpose=TASK, first=each) for source in sources)
    return merge(*walks, key=lambda row: (draw(seed, TASK, row["id"]), row["id"]))


def _with_documents(call: Call, rows: Iterator[Row]) -> Iterator[tuple[Row, Row]]:
    """Yield headlines with what is read of their documents, which takes a pass for every pool."""
    while pool := list(islice(rows, walk.MOST)):
        documents = _documents(call, pool)
        yield from ((row, documents.get(row["document"], {})) for row in pool)


def _documents(call: Call, pool: list[Row]) -> dict[str, Row]:
    """Return the documents of a pool of headlines by id, without their texts."""
    found: dict[str, Row] = {}
    for source in sorted({row["source"] for row in pool}):
        wanted = pa.array({row["document"] for row in pool if row["source"] == source})
        for table in inputs.rows(call, source, "documents", columns=("id", *_TOLD)):
            own = table.filter(pc.is_in(table["id"], value_set=wanted))
            found |= {row["id"]: row for row in own.to_pylist()}
    return found


STAGE = Stage(
    name=STAGE_NAME,
    main="items",
    invariant="sampling",
    shards=lambda _call: iter([Shard(ALL, None)]),
    run=_run,
)
