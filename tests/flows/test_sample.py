"""The sample corpora through the whole corpus flow: gold met to the letter, and enough is left."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import mini
import pyarrow.parquet as pq
import pytest
import release_stories
from sample_gold import Sample, gold_rows, mismatches, refused

from pipeline.corpus.rules.table import RULE_SETS
from pipeline.pii.kinds import DROPPED

PREMISES = ["airbnb", "nsmc", "policy", "wikinews", "wikipedia", "wikitree"]
PASSAGES = ["acrofan", "ked", "wikipedia"]
TEN = sorted({*PREMISES, *PASSAGES, "parakqc", "yna"})


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    built = release_stories.sample(tmp_path_factory)
    return Sample(release_stories.copied(built, tmp_path_factory.mktemp("sample"))[0])


def _count(sample: Sample, source: str, kind: str) -> int:
    rows = sample.kept.values()
    return sum(row["source"] == source and row["kind"] == kind for row in rows)


def test_every_unit_of_a_planted_document_fares_as_gold_says(sample: Sample) -> None:
    found = list(mismatches(sample, gold_rows()))
    assert not found, f"{len(found)} mismatches\n" + "\n".join(found)


def test_the_records_refused_are_those_of_gold_and_no_others(sample: Sample) -> None:
    wanted = refused([row for row in gold_rows() if row["line"] is not None])
    got = refused(sample.refusals)
    assert not Counter(wanted) - Counter(got), "not refused"
    assert not Counter(got) - Counter(wanted), "refused, but not planted"


def test_nothing_that_was_not_planted_is_touched(sample: Sample) -> None:
    planted = {(row["source"], row["key"]) for row in gold_rows()}
    touched = []
    for (name, kind), units in sample.units.items():
        document = sample.documents[name]
        keys = {document["key"], document["title"], f"L{document['line']}"}
        if not planted & {(document["source"], key) for key in keys}:
            rows = [row for unit in units for row in sample.decisions.get(unit["id"], [])]
            touched += [(name, kind, row["rule"]) for row in rows]
    assert not touched


def test_gold_uses_every_rule_and_every_action() -> None:
    gold = gold_rows()
    used = {rule for row in gold for rule in row["rules"]}
    # the sets of KLUE's own sources; layout is for others
    assert {rule for name in ("noise", "news", "wiki") for rule in RULE_SETS[name]} <= used
    assert {f"pii.{kind}@1" for kind in DROPPED} <= used
    assert {"toxicity.gender_bias@1", "toxicity.hate@1"} <= used
    assert {row["action"] for row in gold} == {"keep", "edit", "drop", "quarantine"}
    # a news rule can cut something out of a unit, and can drop one that is nothing else
    for rule in (*RULE_SETS["noise"], *RULE_SETS["news"], *RULE_SETS["wiki"]):
        if rule.startswith("news."):
            actions = {row["action"] for row in gold if rule in row["rules"]}
            assert actions == {"edit", "drop"}, rule


#: Parts of the personal data of texts/screen_plants.jsonl, each in one place only.
PLANTED = """
    oriole77 film-note talk?id=31 dal_gaengi haneul.stay haneul_stay nabi@ 2345-6789 345-6789
    seojeom@ seojeom_winter 203-0000 bid/2014 event@example
"""


def planted() -> list[str]:
    """Return the planted parts."""
    return PLANTED.split()


#: Tables that hold texts, and with them whatever stands in these.
TEXTS = ("documents-", "units-", "kept-", "sections-", "infoboxes-")


def test_no_planted_value_stands_outside_the_texts(sample: Sample) -> None:
    told = {"printed": json.dumps(sample.printed, ensure_ascii=False)}
    texts = ""
    for path in sample.files():
        if path.suffix == ".parquet":
            content = str(pq.read_table(path).to_pylist())
        else:
            content = path.read_bytes().decode("utf-8", "replace")
        if path.name.startswith(TEXTS):
            texts += content
        else:
            told[str(path.relative_to(sample.work))] = content
    assert all(value in texts for value in planted()), "the plants have changed"
    leaks = [(value, name) for value in planted() for name in told if value in told[name]]
    assert not leaks


def test_what_was_dropped_for_personal_data_is_explained_without_it(sample: Sample) -> None:
    dropped = [row for rows in sample.decisions.values() for row in rows if "pii." in row["rule"]]
    assert len(dropped) > 20
    for row in dropped[:3]:
        done = mini.klue("explain", row["unit"], "--work", sample.work)
        assert row["rule"] in done.stdout
        assert not [value for value in planted() if value in done.stdout + done.stderr]


def test_the_funnel_adds_up_and_counts_the_refusals_of_gold(sample: Sample) -> None:
    funnels = sample.printed["funnel"]
    assert sorted(funnels) == TEN
    for source, funnel in funnels.items():
        left = funnel["documents"] + funnel["dropped_documents"] + funnel["quarantined"]
        assert funnel["records"] == left
        assert funnel["units"] == funnel["kept"] + funnel["dropped_units"]
        assert funnel["childless"] == 0
        rows = [row for row in gold_rows() if row["source"] == source and row["line"] is not None]
        actions = Counter(row["action"] for row in rows)
        assert funnel["quarantined"] == actions["quarantine"]
        assert funnel["dropped_documents"] == actions["drop"]


def test_the_kept_sentences_of_one_build_are_one_file(sample: Sample, tmp_path: Path) -> None:
    out = tmp_path / "kept.parquet"
    mini.klue("corpus", sample.work, "--build", "sample.corpus", "--out", out)
    rows = {row["id"]: row for row in pq.read_table(out).to_pylist()}
    assert {id: row["text"] for id, row in rows.items()} == {
        id: row["text"] for id, row in sample.kept.items()
    }
    # sources that no detector read have no scores, and all others have both
    scored = {row["source"] for row in rows.values() if row["hate"] is not None}
    assert {row["source"] for row in rows.values() if row["gender_bias"] is None} == {*TEN} - scored
    assert scored == {source for source in TEN if "toxicity" in sample.stages(source)}


def test_there_are_sentences_of_all_ten_sources(sample: Sample) -> None:
    counts = Counter(row["source"] for row in sample.kept.values())
    assert sorted(counts) == TEN
    assert sum(_count(sample, source, "sentence") for source in TEN) >= 1_500


def test_few_units_are_near_duplicates_of_another_document(sample: Sample) -> None:
    near = sum(len(rows) for rows in sample.clusters.values())
    assert 0 < near <= 0.1 * len(sample.kept)
    # a whole review and its own sentence are no near-duplicates: one kind at a time
    for kind in ("whole", "sentence"):
        names = [row["cluster"] for row in sample.kept.values() if row["kind"] == kind]
        shared = sum(count for count in Counter(names).values() if count > 1)
        assert shared <= 0.1 * len(names), kind


def test_there_are_enough_dated_headlines(sample: Sample) -> None:
    dated = [
        row
        for row in sample.kept.values()
        if row["source"] == "yna" and sample.documents[row["document"]]["date"]
    ]
    assert len(dated) >= 420


@pytest.mark.parametrize("source", PREMISES)
def test_there_are_enough_premises(sample: Sample, source: str) -> None:
    rows = [r for r in sample.kept.values() if (r["source"], r["kind"]) == (source, "sentence")]
    assert sum(20 <= len(row["text"]) <= 90 for row in rows) >= 60


def test_there_are_enough_sentences_for_600_pairs(sample: Sample) -> None:
    """A round trip takes one sentence, a match and a ParaKQC pair take two each."""
    parakqc = _count(sample, "parakqc", "whole")
    free = _count(sample, "airbnb", "sentence") + _count(sample, "policy", "sentence")
    assert parakqc // 2 + free + free // 2 >= 600


def test_there_are_enough_passages(sample: Sample) -> None:
    texts = [d["text"] for d in sample.documents.values() if d["source"] in PASSAGES]
    assert sum(len(text) >= 512 for text in texts) >= 45


def test_there_are_infoboxes_of_enough_articles(sample: Sample) -> None:
    boxes = sample.rows("read", "wikipedia", "infoboxes")
    assert len({row["document"] for row in boxes}) >= 10
