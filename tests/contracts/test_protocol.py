"""The eight specs say what the KLUE paper says, and fit the official files."""

from __future__ import annotations

import ast
import csv
import io
import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from pipeline.contracts.aggregation_rules import Inspected, Majority, Scores
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec

ALL = tuple(TASKS)
SPEC = {task: load_spec(task) for task in ALL}
by_task = pytest.mark.parametrize("task", ALL)

#: Sections 3.1 to 3.8: role, answers an item and form of every round, in order. DP: Section 3.6.1
#: reviews each pass by another annotator; POS gold comes first.
ROUNDS = {
    "tc": [("annotator", 3, "topics")],
    "sts": [("annotator", 7, "score")],
    "nli": [("author", 1, "hypotheses"), ("validator", 4, "label")],
    "ner": [("annotator", 1, "spans"), ("inspector", 2, "verdict"), ("expert", 1, "verdict")],
    "re": [("annotator", 3, "label"), ("annotator", 3, "label")],
    "dp": [
        ("annotator", 1, "morphemes"),
        ("inspector", 1, "verdict"),
        ("annotator", 1, "tree"),
        ("inspector", 1, "verdict"),
        ("expert", 1, "verdict"),
    ],
    "mrc": [("author", 1, "reading"), ("inspector", 1, "verdict"), ("expert", 1, "verdict")],
    "dst": [("author", 1, "dialogue"), ("inspector", 1, "verdict")],
}
#: Tables 3, 4, 6, 8, 11, 13 and 26; MRC gives shares (Section 3.7.1).
SIZES = {
    "tc": (45678, 9107, 9107),
    "sts": (11668, 519, 1037),
    "nli": (24998, 3000, 3000),
    "ner": (21008, 5000, 5000),
    "re": (32470, 7765, 7766),
    "dp": (10000, 2000, 2500),
    "mrc": (6, 2, 2),
    "dst": (8000, 1000, 1000),
}
#: The reasons that the paper names beside personal data, hate and bias.
REASONS = {
    "tc": {"unable_to_decide"},
    "sts": {"translation_error", "misinformation"},
    "nli": {"ungrammatical", "too_complex"},
    "ner": {"not_one_sentence"},
    "re": {"wrong_entity_boundary"},
    "mrc": {"sexual_or_violent", "unethical"},
}


@by_task
def test_rounds_are_the_papers(task: str) -> None:
    rounds = SPEC[task].rounds
    assert [(r.role, r.per_item, r.answer) for r in rounds] == ROUNDS[task]


@by_task
def test_nobody_checks_their_own_work(task: str) -> None:
    steps = list(pairwise(SPEC[task].rounds))
    checks = [(a, b) for a, b in steps if b.role in {"validator", "inspector"}]
    wanted = {"tc": 0, "sts": 0, "nli": 1, "ner": 1, "re": 0, "dp": 2, "mrc": 1, "dst": 1}
    assert len(checks) == wanted[task]
    assert all(before.id in here.not_by for before, here in checks)


@by_task
def test_split_sizes_are_the_papers(task: str) -> None:
    numbers = SPEC[task].split.numbers
    assert (numbers.train, numbers.dev, numbers.test) == SIZES[task]


@by_task
def test_report_reasons(task: str) -> None:
    reasons = {r.id for r in SPEC[task].reports}
    assert {"personal_data", "hate", "bias"} | REASONS.get(task, set()) <= reasons


@by_task
def test_only_sts_excludes_annotators_by_their_agreement(task: str) -> None:
    rule = SPEC[task].exclusion
    wanted = (0.80, 0.20, "nominal") if task == "sts" else (None, None, "nominal")
    assert (rule.pearson_below, rule.alpha_below, rule.level) == wanted


@pytest.mark.parametrize(
    ("task", "roles", "minimum", "needed", "otherwise", "top"),
    [
        ("tc", ("annotator",), 3, 2, "removed", None),
        ("nli", ("author", "validator"), 5, 3, "removed", None),
        ("re", ("annotator",), 3, 2, "top_annotators", 30),
    ],
)
def test_majorities(
    task: str, roles: tuple[str, ...], minimum: int, needed: int, otherwise: str, top: int | None
) -> None:
    rule = SPEC[task].aggregation
    assert isinstance(rule, Majority)
    assert (rule.roles, rule.minimum, rule.needed) == (roles, minimum, needed)
    assert (rule.otherwise, rule.top) == (otherwise, top)


def test_similarity_averages_and_drops() -> None:
    spec = SPEC["sts"]
    assert spec.scale is not None
    assert spec.ids() == ("5", "4", "3", "2", "1", "0")
    assert (spec.scale.low, spec.scale.high) == (0, 5)
    rule = spec.aggregation
    assert isinstance(rule, Scores)
    assert (rule.minimum, rule.step, rule.drop_deviation, rule.binary_at) == (5, 0.1, 2.0, 3.0)


@pytest.mark.parametrize("task", ["ner", "dp", "mrc", "dst"])
def test_written_and_tagged_tasks_are_inspected(task: str) -> None:
    rule = SPEC[task].aggregation
    assert isinstance(rule, Inspected)
    assert "inspector" in rule.roles
    assert rule.privacy_labels == (("PS",) if task == "ner" else ())


@pytest.mark.parametrize(
    ("task", "level", "published"),
    [
        ("tc", "nominal", 0.713),
        ("sts", "interval", 0.85),
        ("nli", "nominal", None),
        ("re", "nominal", 0.701),
    ],
)
def test_agreement_as_published(task: str, level: str, published: float | None) -> None:
    shown = SPEC[task].agreement
    assert (shown.coefficient, shown.level) == ("krippendorff_alpha", level)
    assert shown.published == published


@pytest.mark.parametrize("task", ["ner", "dp", "mrc", "dst"])
def test_no_agreement_was_published_for_inspected_tasks(task: str) -> None:
    assert SPEC[task].agreement.published is None


def test_pilots_whose_numbers_the_paper_prints() -> None:
    relation, reading = SPEC["re"].pilot, SPEC["mrc"].pilot
    assert (relation.rule, relation.needed, relation.items) == ("correct", 4, 5)
    assert (reading.rule, reading.items) == ("reviewed", 15)
    assert SPEC["tc"].pilot.rule == SPEC["sts"].pilot.rule == "agreement"


def test_numbers_of_the_split_rules() -> None:
    assert SPEC["tc"].split.numbers.evaluation_from == "2020-01-01"
    sts, nli = SPEC["sts"].split.numbers, SPEC["nli"].split.numbers
    assert (sts.bins, sts.least_overlap_from) == (51, 3.0)
    assert (sts.dev_parts, sts.test_parts) == (1, 2)
    assert (nli.set_size, nli.distinct_golds, nli.lowest_share) == (3, 3, 0.2)
    assert (nli.formal_share, nli.colloquial_share) == (0.6, 0.4)
    assert (nli.per_formal_source, nli.per_colloquial_source) == (450, 600)
    assert SPEC["re"].split.numbers.evaluation_sampler == "uniform"


#: Table 3, topic by topic.
TERMS = {
    "정치": "Blue House, Ministry, Parliament, North Korea, Political parties, Defense, Diplomacy",
    "경제": "Stock, Finance, Industry, Enterprise, Real estate",
    "사회": "Education, Labor, Journalism, Environment, Human rights, Food and drugs",
    "생활문화": "Health, Transportation, Leisure, Hot places, Fashion, Beauty, Performance, "
    "Exhibition, Books, Weather",
    "세계": "Asia/Australia, America, Europe, Middle East/Africa",
    "IT과학": "Mobile, IT, Internet, Social media, Communication, Computer, Game, "
    "Scientific journalism",
    "스포츠": "Baseball, Basketball, Volleyball, E-sports",
}


def test_topics_with_the_key_terms_of_table_3() -> None:
    assert SPEC["tc"].ids() == tuple(TERMS)
    for label in SPEC["tc"].labels:
        assert label.description is not None
        assert label.description.en.endswith(f"Key terms: {TERMS[label.id]}.")
        assert len(label.terms) == len(TERMS[label.id].split(", "))


def test_labels_of_the_other_tasks() -> None:
    assert SPEC["nli"].ids() == ("entailment", "contradiction", "neutral")
    assert set(SPEC["ner"].ids()) == {"PS", "LC", "OG", "DT", "TI", "QT"}
    assert SPEC["mrc"].ids("question_type") == ("1", "2", "3")
    assert set(SPEC["dp"].ids("syntax")) == {"NP", "VP", "AP", "VNP", "DP", "IP", "X", "L", "R"}
    assert set(SPEC["dp"].ids("function")) == {"SBJ", "OBJ", "MOD", "AJT", "CMP", "CNJ"}


def test_relations_count_as_in_table_10() -> None:
    ids = SPEC["re"].ids()
    assert len(ids) == 30
    assert sum(i.startswith("per:") for i in ids) == 18
    assert sum(i.startswith("org:") for i in ids) == 11
    for label in SPEC["re"].labels:
        subject = {"per": "PER", "org": "ORG"}.get(label.id.split(":")[0])
        assert label.subject == subject
        assert bool(label.objects) == (subject is not None)


def test_slots_count_as_in_table_23() -> None:
    slots = SPEC["dst"].slots
    assert len({s.id.split("-", 1)[0] for s in slots}) == 5
    assert sum(s.informable for s in slots) == 45


@by_task
def test_every_text_is_in_both_languages(task: str) -> None:
    spec = SPEC[task]
    sentences = [r.question for r in spec.rounds] + [spec.instruction]
    titles = [spec.title, *(s.title for s in spec.slots), *(r.title for r in spec.reports)]
    for text in sentences + titles + [label.title for label in spec.labels]:
        assert text.en.isascii(), text.en
    for text in sentences:
        assert any("가" <= letter <= "힣" for letter in text.ko)


# ----- the official files


def test_topics_are_those_of_the_official_file(data_dir: Path) -> None:
    with (data_dir / "klue" / "ynat-v1.1_dev.csv").open(encoding="utf-8", newline="") as file:
        assert {row[2] for row in csv.reader(file)} == set(SPEC["tc"].ids())


def test_similarity_scores_lie_on_the_scale(data_dir: Path) -> None:
    rows = json.loads((data_dir / "klue" / "klue-sts-v1.1_dev.json").read_text("utf-8"))
    scores = {score for row in rows for score in row["annotations"]["annotations"]}
    assert {str(score) for score in scores} == set(SPEC["sts"].ids())
    rule = SPEC["sts"].aggregation
    assert isinstance(rule, Scores)
    assert min(len(row["annotations"]["annotations"]) for row in rows) == rule.minimum


def test_inference_labels_and_votes(data_dir: Path) -> None:
    rows = json.loads((data_dir / "klue" / "klue-nli-v1.1_dev.json").read_text("utf-8"))
    columns = ("author", "label2", "label3", "label4", "label5")
    assert {row[column] for row in rows for column in columns} == set(SPEC["nli"].ids())
    rule = SPEC["nli"].aggregation
    assert isinstance(rule, Majority)
    assert len(columns) == rule.minimum == sum(r.per_item for r in SPEC["nli"].rounds)


def test_relations_stand_in_the_official_order(data_dir: Path) -> None:
    text = (data_dir / "klue" / "klue-re_relation_list.json").read_text("utf-8")
    assert list(SPEC["re"].ids()) == json.loads(text)["relations"]


def test_first_offers_hold_nearly_every_official_label(data_dir: Path) -> None:
    text = (data_dir / "klue" / "klue-re-v1.1_train_subset3247.csv").read_text("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    labels = {label.id: label for label in SPEC["re"].labels}
    offered = related = 0
    for row in rows:
        label = labels[row["label"]]
        if label.subject is None:
            continue
        subject, object_ = (ast.literal_eval(row[f"{k}_entity"]) for k in ("subject", "object"))
        offered += label.subject == subject["type"] and object_["type"] in label.objects
        related += 1
    assert len(rows) == 3247
    assert offered / related > 0.95


def test_first_offers_stay_few() -> None:
    pairs = Counter((label.subject, kind) for label in SPEC["re"].labels for kind in label.objects)
    assert max(pairs.values()) <= 8  # and no_relation


def _columns(path: Path) -> list[list[str]]:
    lines = path.read_text("utf-8").split("\n")
    return [line.split("\t") for line in lines if line.strip() and not line.startswith("## ")]


def test_entity_types_of_the_official_file(data_dir: Path) -> None:
    rows = _columns(data_dir / "klue" / "klue-ner-v1.1_dev.tsv")
    assert {row[-1][2:] for row in rows if row[-1] != "O"} == set(SPEC["ner"].ids())


def test_syntax_function_and_pos_tags_of_the_official_file(data_dir: Path) -> None:
    rows = _columns(data_dir / "klue" / "klue-dp-v1.1_dev.tsv")
    spec = SPEC["dp"]
    for deprel in {row[5] for row in rows}:
        syntax, _, function = deprel.partition("_")
        assert syntax in spec.ids("syntax")
        assert not function or function in spec.ids("function")
    used = {tag for row in rows for tag in row[3].split("+")}
    assert used <= set(spec.ids("pos")), used - set(spec.ids("pos"))


def test_informable_slots_are_those_of_the_official_ontology(data_dir: Path) -> None:
    official = json.loads((data_dir / "klue" / "wos-ontology.json").read_text("utf-8"))
    assert {slot.id for slot in SPEC["dst"].slots if slot.informable} == set(official)
