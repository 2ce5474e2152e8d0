"""Pairs of a source whose intents are known, such as ParaKQC (Section 3.2.1).

Two utterances of one intent are similar (`SOURCE-para`); two of different intents but one topic are
less similar (`SOURCE-sampled`). Each utterance is in one pair at most.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from pipeline.core.ids import draw
from pipeline.core.stage import Call
from pipeline.sampling import inputs
from pipeline.sampling.draft import Draft
from pipeline.sampling.walk import keyed
from pipeline.tasks.sampling.similarity import SimilaritySampling

_NEEDED: Final = ("intent", "topic")


class Utterance(NamedTuple):
    """A unit with the intent and the topic of its document, and its speech act if that is told."""

    id: str
    text: str
    intent: str
    topic: str
    act: str


#: Utterances in no pair yet, by intent; each list in keyed order.
Left = dict[str, list[Utterance]]
Pairs = Iterator[tuple[Utterance, Utterance]]


def draw_pairs(call: Call, source: str, draft: Draft, plan: SimilaritySampling) -> None:
    """Draw pairs of both kinds, spread evenly over the intents, into the draft.

    Where there are too few utterances for all, each kind gets its share of them.
    """
    para, sampled = f"{source}-para", f"{source}-sampled"
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
            yield ours.pop(0), ours.pop(0)


def same_topic(left: Left, seed: int) -> Pairs:
    """Yield pairs of two intents of one topic, and take them out of `left`.

    In a round each intent meets one other by keyed draw, those with more utterances left first;
    rounds go on as long as a topic has two intents left.
    """
    number = 0
    while met := sorted(_round(left, seed, f"sts.meeting.{number}")):
        for _, one, two in met:
            yield left[one].pop(0), left[two].pop(0)
        number += 1


def _round(left: Left, seed: int, purpose: str) -> Iterator[tuple[float, str, str]]:
    """Yield the intents that meet, each pair with the draw of its first."""
    topics: dict[str, list[tuple[int, float, str]]] = defaultdict(list)
    for intent, ours in left.items():
        if ours:
            topics[ours[0].topic].append((-len(ours), draw(seed, purpose, intent), intent))
    for intents in topics.values():
        intents.sort()
        for (_, key, one), (_, _, two) in zip(intents[::2], intents[1::2], strict=False):
            yield key, one, two


def _by_intent(utterances: Iterator[Utterance]) -> Left:
    left: Left = defaultdict(list)
    for one in utterances:
        left[one.intent].append(one)
    return left


def _utterances(call: Call, source: str, draft: Draft) -> Iterator[Utterance]:
    """Yield the utterances in keyed order, one of each cluster of near-duplicates."""
    told = {
        row["id"]: dict(row["meta"])
        for table in inputs.rows(call, source, "documents")
        for row in table.select(["id", "meta"]).to_pylist()
    }
    clusters: set[str] = set()
    for row in keyed(call, source, purpose="sts.intents", first=inputs.size(call, source)):
        meta = told.get(row["document"], {})
        if not all(meta.get(name) for name in _NEEDED):
            draft.refuse(row["id"], "sts.intent@1", "its document tells no intent or no topic")
        elif row["cluster"] in clusters:
            reason = f"another of cluster {row['cluster']} is used"
            draft.refuse(row["id"], "sts.near_duplicate@1", reason)
        else:
            clusters.add(row["cluster"])
            act = meta.get("act_name") or meta.get("act", "")
            yield Utterance(row["id"], row["text"], meta["intent"], meta["topic"], act)


def _fill(draft: Draft, sampler: str, wanted: int, pairs: Pairs) -> None:
    drawn = 0
    for one, two in pairs:
        drawn += 1
        draft.add(
            {"sentence1": one.text, "sentence2": two.text},
            {"sentence1": one.id, "sentence2": two.id},
            sampler=sampler,
            meta={
                "topic": one.topic,
                "intents": [one.intent, two.intent],
                "acts": [one.act, two.act],
            },
        )
    draft.short(sampler, wanted=wanted, drawn=drawn)
