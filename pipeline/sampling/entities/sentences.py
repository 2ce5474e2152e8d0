"""Stage `candidates` of named entities: texts with pseudo-labels, by source (Section 3.4.1).

The units of a source (sentences, or whole reviews) are walked in keyed order. Those that are too
long, or in which the tagger finds no entity, are refused; of near-duplicates one is drawn. What the
tagger found is shown to annotators, who check and correct it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from typing import Any, Final

from pipeline.core.errors import InputError
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling import inputs
from pipeline.sampling.draft import STAGE_NAME, Draft
from pipeline.sampling.filling import Refusal, accepted
from pipeline.sampling.morphology import PACKAGES
from pipeline.sampling.tagging import registry
from pipeline.sampling.tagging.checked import REASONS, Checked, checked
from pipeline.sampling.tagging.protocol import TYPES, Tagger
from pipeline.sampling.walk import keyed

SAMPLER: Final = "tagged"
#: About how many units are looked at for one that is drawn; 41 % of NSMC are left in the paper.
_PER_TEXT: Final = 3

Row = dict[str, Any]


def _shards(call: Call) -> Iterator[Shard]:
    """Yield a shard for every source, and for every quota without one: it is noted as not met."""
    sources, quotas = call.params["sources"], call.params["sampling"]["quotas"]
    without = sorted(set(sources) - set(quotas))
    if without:
        raise InputError(
            f"source {without[0]} feeds ner but has no quota; give it one in"
            " annotation_specs/ner/spec.yaml under sampling.quotas"
        )
    yield from (Shard(source, source) for source in sorted(quotas))


def _run(call: Call, shard: Shard) -> Outcome:
    source: str = shard.payload
    draft = Draft("ner", source)
    quota = call.params["sampling"]["quotas"][source]
    drawn = _draw(call, draft, quota) if source in call.params["sources"] else 0
    draft.short(source, wanted=quota, drawn=drawn)
    return draft.outcome(inputs.ids(call, source))


def _draw(call: Call, draft: Draft, quota: int) -> int:
    tagger = _tagger(call.arguments["tagger"], call.params["tagger"]["digest"])
    walk = keyed(call, draft.source, purpose="ner", first=_PER_TEXT * quota)
    judged = partial(_judged, tagger=tagger, longest=call.params["sampling"]["longest"])
    for row, evidence in accepted(draft, walk, quota=quota, judge=judged):
        found: Checked = evidence["found"]
        for why, n in sorted(Counter(why for _, why in found.left_out).items()):
            draft.edit(row["id"], "ner.mention@1", f"{REASONS[why]} (left out)", score=n)
        meta = {"tagger": call.params["tagger"]["name"], **_told(found)}
        draft.add({"text": row["text"]}, {"text": row["id"]}, sampler=SAMPLER, meta=meta)
    return len(draft.items)


def _judged(
    rows: list[Row], *, tagger: Tagger, longest: int
) -> Iterator[Refusal | Mapping[str, Any]]:
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


def _told(found: Checked) -> dict[str, Any]:
    """Return the mentions in the form of an answer of the first round, and their scores."""
    spans = [{"start": m.start, "end": m.end, "label": m.label} for m in found.mentions]
    return {"suggestion": spans, "scores": [m.score for m in found.mentions]}


@lru_cache(maxsize=1)
def _tagger(name: str, digest: str) -> Tagger:
    """Return the tagger that was planned; once per process."""
    found = registry.load(name)
    if found.digest != digest:
        raise InputError(f"tagger {name}: changed since the build was planned; run the build again")
    return found


STAGE = Stage(
    name=STAGE_NAME,
    main="items",
    law="sampling",
    shards=_shards,
    run=_run,
    distributions=(*PACKAGES, "python-crfsuite"),
)
