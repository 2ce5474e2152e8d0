"""Stage `candidates` of topic classification: headlines by press section (Section 3.1.1).

Headlines are walked in keyed order and taken until the quota of their section is full, so that each
section is a keyed draw of its own, and sections are mixed in the order of the items. The press
section is evidence and stands in `meta` alone, with date and address: annotators judge the headline
without it (Section 3.1.1), and forms for annotators hold nothing of `meta` but a suggestion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling import inputs
from pipeline.sampling.draft import STAGE_NAME, Draft
from pipeline.sampling.topic.sections import Sections
from pipeline.sampling.walk import keyed
from pipeline.tasks.sampling.base import proportional

SECTION: Final = "tc.section@1"
DUPLICATE: Final = "tc.near_duplicate@1"
#: How these candidates are drawn. It must not tell the section: annotators may see it.
SAMPLER: Final = "headlines"

Row = dict[str, Any]


def _run(call: Call, shard: Shard) -> Outcome:
    source: str = shard.payload
    draft = Draft("tc", source)
    quotas = _quotas(call, source)
    sections = Sections(call.params["sampling"])
    known = dict(_of_documents(call, source, sections)) if quotas else {}
    rows = list(_drawn(call, draft, known, dict(quotas))) if quotas else []
    evidence = _evidence(call, source, {row["document"] for row, _ in rows})
    for row, section in rows:
        told = {"section": section, **evidence.get(row["document"], {})}
        draft.add({"title": row["text"]}, {"title": row["id"]}, sampler=SAMPLER, meta=told)
    for name, wanted in quotas.items():
        draft.short(name, wanted=wanted, drawn=sum(section == name for _, section in rows))
    return draft.outcome(inputs.ids(call, source))


def _quotas(call: Call, source: str) -> dict[str, int]:
    """Return the source's part of the quotas: in proportion to its units, if there are several."""
    quotas: dict[str, int] = call.params["sampling"]["quotas"]
    sizes = {name: inputs.size(call, name) for name in sorted(call.params["sources"])}
    if len(sizes) == 1:
        return quotas
    sizes = {name: size for name, size in sizes.items() if size}
    if source not in sizes:
        return {}
    return {name: proportional(sizes, quota)[source] for name, quota in quotas.items()}


def _of_documents(call: Call, source: str, sections: Sections) -> Iterator[tuple[str, str]]:
    """Yield the documents whose section is known with its id; no text is held."""
    for table in inputs.rows(call, source, "documents"):
        columns = (table.column(name).to_pylist() for name in ("id", "section", "url"))
        for document, name, url in zip(*columns, strict=True):
            section = sections.of(name, url)
            if section is not None:
                yield document, section


def _drawn(
    call: Call, draft: Draft, known: Mapping[str, str], left: dict[str, int]
) -> Iterator[tuple[Row, str]]:
    """Yield headlines with their sections until no quota is open; refusals go into the draft."""
    clusters: set[str] = set()
    for row in keyed(call, draft.source, purpose="tc", first=2 * sum(left.values())):
        section = known.get(row["document"])
        if section is None:
            draft.refuse(row["id"], SECTION, "its source names no press section of the spec")
        elif left[section] and row["cluster"] in clusters:
            draft.refuse(row["id"], DUPLICATE, f"another of cluster {row['cluster']} is drawn")
        elif left[section]:
            clusters.add(row["cluster"])
            left[section] -= 1
            yield row, section
            if not any(left.values()):
                return


def _evidence(call: Call, source: str, wanted: set[str]) -> dict[str, Row]:
    """Return section as found, date and address of documents, as official files call them."""
    found: dict[str, Row] = {}
    for table in inputs.rows(call, source, "documents") if wanted else ():
        columns = (table.column(name).to_pylist() for name in ("id", "section", "date", "url"))
        for document, *rest in zip(*columns, strict=True):
            if document in wanted:
                told = zip(("predefined_news_category", "date", "url"), rest, strict=True)
                found[document] = {name: value for name, value in told if value is not None}
    return found


STAGE = Stage(
    name=STAGE_NAME,
    main="items",
    law="sampling",
    shards=lambda call: (Shard(s, s) for s in sorted(call.params["sources"])),
    run=_run,
)
