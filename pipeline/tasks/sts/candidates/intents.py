"""Pairs of a source whose intents are known, such as ParaKQC (Section 3.2.1).

Two utterances of one intent are similar (`SOURCE-para`); two of different intents but one topic are
less similar (`SOURCE-sampled`). Each utterance is in one pair at most. Intents take turns, so the
utterances of a source are held; of its documents no more than those of a pool of utterances.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from itertools import islice
from sys import intern
from typing import Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core.ids import draw
from pipeline.core.stage import Call
from pipeline.sampling import inputs
from pipeline.sampling.draft import Draft
from pipeline.sampling.filling import Clusters
from pipeline.sampling.walk import Row, keyed_walk
from pipeline.tasks.sts.spec import INTENTS, MATCHED, StsSampling

#: What is read of the meta of documents: the name of an act, or else its number.
_TOLD: Final = ("intent", "topic", "act_name", "act")


class Intent(NamedTuple):
    """What a document tells of its intent: its name, its topic, and its speech act or ''."""

    name: str
    topic: str
    act: str


class Utterance(NamedTuple):
    """A unit with the intent of its document."""

    id: str
    text: str
    intent: Intent


#: Utterances in no pair yet, by the name of their intent; each in keyed order.
Left = dict[str, deque[Utterance]]
Pairs = Iterator[tuple[Utterance, Utterance]]


def draw_pairs(call: Call, source: str, draft: Draft, plan: StsSampling) -> None:
    """Draw pairs of both kinds, spread evenly over the intents, into the draft.

    Where there are too few utterances for all, each kind gets its share of them.
    """
    para, sampled = f"{source}{INTENTS}", f"{source}{MATCHED}"
    similar, less = plan.quotas.get(para, 0), plan.quotas.get(sampled, 0)
    left = _by_intent(_utterances(call, source, draft))
    room = sum(map(len, left.values())) // 2
    share = room * similar // max(similar + less, 1)
    first = similar if similar + less <= room else share
    _fill(draft, para, similar, islice(same_intent(left), first))
    _fill(draft, sampled, less, islice(same_topic(left, call.params["seed"]), less))


def same_intent(left: Left) -> Pairs:
    """Yield pairs of one intent, one of each intent a round, and take them out of `left`."""
    while able := [ours for ours in left.values() if len(ours) > 1]:
        for ours in able:
            yield ours.popleft(), ours.popleft()


def same_topic(left: Left, seed: int) -> Pairs:
    """Yield pairs of two intents of one topic, and take them out of `left`.

    In a round each intent meets one other by keyed draw, those with more utterances left first;
    rounds go on as long as a topic has two intents left.
    """
    number = 0
    while met := sorted(_round(left, seed, f"sts.meeting.{number}")):
        for _, one, two in met:
            yield left[one].popleft(), left[two].popleft()
        number += 1


def _round(left: Left, seed: int, purpose: str) -> Iterator[tuple[float, str, str]]:
    """Yield the intents that meet, each pair with the draw of its first."""
    topics: dict[str, list[tuple[int, float, str]]] = defaultdict(list)
    for intent, ours in left.items():
        if ours:
            topics[ours[0].intent.topic].append((-len(ours), draw(seed, purpose, intent), intent))
    for intents in topics.values():
        intents.sort()
        for (_, key, one), (_, _, two) in zip(intents[::2], intents[1::2], strict=False):
            yield key, one, two


def _by_intent(utterances: Iterator[Utterance]) -> Left:
    left: Left = defaultdict(deque)
    for one in utterances:
        left[one.intent.name].append(one)
    return left


def _utterances(call: Call, source: str, draft: Draft) -> Iterator[Utterance]:
    """Yield the utterances in keyed order, one of each cluster of near-duplicates."""
    clusters = Clusters(draft.task)
    for row, intent in _with_intents(call, source):
        if intent is None:
            draft.refuse(row["id"], "sts.intent@1", "its document tells no intent or no topic")
        elif refusal := clusters.refusal(row):
            draft.refuse(row["id"], refusal.rule, refusal.reason)
        else:
            clusters.add(row)
            yield Utterance(row["id"], row["text"], intent)


def _with_intents(call: Call, source: str) -> Iterator[tuple[Row, Intent | None]]:
    """Yield the units in keyed order with their intents, by a pass over documents for each pool."""
    walk = keyed_walk(call, source, purpose="sts.intents", first=inputs.size(call, source))
    while pool := list(islice(walk, inputs.ROWS)):
        intents = _intents(call, source, sorted({row["document"] for row in pool}))
        yield from ((row, intents.get(row["document"])) for row in pool)


def _intents(call: Call, source: str, documents: list[str]) -> dict[str, Intent]:
    """Return the intents of those of the documents that tell intent and topic."""
    wanted = pa.array(documents, pa.string())
    found: dict[str, Intent] = {}
    for table in inputs.rows(call, source, "documents", columns=("id", "meta")):
        own = table.filter(pc.is_in(table["id"], value_set=wanted))
        told = (pc.map_lookup(own["meta"], pa.scalar(key), "last").to_pylist() for key in _TOLD)
        for name, intent, topic, act, number in zip(own["id"].to_pylist(), *told, strict=True):
            if intent and topic:
                found[name] = Intent(*map(intern, (intent, topic, act or number or "")))
    return found


def _fill(draft: Draft, sampler: str, wanted: int, pairs: Pairs) -> None:
    drawn = 0
    for one, two in pairs:
        drawn += 1
        draft.add(
            {"sentence1": one.text, "sentence2": two.text},
            {"sentence1": one.id, "sentence2": two.id},
            sampler=sampler,
            meta={
                "topic": one.intent.topic,
                "intents": [one.intent.name, two.intent.name],
                "acts": [one.intent.act, two.intent.act],
            },
        )
    draft.short(sampler, wanted=wanted, drawn=drawn)
