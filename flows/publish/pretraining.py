"""Writes the folder of a pretraining corpus out of its finished stages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Final

import orjson
import pyarrow as pa
import pyarrow.compute as pc

from flows.plan.corpus import Chain
from flows.plan.pretrain import RULE, PretrainPlan
from flows.view import funnel
from pipeline.core import schemas, store
from pipeline.core.fingerprint import of_code, of_file, of_value
from pipeline.corpus.decontamination.benchmark import Benchmark, Owner
from pipeline.corpus.decontamination.tally import Tally
from pipeline.pii.key import check_value, read_key
from pipeline.pii.kinds import TYPES
from pipeline.release.folder import FolderWriter
from pipeline.release.manifest import Tool, stage_entries
from pipeline.release.material import RawFile, portable, public_settings
from pipeline.release.pretraining import card, manifest, parts
from pipeline.release.pretraining.manifest import (
    Changes,
    CorpusManifest,
    SourceEntry,
    SplitEntry,
    Statistics,
)

#: What becomes of personal data that is in the corpus no longer.
_FATES: Final = ("pseudonymise", "mask", "drop")


@dataclass
class _Counts:
    """What the files of one source hold."""

    statistics: Statistics = field(default_factory=Statistics)
    sentences: int = 0
    characters: int = 0
    types: Counter[str] = field(default_factory=Counter)

    def add_changes(self, hits: pa.Table) -> None:
        """Count hits that were replaced or masked in sentences of the corpus."""
        self.sentences += pc.count_distinct(hits["unit"]).as_py()
        self.characters += pc.sum(pc.subtract(hits["end"], hits["start"])).as_py() or 0
        pairs = set(schemas.rows(hits, "unit", "type"))
        self.types.update(type for _, type in pairs)

    def changes(self) -> Changes:
        """Return the counts, types in the order of Table 29."""
        types = {type: self.types[type] for type in TYPES if self.types[type]}
        return Changes(sentences=self.sentences, characters=self.characters, types=types)


def fingerprint(plan: PretrainPlan) -> str:
    """Return the digest of all that decides the files."""
    calls = [[call.stage, call.source, call.fingerprint] for call in plan.corpus.calls]
    sources = {name: source.model_dump(mode="json") for name, source in plan.corpus.sources.items()}
    settings = plan.corpus.build.written.model_dump(mode="json", exclude={"train"})
    code = [of_code(__name__), of_file(card.TEMPLATE)]
    return of_value([calls, sources, settings, of_file(plan.guarded), code])


def write_corpus(plan: PretrainPlan, folder: Path) -> None:
    """Write the files of a corpus into a new folder, its manifest last."""
    writer = FolderWriter(folder)
    counts = {chain.source: _Counts() for chain in plan.corpus.chains}
    limit = plan.settings.shard_bytes
    for number, part in enumerate(parts.cut_parts(_tables(plan, counts), limit)):
        writer.text(manifest.TEXT.format(number), parts.text_of(part))
        writer.table(manifest.DATA.format(number), part)
    tally = _tally(plan)
    lines = b"".join(orjson.dumps(row) + b"\n" for row in tally.contaminated_rows())
    writer.text(manifest.CONTAMINATED, lines.decode())
    writer.stream(manifest.LEDGER, _ledgers(plan), schemas.LEDGER)
    entries = _manifest(plan, counts, tally)
    writer.text("README.md", card.text(entries, plan.corpus.sources))
    files = entries.model_copy(update={"files": writer.files})
    manifest.write_corpus_manifest(folder, files)


def _tables(plan: PretrainPlan, counts: dict[str, _Counts]) -> Iterator[pa.Table]:
    """Yield the sentences of each shard of all sources in order, and count them."""
    for chain in plan.corpus.chains:
        for path in store.tables(chain.pii.folder, "units"):
            label = path.stem.removeprefix("units-")
            name = f"kept-{chain.source}-{label}.parquet"
            kept = store.read_table(plan.corpus.dedup.folder / name, "kept")
            columns = {"document_id": kept["document"], "text": parts.one_line(kept["text"])}
            columns |= {name: kept[name] for name in ("id", "source", "cluster")}
            table = pa.table(columns).select(parts.ROWS.names).cast(parts.ROWS)
            of_source = counts[chain.source]
            of_source.statistics += parts.statistics(table)
            of_source.add_changes(_edited_hits(chain, label, kept["id"]))
            yield table


def _edited_hits(chain: Chain, label: str, ids: pa.ChunkedArray) -> pa.Table:
    """Return the hits that were replaced or masked in these sentences."""
    policy = chain.policy
    hits = store.read_table(chain.pii.folder / f"personal-{label}.parquet", "personal")
    types = pa.array([*policy.pseudonymise, *policy.mask], pa.string())
    is_sure = pc.greater_equal(hits["confidence"], policy.minimum)
    is_edited = pc.and_(is_sure, pc.is_in(hits["type"], types))
    return hits.filter(pc.and_(is_edited, pc.is_in(hits["unit"], ids.combine_chunks())))


def _tally(plan: PretrainPlan) -> Tally:
    """Return what was found of the benchmark, and how many sentences that took."""
    tally = Tally(Benchmark(store.read_table(plan.guarded, "guarded")))
    for chain in plan.corpus.chains:
        rows = store.read_all(chain.screens[-1].folder, "contaminated").to_pylist()
        for _, of_unit in groupby(rows, key=itemgetter("unit")):
            owners = {Owner(r["task"], r["split"] or "", r["example"]): r for r in of_unit}
            best = next(iter(owners))
            tally.removed[best.task, best.split] += 1
            for owner, row in owners.items():
                tally.add_example(owner, row["score"], row["rule"])
    return tally


def _ledgers(plan: PretrainPlan) -> Iterator[pa.Table]:
    for call in plan.corpus.calls:
        for path in store.tables(call.folder, "ledger"):
            yield store.read_table(path, "ledger")


def _manifest(plan: PretrainPlan, counts: dict[str, _Counts], tally: Tally) -> CorpusManifest:
    build = plan.corpus.build
    policy = plan.corpus.chains[0].policy
    key_file = build.personal_data.key_file
    fates = {name: [type for type in TYPES if type in getattr(policy, name)] for name in _FATES}
    return CorpusManifest(
        format=manifest.FORMAT,
        kind=manifest.KIND,
        name=build.name,
        fingerprint=fingerprint(plan),
        build=public_settings(build.written.model_dump(mode="json", exclude={"train"})),
        shard_bytes=plan.settings.shard_bytes,
        sources={
            chain.source: _source(plan, chain, counts[chain.source]) for chain in plan.corpus.chains
        },
        personal_data={name: types for name, types in fates.items() if types},
        key_check=check_value(read_key(key_file)) if key_file else "",
        rule=RULE,
        benchmark={
            task: {split: SplitEntry(**entry) for split, entry in splits.items()}
            for task, splits in tally.benchmark_counts().items()
        },
        stages=stage_entries(funnel.stages(plan.corpus.calls, {})),
        files={},
        corpus_hash="",
        tool=Tool(name="klue-rebuild", version=version("klue-rebuild")),
    )


def _source(plan: PretrainPlan, chain: Chain, counts: _Counts) -> SourceEntry:
    entry = plan.corpus.sources[chain.source]
    inputs = plan.corpus.build.written.sources[chain.source].inputs
    return SourceEntry(
        licence=entry.licence,
        private=entry.private,
        inputs=[
            RawFile(file=portable(raw.name or str(raw.path)), sha256=digest)
            for raw, digest in zip(inputs, chain.read.input_fingerprints, strict=True)
        ],
        statistics=counts.statistics,
        changes=counts.changes(),
    )
