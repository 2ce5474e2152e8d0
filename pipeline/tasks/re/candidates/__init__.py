"""Stage `candidates` of RE: pairs of entities, by a knowledge base and uniformly (Section 3.5.1).

A sentence gives at most one pair by each way. The uniform one is drawn first and asks no knowledge
base, so that these pairs stay a fair sample of what sentences hold; dev and test use no others. The
pair of the knowledge base has an entity that the uniform one lacks: it is neither the same pair nor
its mirror, about which annotators would be asked the same once more. Many sentences carry both, so
a release must split by sentence. The caps hold within a source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

from pipeline.core import store
from pipeline.core.errors import InputError
from pipeline.core.ids import draw
from pipeline.core.morphology import PACKAGES
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling import inputs, walk
from pipeline.sampling.draft import STAGE_NAME, Draft
from pipeline.sampling.filling import BATCH, Refusal, planned_sources
from pipeline.sampling.tagging import registry
from pipeline.sampling.tagging.checked import REASONS
from pipeline.tasks.re.candidates.choosing import Caps, Evidence, Pair, Place, pairs, places
from pipeline.tasks.re.candidates.detection import DETECTORS, Detected, Detection, Entity
from pipeline.tasks.re.knowledge.base import Knowledge, opened, written
from pipeline.tasks.re.knowledge.building import Builder
from pipeline.tasks.re.knowledge.properties import Properties, load_properties

TASK: Final = "re"
#: The file of the knowledge base while the stage is in the making.
BASE: Final = "knowledge.sqlite"
#: The shard that writes what is broken in knowledge bases and infoboxes into the ledger.
FAULTS: Final = "knowledge"
#: A sentence is asked for about this many times as often as a pair is wanted.
_AHEAD: Final = 2

Row = Mapping[str, Any]


def _prepare(call: Call, folder: Path) -> None:
    """Write the knowledge base that all shards read."""
    properties, labels = _properties(call), _labels(call)
    with written(folder / BASE) as base:
        builder = Builder(base, properties, labels)
        given = zip(call.params["knowledge"], call.arguments["knowledge"], strict=True)
        for about, path in given:
            builder.add_file(Path(path), about["name"], about["format"])
        for source in sorted({place.parent.name for place in call.inputs}):
            builder.add_infoboxes(call, source)


def _labels(call: Call) -> dict[str, Mapping[str, Any]]:
    return {label["id"]: label for label in call.params["labels"]}


def _properties(call: Call) -> Properties:
    given = call.arguments.get("properties")
    return load_properties(Path(given) if given else None, _labels(call))


def _shards(call: Call) -> Iterator[Shard]:
    sources = planned_sources(call, call.params["sampling"]["quotas"])
    yield from (Shard(source, source) for source in sources)
    yield Shard(FAULTS, None)


def _run(call: Call, shard: Shard) -> Outcome:
    if shard.payload is not None and shard.payload not in call.params["sources"]:
        return _absent(call, shard.payload)
    with opened(store.partial_of(call.folder) / BASE) as base:
        if shard.payload is None:
            return _broken(base)
        detection = _detection(call, base)
        evidence = Evidence(_properties(call), _labels(call))
        return Drawing(call, shard.payload, base, evidence).outcome(detection)


def _absent(call: Call, source: str) -> Outcome:
    draft = Draft(TASK, source)
    wanted = call.params["sampling"]["quotas"][source]
    draft.short("not in this build", wanted=wanted, drawn=0)
    return draft.outcome()


def _broken(base: Knowledge) -> Outcome:
    """Return the ledger of what is broken in the knowledge base's files and infoboxes."""
    draft = Draft(TASK, FAULTS)
    for source, file, line, rule, reason in base.faults():
        draft.fault(file, line, rule, reason, source=source)
    return draft.outcome()


def _detection(call: Call, base: Knowledge) -> Detection:
    """Return the detectors of a call; raises InputError for an unknown one, or if none is named."""
    named = call.params["detectors"]
    if not named or set(named) - set(DETECTORS):
        allowed = ", ".join(DETECTORS)
        raise InputError(f"detectors of entities: {named}; allowed: one or more of {allowed}")
    tagger = None
    if "tagger" in named:
        tagger = registry.planned(call.arguments["tagger"], call.params["tagger"]["digest"])
    return Detection(tagger, base if "gazetteer" in named else None)


@dataclass
class Drawing:
    """The candidates of one source in the making."""

    call: Call
    source: str
    base: Knowledge
    evidence: Evidence
    wanted: dict[str, int] = field(init=False)
    drawn: dict[str, int] = field(init=False)
    caps: Caps = field(init=False)
    draft: Draft = field(init=False)
    clusters: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        section = self.call.params["sampling"]
        quota = section["quotas"][self.source]
        uniform = round(quota * section["uniform_share"])
        self.wanted = {"uniform": uniform, "kb": quota - uniform}
        self.drawn = dict.fromkeys(self.wanted, 0)
        self.caps = Caps(section["pair_cap"], section["entity_cap"])
        self.draft = Draft(TASK, self.source)

    def outcome(self, detection: Detection) -> Outcome:
        """Walk through the source until both quotas are filled or it ends."""
        self._walk(detection)
        for sampler, wanted in self.wanted.items():
            self.draft.short(sampler, wanted=wanted, drawn=self.drawn[sampler])
        return self.draft.outcome(inputs.ids(self.call, self.source))

    def _walk(self, detection: Detection) -> None:
        first = _AHEAD * sum(self.wanted.values())
        rows = walk.keyed_walk(self.call, self.source, purpose="re.sentences", first=first)
        while self._open() and (batch := list(islice(rows, BATCH))):
            found = detection.detect([row["text"] for row in batch])
            for row, detected in zip(batch, found, strict=True):
                if self._open():
                    self._note(row, detected)
                    self._take(row, detected.entities)

    def _note(self, row: Row, detected: Detected) -> None:
        for why, n in sorted(Counter(detected.left_out).items()):
            self.draft.edit(row["id"], "re.mention@1", f"{REASONS[why]} (left out)", score=n)

    def _open(self) -> bool:
        return self.drawn != self.wanted

    def _take(self, row: Row, entities: Sequence[Entity]) -> None:
        """Draw what a sentence gives, or refuse it."""
        found = places(row["text"], entities)
        possible = pairs(found)
        refusal = self._refusal(row, found, possible)
        if refusal is not None:
            self.draft.refuse(row["id"], refusal.rule, refusal.reason)
            return
        facts = self.base.between(place.key for place in found)
        told = {pair: self.evidence.of(pair, facts) for pair in possible} if facts else {}
        taken = self._uniform(row, possible) if self._wants("uniform") else None
        asked = taken.names if taken else None
        joined = [p for p in possible if told.get(p) and p.names != asked and self.caps.allow(p)]
        by_base = _drawn(self.call, "re.kb", row, joined) if self._wants("kb") else None
        for sampler, pair in (("uniform", taken), ("kb", by_base)):
            if pair is not None:
                self._add(row, sampler, pair, told.get(pair, []))
        if by_base is not None:
            self.caps.take(by_base)

    def _wants(self, sampler: str) -> bool:
        return self.drawn[sampler] < self.wanted[sampler]

    def _refusal(self, row: Row, found: list[Place], possible: list[Pair]) -> Refusal | None:
        if len(found) < 2:
            return Refusal("re.entities@1", f"{len(found)} entities; 2 are needed")
        if not possible:
            reason = f"no person or organisation among {len(found)} entities"
            return Refusal("re.subject@1", reason)
        if row["cluster"] in self.clusters:
            reason = f"another of cluster {row['cluster']} is drawn"
            return Refusal("re.near_duplicate@1", reason)
        return None

    def _uniform(self, row: Row, possible: list[Pair]) -> Pair | None:
        return _drawn(self.call, "re.uniform", row, possible)

    def _add(self, row: Row, sampler: str, pair: Pair, told: list[dict[str, Any]]) -> None:
        text, ends = row["text"], {"subject": pair.subject.entity, "object": pair.object.entity}
        relations = {fact["relation"] for fact in told if fact["relation"]}
        self.draft.add(
            {"sentence": text, **{name: _shown(text, one) for name, one in ends.items()}},
            {"sentence": row["id"]},
            sampler=sampler,
            meta={
                "detectors": {name: one.detectors for name, one in ends.items()},
                "facts": told,
                "relations": sorted(relations),
            },
            parts=tuple(f"{one.start}:{one.end}" for one in ends.values()),
        )
        self.drawn[sampler] += 1
        self.clusters.add(row["cluster"])


def _drawn(call: Call, purpose: str, row: Row, possible: list[Pair]) -> Pair | None:
    """Return one of the pairs by keyed draw, or None if there is none."""
    if not possible:
        return None
    return possible[int(draw(call.params["seed"], purpose, row["id"]) * len(possible))]


def _shown(text: str, one: Entity) -> dict[str, Any]:
    return {
        "word": text[one.start : one.end],
        "start": one.start,
        "end": one.end,
        "type": one.type,
    }


STAGE = Stage(
    name=STAGE_NAME,
    main="items",
    law="sampling",
    shards=_shards,
    run=_run,
    prepare=_prepare,
    distributions=(*PACKAGES, "python-crfsuite"),
)
