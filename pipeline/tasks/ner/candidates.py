"""Stage `candidates` of named entities: texts with pseudo-labels, by source (Section 3.4.1).

The units of a source (sentences, or whole reviews) are walked in keyed order. Those that are too
long, or in which the tagger finds no entity, are refused; of near-duplicates one is drawn. What the
tagger found is shown to annotators, who check and correct it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from pipeline.core.morphology import PACKAGES
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling.draft import STAGE_NAME, Draft
from pipeline.sampling.filling import Refusal, fill_quota, source_shards
from pipeline.sampling.tagging import registry
from pipeline.sampling.tagging.checked import REASONS, Checked, checked
from pipeline.sampling.tagging.protocol import TYPES

SAMPLER: Final = "tagged"
#: About how many units are looked at for one that is drawn; 41 % of NSMC are left in the paper.
_PER_TEXT: Final = 3

Row = dict[str, Any]


def _run(call: Call, shard: Shard) -> Outcome:
    judged, add = partial(_judged, call), partial(_add, call.params["tagger"]["name"])
    return fill_quota(call, shard, judge=judged, add=add, ahead=_PER_TEXT)


def _judged(call: Call, rows: list[Row]) -> Iterator[Refusal | Mapping[str, Any]]:
    tagger = registry.planned(call.arguments["tagger"], call.params["tagger"]["digest"])
    longest = call.params["sampling"]["longest"]
    short = [row["text"] for row in rows if len(row["text"]) <= longest]
    tagged = iter(checked(tagger, short, labels=TYPES))
    for row in rows:
        size = len(row["text"])
        if size > longest:
            yield Refusal("ner.length@1", f"more than {longest} characters", size)
        else:
            found = next(tagged)
            yield {"found": found} if found.mentions else _empty(found)


def _empty(found: Checked) -> Refusal:
    """Refuse a text without a mention, saying so where malformed ones were left out."""
    left_out = f"; {len(found.left_out)} malformed mentions" if found.left_out else ""
    return Refusal("ner.no_entity@1", f"the tagger finds no entity{left_out}")


def _add(tagger: str, draft: Draft, row: Row, evidence: Mapping[str, Any]) -> None:
    found: Checked = evidence["found"]
    for why, n in sorted(Counter(why for _, why in found.left_out).items()):
        draft.edit(row["id"], "ner.mention@1", f"{REASONS[why]} (left out)", score=n)
    meta = {"tagger": tagger, **_told(found)}
    draft.add({"text": row["text"]}, {"text": row["id"]}, sampler=SAMPLER, meta=meta)


def _told(found: Checked) -> dict[str, Any]:
    """Return the mentions in the form of an answer of the first round, and their scores."""
    spans = [{"start": m.start, "end": m.end, "label": m.label} for m in found.mentions]
    return {"suggestion": spans, "scores": [m.score for m in found.mentions]}


STAGE = Stage(
    name=STAGE_NAME,
    main="items",
    invariant="sampling",
    shards=source_shards,
    run=_run,
    distributions=(*PACKAGES, "python-crfsuite"),
)
