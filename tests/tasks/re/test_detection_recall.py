"""How many of the entities that KLUE-RE annotated each detector finds, on real sentences."""

from __future__ import annotations

import ast
import csv
from pathlib import Path

import pytest

from pipeline.contracts.spec import load_spec
from pipeline.sampling.tagging.registry import load
from pipeline.tasks.re.detection import Detection
from pipeline.tasks.re.knowledge import Builder, create_knowledge, open_knowledge
from pipeline.tasks.re.knowledge.properties import load_properties
from pipeline.tasks.re.ranking import ranking_for
from tools.relation_items import half_of

#: Sentences of the reporting half that are looked at; docs/results/candidates.md has all.
ROWS = 300


def _recall(detection: Detection, rows: list[dict[str, str]]) -> float:
    """Return the share of annotated spans that are found with both ends right."""
    found = detection.detect([row["sentence"] for row in rows])
    hits = []
    for row, (entities, _) in zip(rows, found, strict=True):
        spans = {(entity.start, entity.end) for entity in entities}
        for key in ("subject_entity", "object_entity"):
            entity = ast.literal_eval(row[key])
            hits.append((entity["start_idx"], entity["end_idx"] + 1) in spans)
    return sum(hits) / len(hits)


@pytest.mark.full
def test_the_union_finds_more_than_either_detector(data_dir: Path, tmp_path: Path) -> None:
    with (data_dir / "klue" / "klue-re-v1.1_train_subset3247.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if half_of(row["sentence"]) == "reporting"]
    rows = rows[:ROWS]
    labels = {label.id: label.model_dump(mode="json") for label in load_spec("re").labels}
    path = tmp_path / "base.sqlite"
    with create_knowledge(path) as base:
        builder = Builder(base, load_properties(None, labels), labels)
        builder.add_file(data_dir / "kb" / "kbox_triples_55117.tsv", "kbox", "tsv")
    tagger, older = load("crf-re"), load("crf")
    with open_knowledge(path) as base:
        alone = _recall(Detection(tagger, None), rows)
        named = _recall(Detection(None, base), rows)
        union = _recall(Detection(tagger, base), rows)
        formed = _recall(Detection(tagger, base, has_forms=True), rows)
        ranked = _recall(Detection(tagger, base, True, ranking_for(tagger)), rows)
        general = _recall(Detection(older, base), rows)
    assert union > alone and union > named + 0.2
    assert ranked > formed > union > general + 0.02
    assert formed > 0.7
