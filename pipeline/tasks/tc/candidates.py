"""Stage `candidates` of tc: headlines by press section (Section 3.1.1).

The headlines of all sources are walked together in keyed order and taken until the quota of their
section is full. So each section is a keyed draw from all its headlines, whatever their source. One
shard draws for all sources, since one makes up for the lack of another. The press section is
evidence and is only in `meta`, with date and address: annotators judge the headline without it
(Section 3.1.1), and forms for annotators show nothing of `meta` but a suggestion.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from heapq import merge
from itertools import islice
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core.ids import draw
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling import inputs
from pipeline.sampling.draft import STAGE_NAME, Draft, merge_outcomes
from pipeline.sampling.inputs import Row
from pipeline.tasks.tc.spec import folded_name

SECTION: Final = "tc.section@1"
#: The one shard; quotas that are not met are noted under this name, as of no source.
ALL: Final = "all"
#: What stands for every section where headlines are drawn as they come.
ANY: Final = "any"
#: The columns of documents that are read, with their names in official files.
_COLUMNS: Final = {"section": "predefined_news_category", "date": "date", "url": "url"}


class Sections:
    """The sections of a spec, by their names and by parts of the addresses of their articles.

    `sampling` is the spec's section (TcSampling) as plain data, `more` has further names by id, or
    is ANY: then all headlines are of one section of that name.
    """

    def __init__(
        self, sampling: Mapping[str, Any], more: Mapping[str, Iterable[str]] | str = ""
    ) -> None:
        self._is_any = more == ANY
        self._names = {folded_name(id_): id_ for id_ in sampling["quotas"]}
        self._addresses = []
        for id_, section in sorted(sampling.get("sections", {}).items()):
            self._names |= {folded_name(name): id_ for name in section["names"]}
            self._addresses += [
                (re.compile(re.escape(part) + r"(?![0-9A-Za-z])"), id_)
                for part in section["addresses"]
            ]

        if isinstance(more, Mapping):
            self._names |= {folded_name(name): id_ for id_, names in more.items() for name in names}

    def of(self, name: str | None, url: str | None) -> str | None:
        """Return the id of a section by its name or, where a source names none, by the address.

        An unknown name gives None, whatever the address is.
        """
        if self._is_any:
            return ANY
        if name and name.strip():
            return self._names.get(folded_name(name))
        return next((id_ for part, id_ in self._addresses if part.search(url or "")), None)


def _run(call: Call, _shard: Shard) -> Outcome:
    quotas: dict[str, int] = call.params["sampling"]["quotas"]
    if call.params.get("sections") == ANY:
        quotas = {ANY: sum(quotas.values())}
    left, short = dict(quotas), Draft("tc", ALL)
    used = set[str]()
    drafts = {source: Draft("tc", source, used=used) for source in sorted(call.params["sources"])}
    for row, document, section in _draw_headlines(call, drafts, left):
        about = {_COLUMNS[k]: v for k, v in document.items() if k in _COLUMNS and v is not None}
        drafts[row["source"]].add(
            {"title": row["text"]},
            {"title": row["id"]},
            sampler="headlines",  # annotators may see it, so it must not tell the section
            meta={"section": section, **about},
        )
    for name, quota in quotas.items():
        short.short(name, wanted=quota, drawn=quota - left[name])
    outcomes = [draft.outcome(inputs.ids(call, source)) for source, draft in drafts.items()]
    return merge_outcomes([*outcomes, short.outcome()])


def _draw_headlines(
    call: Call, drafts: Mapping[str, Draft], left: dict[str, int]
) -> Iterator[tuple[Row, Row, str]]:
    """Yield headlines, documents and sections until all quotas are full.

    Refusals go into the drafts; `left` is how many headlines each section still needs.
    """
    sections = Sections(call.params["sampling"], call.params.get("sections", ""))
    seed, first = call.params["seed"], 2 * sum(left.values()) // len(drafts)
    walks = (inputs.keyed_walk(call, source, purpose="tc", first=first) for source in drafts)
    headlines = merge(*walks, key=lambda row: (draw(seed, "tc", row["id"]), row["id"]))
    for row, document in _with_documents(call, headlines):
        draft = drafts[row["source"]]
        section = sections.of(document.get("section"), document.get("url"))
        if section is None:
            draft.refuse(row["id"], SECTION, "its source names no press section of the spec")
        elif left[section] and (refusal := draft.near_duplicate(row)):
            draft.refuse(row["id"], refusal.rule, refusal.reason)
        elif left[section]:
            draft.used.add(row["cluster"])
            left[section] -= 1
            yield row, document, section
            if not any(left.values()):
                return


def _with_documents(call: Call, rows: Iterator[Row]) -> Iterator[tuple[Row, Row]]:
    """Yield headlines with their documents, without texts: one pass over these for each pool."""
    while pool := list(islice(rows, inputs.MOST)):
        documents: dict[str, Row] = {}
        for source in sorted({row["source"] for row in pool}):
            names = pa.array({row["document"] for row in pool if row["source"] == source})
            for table in inputs.rows(call, source, "documents", columns=("id", *_COLUMNS)):
                own = table.filter(pc.is_in(table["id"], value_set=names))
                documents |= {row["id"]: row for row in own.to_pylist()}
        yield from ((row, documents.get(row["document"], {})) for row in pool)


STAGE = Stage(
    name=STAGE_NAME,
    main="items",
    invariant="sampling",
    shards=lambda _call: iter([Shard(ALL, None)]),
    run=_run,
)
