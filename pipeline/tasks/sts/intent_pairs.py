"""Pairs of a source whose intents are known, such as ParaKQC (Section 3.2.1).

Two utterances of one intent are similar (`SOURCE-para`); two of different intents but one topic are
less similar (`SOURCE-sampled`). Drawn at random, the latter would hardly share a word, so the more
similar of a few meet. Each utterance is in one pair at most. Intents take turns, so all utterances
of a source are in memory; documents only for a pool of utterances.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from itertools import islice
from sys import intern
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core.ids import draw
from pipeline.core.stage import Call
from pipeline.sampling import inputs
from pipeline.sampling.draft import Draft, Refusal, accept_units
from pipeline.sampling.inputs import Row, keyed_walk
from pipeline.tasks.sts.matching import content_words, most_similar
from pipeline.tasks.sts.spec import INTENTS, MATCHED, StsSampling

#: Keys of the meta of documents that are read: the name of an act, or else its number.
_META: Final = ("intent", "topic", "act_name", "act")


class Utterance(NamedTuple):
    """A unit with the intent and the topic of its document, and its speech act or ''."""

    id: str
    text: str
    intent: str
    topic: str
    act: str


#: Utterances in no pair yet, by the name of their intent; each in keyed order.
Left = dict[str, deque[Utterance]]
Pairs = Iterator[tuple[Utterance, Utterance]]


def draw_intent_pairs(call: Call, source: str, draft: Draft, plan: StsSampling) -> None:
    """Draw pairs of both kinds, spread evenly over the intents, into the draft.

    Where there are too few utterances for all, each kind gets its share of them.
    """
    para, sampled = f"{source}{INTENTS}", f"{source}{MATCHED}"
    similar, less = plan.quotas.get(para, 0), plan.quotas.get(sampled, 0)
    left: Left = defaultdict(deque)
    for utterance in _utterances(call, source, draft):
        left[utterance.intent].append(utterance)
    room = sum(map(len, left.values())) // 2
    share = room * similar // max(similar + less, 1)
    first = similar if similar + less <= room else share
    _add_pairs(draft, para, similar, islice(same_intent(left), first))
    _add_pairs(draft, sampled, less, islice(same_topic(left, plan, call.params["seed"]), less))


def same_intent(left: Left) -> Pairs:
    """Yield pairs of one intent, one of each intent a round, and take them out of `left`."""
    while queues := [queue for queue in left.values() if len(queue) > 1]:
        for queue in queues:
            yield queue.popleft(), queue.popleft()


def same_topic(left: Left, plan: StsSampling, seed: int) -> Pairs:
    """Yield pairs of two intents of one topic, and take them out of `left`.

    In a round each intent meets one other at most, those with more utterances left first; rounds go
    on as long as a topic has two intents left.
    """
    while pairs := list(_meetings(left, plan, seed)):
        for pair in pairs:
            for utterance in pair:
                left[utterance.intent].popleft()
            yield pair


def _meetings(left: Left, plan: StsSampling, seed: int) -> Pairs:
    """Yield the pairs of a round: the next utterance of an intent, and its most similar other.

    A keyed draw decides whether the two share their act (where both kinds are left); then the
    partner is the best of the first `choices` by ROUGE.
    """

    def order(utterance: Utterance) -> tuple[int, float, str]:
        key = draw(seed, "sts.meeting", utterance.id)
        return -len(left[utterance.intent]), key, utterance.id

    topics: dict[str, dict[Utterance, list[str]]] = defaultdict(dict)
    heads = sorted((queue[0] for queue in left.values() if queue), key=order)
    for head in heads:
        topics[head.topic][head] = content_words(head.text)
    for anchor in heads:
        others = topics[anchor.topic]
        if (words := others.pop(anchor, None)) is None or not others:
            continue
        by_act = {
            same: list(islice((o for o in others if (o.act == anchor.act) == same), plan.choices))
            for same in (True, False)
        }
        choices = by_act[draw(seed, "sts.act", anchor.id) < plan.same_act]
        choices = choices or by_act[True] or by_act[False]
        partner = choices[most_similar(words, [others[o] for o in choices], rouge=plan.rouge)]
        del others[partner]
        yield anchor, partner


def _utterances(call: Call, source: str, draft: Draft) -> Iterator[Utterance]:
    """Yield the utterances in keyed order, one of each cluster of near-duplicates."""

    def judge(rows: list[Row]) -> list[Refusal | Mapping[str, Any]]:
        intents = _intents(call, source, sorted({row["document"] for row in rows}))
        unknown = Refusal("sts.intent@1", "its document tells no intent or no topic")
        return [intents.get(row["document"], unknown) for row in rows]

    size = len(inputs.ids(call, source))
    walk = keyed_walk(call, source, purpose="sts.intents", first=size)
    accepted = accept_units(draft, walk, quota=size, judge=judge, batch_size=inputs.ROWS)
    for row, evidence in accepted:
        yield Utterance(row["id"], row["text"], **evidence)


def _intents(call: Call, source: str, documents: list[str]) -> dict[str, dict[str, str]]:
    """Return intent, topic and act of those of the documents that have an intent and a topic."""
    wanted = pa.array(documents, pa.string())
    intents: dict[str, dict[str, str]] = {}
    for table in inputs.rows(call, source, "documents", columns=("id", "meta")):
        rows = table.filter(pc.is_in(table["id"], value_set=wanted))
        meta = (pc.map_lookup(rows["meta"], pa.scalar(key), "last").to_pylist() for key in _META)
        for name, intent, topic, act, number in zip(rows["id"].to_pylist(), *meta, strict=True):
            if intent and topic:
                about = {"intent": intent, "topic": topic, "act": act or number or ""}
                intents[name] = {key: intern(value) for key, value in about.items()}
    return intents


def _add_pairs(draft: Draft, sampler: str, wanted: int, pairs: Pairs) -> None:
    before = len(draft.items)
    for first, second in pairs:
        draft.add(
            {"sentence1": first.text, "sentence2": second.text},
            {"sentence1": first.id, "sentence2": second.id},
            sampler=sampler,
            meta={
                "topic": first.topic,
                "intents": [first.intent, second.intent],
                "acts": [first.act, second.act],
            },
        )
    draft.short(sampler, wanted=wanted, drawn=len(draft.items) - before)
