"""Stage `candidates` of re: pairs of entities, by a knowledge base and uniformly (Section 3.5.1).

From each sentence, as far as the quotas allow:

a. one pair chosen at random among all pairs (sampler `uniform`), whatever the knowledge base knows,
   so that these pairs are a fair sample; dev and test use no others;
b. one pair linked by a fact of the knowledge base (sampler `kb`), but not of the same two entities
   as (a) in either order, which would ask annotators the same again.

Without a fact in the knowledge base all pairs are drawn by (a). As many sentences give both, a
release must split by sentence. The caps on pairs and entities of (b)
hold within a source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, permutations
from pathlib import Path
from typing import Any, Final, NamedTuple

from pipeline.core import store
from pipeline.core.ids import draw
from pipeline.core.morphology import PACKAGES
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling import inputs
from pipeline.sampling.draft import BATCH, STAGE_NAME, Draft, Refusal, source_shards, with_quotas
from pipeline.sampling.inputs import Row, keyed_walk
from pipeline.sampling.tagging import registry
from pipeline.sampling.tagging.registry import note_left_out
from pipeline.tasks.re.detection import Detection
from pipeline.tasks.re.entities import Entity
from pipeline.tasks.re.knowledge import Builder, Fact, Knowledge, create_knowledge, open_knowledge
from pipeline.tasks.re.knowledge.properties import Properties, key_of, load_properties
from pipeline.tasks.re.ranking import ranking_for

#: The file of the knowledge base while the stage runs.
_KNOWLEDGE_FILE: Final = "knowledge.sqlite"
#: The shard that writes the faults of knowledge bases and infoboxes into the ledger.
_FAULTS_SHARD: Final = "knowledge"
#: About how many sentences are read for one pair; it sets the size of the first read.
_SENTENCES_PER_PAIR: Final = 2

#: The types of a subject (Section 3.5.1).
SUBJECTS: Final = ("PER", "ORG")


class Pair(NamedTuple):
    """A subject and an object in a sentence, and their keys in the knowledge base."""

    subject: Entity
    object: Entity
    keys: tuple[str, str]

    @property
    def key_set(self) -> frozenset[str]:
        """Return both keys without order: the same for (subject, object) and (object, subject)."""
        return frozenset(self.keys)


def keyed_entities(text: str, entities: Sequence[Entity]) -> dict[str, Entity]:
    """Return the first mention of each entity of a sentence by its key."""
    by_key: dict[str, Entity] = {}
    for entity in entities:
        by_key.setdefault(key_of(text[entity.start : entity.end]), entity)
    return {key: entity for key, entity in by_key.items() if key}


def candidate_pairs(entities: Mapping[str, Entity]) -> list[Pair]:
    """Return all ordered pairs with a person or an organisation as subject, in a fixed order.

    The ends of a pair do not overlap.
    """
    return [
        Pair(a, b, (left, right))
        for (left, a), (right, b) in permutations(entities.items(), 2)
        if a.type in SUBJECTS and (a.end <= b.start or b.end <= a.start)
    ]


def _prepare(call: Call, folder: Path) -> None:
    with create_knowledge(folder / _KNOWLEDGE_FILE) as base:
        builder = Builder(base, _properties(call), _labels(call))
        for about, path in zip(call.params["knowledge"], call.arguments["knowledge"], strict=True):
            builder.add_file(Path(path), about["name"], about["format"])
        for source in sorted({place.parent.name for place in call.inputs}):
            builder.add_infoboxes(call, source)


def _labels(call: Call) -> dict[str, Mapping[str, Any]]:
    return {label["id"]: label for label in call.params["labels"]}


def _properties(call: Call) -> Properties:
    path = call.arguments.get("properties")
    return load_properties(Path(path) if path else None, _labels(call))


def _shards(call: Call) -> Iterator[Shard]:
    yield from source_shards(call)
    yield Shard(_FAULTS_SHARD, None)


@with_quotas
def _run(call: Call, shard: Shard) -> Outcome:
    source: str | None = shard.payload
    draft = Draft("re", source or _FAULTS_SHARD)
    if source is not None and source not in call.params["sources"]:
        wanted = call.params["sampling"]["quotas"][source]
        draft.short("not in this build", wanted=wanted, drawn=0)
        return draft.outcome()
    with open_knowledge(store.partial_of(call.folder) / _KNOWLEDGE_FILE) as base:
        if source is not None:
            return _Drawing(call, source, draft, base).outcome(_detection(call, base))
        for file, line, rule, reason, origin in base.faults():
            draft.fault(file, line, rule, reason, source=origin)
    return draft.outcome()


def _detection(call: Call, base: Knowledge) -> Detection:
    names, tagger = call.params["detectors"], None
    if "tagger" in names:
        tagger = registry.load_planned(call.arguments["tagger"], call.params["tagger"]["digest"])
    return Detection(
        tagger,
        base if "gazetteer" in names else None,
        "forms" in names,
        ranking_for(tagger) if tagger is not None else None,
    )


class _Drawing:
    """The candidates of one source, drawn sentence by sentence."""

    def __init__(self, call: Call, source: str, draft: Draft, base: Knowledge) -> None:
        self.sampling = call.params["sampling"]
        quota = self.sampling["quotas"][source]
        uniform = round(quota * (self.sampling["uniform_share"] if base.has_facts else 1))
        self.call, self.source, self.draft, self.base = call, source, draft, base
        self.properties, self.labels = _properties(call), _labels(call)
        self.wanted = {"uniform": uniform, "kb": quota - uniform}
        self.drawn = dict.fromkeys(self.wanted, 0)
        #: How often sampler `kb` drew a pair, in either order, and an entity.
        self.kb_uses: Counter[frozenset[str] | str] = Counter()

    def outcome(self, detection: Detection) -> Outcome:
        """Walk through the source until both quotas are filled or it ends."""
        first = _SENTENCES_PER_PAIR * sum(self.wanted.values())
        rows = keyed_walk(self.call, self.source, purpose="re.sentences", first=first)
        while self.drawn != self.wanted and (batch := list(islice(rows, BATCH))):
            detected = detection.detect([row["text"] for row in batch])
            for row, (entities, tagged) in zip(batch, detected, strict=True):
                if self.drawn == self.wanted:
                    break
                note_left_out(tagged, self.draft, row["id"])
                self._draw_pairs(row, keyed_entities(row["text"], entities))
        for sampler, wanted in self.wanted.items():
            advice = self._advice() if sampler == "kb" else ""
            self.draft.short(sampler, wanted=wanted, drawn=self.drawn[sampler], advice=advice)
        return self.draft.outcome(inputs.ids(self.call, self.source))

    def _advice(self) -> str:
        """Return the share of the pairs of the base, and with which quota it would be as wanted."""
        drawn, wanted = self.drawn["kb"], self.wanted["kb"] / max(1, sum(self.wanted.values()))
        if not drawn or not wanted:
            return "the base links no pair of this text; make a larger one"
        share = drawn / sum(self.drawn.values())
        return (
            f"{share:.1%} of the pairs instead of {wanted:.1%}; make a larger base, or want"
            f" {round(drawn / wanted)} pairs of this source"
        )

    def _draw_pairs(self, row: Row, entities: Mapping[str, Entity]) -> None:
        """Draw the pairs of a sentence, or refuse it."""
        pairs = candidate_pairs(entities)
        if refusal := _refusal(len(entities), pairs) or self.draft.near_duplicate(row):
            self.draft.refuse(row["id"], refusal.rule, refusal.reason)
            return
        facts = self.base.facts_between(entities)
        known = {pair: self._evidence(pair, facts) for pair in pairs} if facts else {}
        uniform = self._draw("uniform", row, pairs)
        other = [p for p in pairs if uniform is None or p.key_set != uniform.key_set]
        linked = [p for p in other if known.get(p) and self._is_allowed(p)]
        by_base = self._draw("kb", row, linked)
        for sampler, pair in (("uniform", uniform), ("kb", by_base)):
            if pair is not None:
                self._add(row, sampler, pair, known.get(pair, []))
        if by_base is not None:
            self.kb_uses[by_base.key_set] += 1
            self.kb_uses.update(by_base.keys)

    def _is_allowed(self, pair: Pair) -> bool:
        """Tell whether the caps let the knowledge base draw a pair once more."""
        below = all(self.kb_uses[key] < self.sampling["entity_cap"] for key in pair.keys)
        return below and self.kb_uses[pair.key_set] < self.sampling["pair_cap"]

    def _evidence(self, pair: Pair, facts: Sequence[Fact]) -> list[dict[str, Any]]:
        """Return the facts that join a pair, in either direction, each with the relation it states.

        The relation is None for a property that is not mapped, and for one that the spec does not
        offer between entities of their types.
        """
        evidence = []
        for fact in facts:
            is_swapped = (fact.object, fact.subject) == pair.keys
            if is_swapped or (fact.subject, fact.object) == pair.keys:
                relation = self._relation(pair, fact.property, is_swapped)
                about = {"knowledge": fact.origin, "property": fact.property}
                evidence.append({**about, "inverse": is_swapped, "relation": relation})
        return evidence

    def _relation(self, pair: Pair, name: str, is_swapped: bool) -> str | None:
        kind = (pair.object if is_swapped else pair.subject).type
        relation = self.properties.relation(name, subject=kind, is_swapped=is_swapped)
        if relation is None:
            return None
        label = self.labels[relation]
        fits = label["subject"] == pair.subject.type and pair.object.type in label["objects"]
        return relation if fits else None

    def _draw(self, sampler: str, row: Row, pairs: list[Pair]) -> Pair | None:
        if not pairs or self.drawn[sampler] == self.wanted[sampler]:
            return None
        return pairs[int(draw(self.call.params["seed"], f"re.{sampler}", row["id"]) * len(pairs))]

    def _add(self, row: Row, sampler: str, pair: Pair, facts: list[dict[str, Any]]) -> None:
        ends = {"subject": pair.subject, "object": pair.object}
        fields = {
            name: {
                "word": row["text"][entity.start : entity.end],
                "start": entity.start,
                "end": entity.end,
                "type": entity.type,
            }
            for name, entity in ends.items()
        }
        self.draft.add(
            {"sentence": row["text"], **fields},
            {"sentence": row["id"]},
            sampler=sampler,
            meta={
                "detectors": {name: entity.detectors for name, entity in ends.items()},
                "facts": facts,
                "relations": sorted({fact["relation"] for fact in facts if fact["relation"]}),
            },
            parts=tuple(f"{entity.start}:{entity.end}" for entity in ends.values()),
        )
        self.drawn[sampler] += 1
        self.draft.used.add(row["cluster"])


def _refusal(entities: int, pairs: list[Pair]) -> Refusal | None:
    if entities < 2:
        return Refusal("re.entities@1", f"{entities} entities; 2 are needed")
    if not pairs:
        return Refusal("re.subject@1", f"no person or organisation among {entities} entities")
    return None


STAGE = Stage(
    name=STAGE_NAME,
    main="items",
    invariant="sampling",
    shards=_shards,
    run=_run,
    prepare=_prepare,
    distributions=(*PACKAGES, "python-crfsuite"),
)
