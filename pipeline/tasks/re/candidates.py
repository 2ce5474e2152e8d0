"""Stage `candidates` of re: pairs of entities, by a knowledge base and uniformly (Section 3.5.1).

A sentence gives at most one pair by each sampler. The uniform pair is drawn first and does not use
the knowledge base, so that these pairs stay a fair sample of the sentences; dev and test use no
others. The pair of the knowledge base has an entity that the uniform one lacks: it is neither the
same pair nor its mirror, which would ask annotators the same again. Many sentences carry both, so a
release must split by sentence. The caps hold within a source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from pipeline.core import store
from pipeline.core.errors import InputError
from pipeline.core.ids import draw
from pipeline.core.morphology import PACKAGES
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling import inputs
from pipeline.sampling.draft import STAGE_NAME, Draft
from pipeline.sampling.filling import BATCH, Clusters, Refusal, planned_sources
from pipeline.sampling.tagging import registry
from pipeline.sampling.tagging.registry import REASONS
from pipeline.sampling.walk import Row, keyed_walk
from pipeline.tasks.re.detection import DETECTORS, Detection, Entity
from pipeline.tasks.re.knowledge.base import Knowledge, create_knowledge, open_knowledge
from pipeline.tasks.re.knowledge.building import Builder
from pipeline.tasks.re.knowledge.properties import Properties, load_properties
from pipeline.tasks.re.pairs import Caps, Evidence, Pair, candidate_pairs, keyed_entities

#: The file of the knowledge base while the stage runs.
BASE: Final = "knowledge.sqlite"
#: The shard that writes the faults of knowledge bases and infoboxes into the ledger.
FAULTS: Final = "knowledge"
#: About how many sentences are looked at for one pair.
_AHEAD: Final = 2


def _prepare(call: Call, folder: Path) -> None:
    """Write the knowledge base that all shards read."""
    with create_knowledge(folder / BASE) as base:
        builder = Builder(base, _properties(call), _labels(call))
        files = zip(call.params["knowledge"], call.arguments["knowledge"], strict=True)
        for about, path in files:
            builder.add_file(Path(path), about["name"], about["format"])
        for source in sorted({place.parent.name for place in call.inputs}):
            builder.add_infoboxes(call, source)


def _labels(call: Call) -> dict[str, Mapping[str, Any]]:
    return {label["id"]: label for label in call.params["labels"]}


def _properties(call: Call) -> Properties:
    path = call.arguments.get("properties")
    return load_properties(Path(path) if path else None, _labels(call))


def _shards(call: Call) -> Iterator[Shard]:
    sources = planned_sources(call, call.params["sampling"]["quotas"])
    yield from (Shard(source, source) for source in sources)
    yield Shard(FAULTS, None)


def _run(call: Call, shard: Shard) -> Outcome:
    source: str | None = shard.payload
    if source is not None and source not in call.params["sources"]:
        draft, wanted = Draft("re", source), call.params["sampling"]["quotas"][source]
        draft.short("not in this build", wanted=wanted, drawn=0)
        return draft.outcome()
    with open_knowledge(store.partial_of(call.folder) / BASE) as base:
        if source is None:
            draft = Draft("re", FAULTS)
            for fault in base.faults():
                draft.fault(fault.file, fault.line, fault.rule, fault.reason, source=fault.source)
            return draft.outcome()
        detection = _detection(call, base)
        evidence = Evidence(_properties(call), _labels(call))
        return _Drawing(call, source, base, evidence).outcome(detection)


def _detection(call: Call, base: Knowledge) -> Detection:
    """Return the detectors of a call; raises InputError for an unknown one, or if none is named."""
    names = call.params["detectors"]
    if not names or set(names) - set(DETECTORS):
        allowed = ", ".join(DETECTORS)
        raise InputError(f"detectors of entities: {names}; allowed: one or more of {allowed}")
    tagger = None
    if "tagger" in names:
        tagger = registry.load_planned(call.arguments["tagger"], call.params["tagger"]["digest"])
    return Detection(tagger, base if "gazetteer" in names else None)


class _Drawing:
    """The candidates of one source, drawn sentence by sentence."""

    def __init__(self, call: Call, source: str, base: Knowledge, evidence: Evidence) -> None:
        section = call.params["sampling"]
        quota = section["quotas"][source]
        uniform = round(quota * section["uniform_share"])
        self.call, self.source, self.base, self.evidence = call, source, base, evidence
        self.wanted = {"uniform": uniform, "kb": quota - uniform}
        self.drawn = dict.fromkeys(self.wanted, 0)
        self.caps = Caps(section["pair_cap"], section["entity_cap"])
        self.draft = Draft("re", source)
        self.clusters = Clusters("re")

    def outcome(self, detection: Detection) -> Outcome:
        """Walk through the source until both quotas are filled or it ends."""
        first = _AHEAD * sum(self.wanted.values())
        rows = keyed_walk(self.call, self.source, purpose="re.sentences", first=first)
        while self.drawn != self.wanted and (batch := list(islice(rows, BATCH))):
            entities = detection.detect([row["text"] for row in batch])
            for row, detected in zip(batch, entities, strict=True):
                if self.drawn == self.wanted:
                    break
                for why, n in sorted(Counter(detected.left_out).items()):
                    reason = f"{REASONS[why]} (left out)"
                    self.draft.edit(row["id"], "re.mention@1", reason, score=n)
                self._take(row, detected.entities)
        for sampler, wanted in self.wanted.items():
            self.draft.short(sampler, wanted=wanted, drawn=self.drawn[sampler])
        return self.draft.outcome(inputs.ids(self.call, self.source))

    def _take(self, row: Row, entities: Sequence[Entity]) -> None:
        """Draw the pairs of a sentence, or refuse it."""
        keyed = keyed_entities(row["text"], entities)
        pairs = candidate_pairs(keyed)
        refusal = _refusal(len(keyed), pairs) or self.clusters.refusal(row)
        if refusal is not None:
            self.draft.refuse(row["id"], refusal.rule, refusal.reason)
            return
        facts = self.base.facts_between(entity.key for entity in keyed)
        known = {pair: self.evidence.of(pair, facts) for pair in pairs} if facts else {}
        uniform = self._draw("uniform", row, pairs)
        taken = uniform.names if uniform else None
        joined = [p for p in pairs if known.get(p) and p.names != taken and self.caps.allow(p)]
        by_base = self._draw("kb", row, joined)
        for sampler, pair in (("uniform", uniform), ("kb", by_base)):
            if pair is not None:
                self._add(row, sampler, pair, known.get(pair, []))
        if by_base is not None:
            self.caps.take(by_base)

    def _draw(self, sampler: str, row: Row, pairs: list[Pair]) -> Pair | None:
        """Return one of the pairs by keyed draw, or None if there is none or the quota is full."""
        if not pairs or self.drawn[sampler] == self.wanted[sampler]:
            return None
        return pairs[int(draw(self.call.params["seed"], f"re.{sampler}", row["id"]) * len(pairs))]

    def _add(self, row: Row, sampler: str, pair: Pair, facts: list[dict[str, Any]]) -> None:
        text, ends = row["text"], {"subject": pair.subject.entity, "object": pair.object.entity}
        fields = {
            name: {
                "word": text[entity.start : entity.end],
                "start": entity.start,
                "end": entity.end,
                "type": entity.type,
            }
            for name, entity in ends.items()
        }
        self.draft.add(
            {"sentence": text, **fields},
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
        self.clusters.add(row)


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
