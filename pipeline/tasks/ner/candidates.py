"""Stage `candidates` of ner: texts with pseudo-labels, by source (Section 3.4.1).

The units of a source (sentences, or whole reviews) are walked in keyed order. Those that are too
long, or in which the tagger finds no entity, are refused; of near-duplicates one is drawn. The
mentions of the tagger are shown to annotators, who check and correct them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from pipeline.core.morphology import PACKAGES
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.core.wording import count
from pipeline.sampling.draft import STAGE_NAME, Draft, Refusal, fill_quota, source_shards
from pipeline.sampling.inputs import Row
from pipeline.sampling.tagging import registry
from pipeline.sampling.tagging.registry import TYPES, Checked, note_left_out, tag_checked

#: About how many units are looked at for one that is drawn; 41 % of NSMC are left in the paper.
_PER_TEXT: Final = 3


def _run(call: Call, shard: Shard) -> Outcome:
    judge, add = partial(_judge, call), partial(_add, call.params["tagger"]["name"])
    return fill_quota(call, shard, judge=judge, add=add, ahead=_PER_TEXT)


def _judge(call: Call, rows: list[Row]) -> Iterator[Refusal | Mapping[str, Any]]:
    tagger = registry.load_planned(call.arguments["tagger"], call.params["tagger"]["digest"])
    longest = call.params["sampling"]["longest"]
    short = [row["text"] for row in rows if len(row["text"]) <= longest]
    tagged = iter(tag_checked(tagger, short, labels=TYPES))
    for row in rows:
        size = len(row["text"])
        if size > longest:
            yield Refusal("ner.length@1", f"more than {longest} characters", size)
        else:
            result = next(tagged)
            malformed = (
                f"; {count(len(result.left_out), 'malformed mention')}" if result.left_out else ""
            )
            refusal = Refusal("ner.no_entity@1", f"the tagger finds no entity{malformed}")
            yield {"result": result} if result.mentions else refusal


def _add(tagger: str, draft: Draft, row: Row, evidence: Mapping[str, Any]) -> None:
    result: Checked = evidence["result"]
    note_left_out(result, draft, row["id"])
    # the suggestion has the form of an answer of the first round
    spans = [{"start": m.start, "end": m.end, "label": m.label} for m in result.mentions]
    scores = [m.score for m in result.mentions]
    meta = {"tagger": tagger, "suggestion": spans, "scores": scores}
    draft.add({"text": row["text"]}, {"text": row["id"]}, sampler="tagged", meta=meta)


STAGE = Stage(
    name=STAGE_NAME,
    main="items",
    invariant="sampling",
    shards=source_shards,
    run=_run,
    distributions=(*PACKAGES, "python-crfsuite"),
)
