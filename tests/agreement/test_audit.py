"""The whole record: its shape, degenerate tables explained in words, order of rows, real files."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulated_pool import CATEGORIES, SCORES, votes
from sound_record import check
from vote_tables import Row, grid, table

from pipeline.agreement.aggregation.aggregate import aggregate
from pipeline.agreement.audit import audit
from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import load_spec
from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.core.jsontext import canonical

DEGENERATE: dict[str, list[Row]] = {
    "empty": [],
    "one category": [(f"i{n}", f"p{who}", "a") for n in range(4) for who in range(3)],
    "one vote an item": [(f"i{n}", f"p{n % 2}", "ab"[n % 2]) for n in range(6)],
    "one vote": [("i0", "p0", "a")],
    "nobody overlaps": [
        *((f"i{n}", who, "ab"[n % 2]) for n in range(3) for who in ("p", "q")),
        *((f"j{n}", who, "ab"[n % 2]) for n in range(3) for who in ("r", "s")),
    ],
    "anonymous": [
        (f"i{n}", None, "ab"[(n * who) % 2], {"seat": f"label{who}"})
        for n in range(5)
        for who in range(3)
    ],
    "nobody agrees": [(f"i{n}", f"p{who}", "abc"[who]) for n in range(5) for who in range(3)],
    "only reports": [(f"i{n}", "p", None, {"report": "hate"}) for n in range(3)],
    "one person twice seated": [("i0", "p", "a"), ("i0", None, "a"), ("i1", "p", "b")],
}


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_tables_are_explained(name: str, level: str) -> None:
    rows = DEGENERATE[name]
    if level != "nominal":
        number = {"a": 0, "b": 1, "c": 4, None: None}
        rows = [(item, who, number[label], *more) for item, who, label, *more in rows]  # type: ignore[misc]
    record = audit(table(rows), level=level, bootstrap=20)
    check(record)
    assert record["notes"] or name in ("nobody overlaps", "nobody agrees")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("empty", "no vote to compare"),
        ("one category", "All answers are the same"),
        ("one vote an item", "No item has two votes"),
        ("anonymous", "anonymous"),
    ],
)
def test_words_for_the_reader(name: str, told: str) -> None:
    record = audit(table(DEGENERATE[name]), level="nominal", bootstrap=0)
    assert any(told.lower() in note.lower() for note in record["notes"])
    assert record["coefficients"][record["lead"]]["value"] is None or name == "anonymous"


def test_anonymous_votes_give_coefficients_but_nobody_s_results() -> None:
    record = audit(table(DEGENERATE["anonymous"]), level="nominal", bootstrap=0)
    assert record["per_annotator"] == {}
    assert "seats" in record["no_annotators"]
    assert record["coefficients"]["krippendorff_alpha_nominal"]["value"] is not None
    assert record["anonymous_votes"] == record["votes"] == 15


LABELS = st.lists(
    st.tuples(
        st.sampled_from(["i1", "i2", "i3"]),
        st.sampled_from(["p", "q", "r", None]),
        st.integers(0, 3),
    ),
    max_size=12,
)


@given(LABELS, st.sampled_from(["nominal", "ordinal", "interval", "ratio"]))
def test_any_table_has_a_sound_record(rows: list[Row], level: str) -> None:
    seen = {(item, who): (item, who, label) for item, who, label in rows if who}
    anonymous = [row for row in rows if row[1] is None]
    check(audit(table([*seen.values(), *anonymous]), level=level, bootstrap=5))


@pytest.mark.parametrize("timed", [True, False])
def test_the_order_of_rows_changes_at_most_drift(timed: bool) -> None:
    given_votes = votes(SCORES, 7, timed=timed)
    mixed = given_votes.take(np.random.default_rng(1).permutation(len(given_votes)))
    one, two = (audit(t, task=TASKS["sts"], bootstrap=30) for t in (given_votes, mixed))
    if not timed:
        assert any("order of the rows" in note for note in one["notes"])
        for record in (one, two):
            for person in record["per_annotator"].values():
                person.pop("drift")
                person["flags"] = [f for f in person["flags"] if f["code"] != "drift"]
    assert [*one.pop("per_item")] == [*two.pop("per_item")]
    assert canonical(one) == canonical(two)


def test_bad_annotators_show_in_the_record() -> None:
    record = audit(votes(CATEGORIES, 3), level="nominal", bootstrap=50)
    check(record)
    assert record["simulated"] is True
    flagged = {name: p["flags"][0] for name, p in record["per_annotator"].items() if p["flags"]}
    assert set(flagged) == {"sim-random", "sim-constant", "sim-drifting"}
    assert set(flagged["sim-random"]) == {
        "code",
        "text",
        "value",
        "effect",
        "p",
        "q",
        "items",
    }
    person = record["per_annotator"]["sim-random"]
    lead = record["coefficients"]["krippendorff_alpha_nominal"]["value"]
    assert person["alpha_without"] > lead
    assert person["alpha_change"] == pytest.approx(person["alpha_without"] - lead, abs=2e-6)
    assert person["alpha_vs_rest"] < 0.1 < record["per_annotator"]["sim-good-00"]["alpha_vs_rest"]


def test_counts_reports_roles_sources_and_gold() -> None:
    report = {"report": "hate"}
    rows: list[Row] = [
        ("h1", "a", ["정치"], {"source": "news"}),
        ("h1", "b", ["정치"]),
        ("h2", "a", ["사회"]),
        ("h2", "b", None, report),
        ("h3", "b", ["사회"], {"role": "expert"}),
    ]
    items = schemas.build(
        "items",
        [
            {"item": f"h{n}", "task": "tc", "fields": '{"title":"제목"}', "gold": '["정치"]'}
            for n in (1, 2)
        ],
    )
    gold = schemas.build(
        "gold",
        [
            _gold("h1", "gold", label='["정치"]'),
            _gold("h2", "unresolved", queue="review"),
            _gold("h3", "removed"),
        ],
    )
    record = audit(table(rows), task=TASKS["tc"], items=items, gold=gold)
    check(record)
    assert (record["items"], record["votes"], record["reports"]) == (2, 3, 1)
    assert record["report_reasons"] == {"hate": 1}
    assert record["roles"] == {"annotator": 3}
    assert record["left_out"] == {"role expert": 1}
    assert set(record["per_source"]) == {"news", "unknown"}
    wanted = {"items": 3, "resolved": 1, "unresolved": 1, "removed": 1, "matches_official": 1}
    assert {key: record["gold"][key] for key in wanted} == wanted
    assert record["spec"].startswith("tc@")


def test_labels_that_nobody_gave_count_where_they_could_be_chosen() -> None:
    """The same figures as for a table in which somebody gave them, to an item of their own."""
    rows = [(f"i{n}", who, "yes" if n else who) for n in range(10) for who in ("yes", "no")]
    five = ["yes", "no", "unsure", "skip", "other"]
    found = audit(table(rows), level="nominal", labels=five, bootstrap=0)["coefficients"]
    assert found["bennett_s"]["value"] == pytest.approx((0.9 - 1 / 5) / (1 - 1 / 5))
    alone = audit(table(rows), level="nominal", bootstrap=0)["coefficients"]
    assert alone["bennett_s"]["value"] == pytest.approx((0.9 - 1 / 2) / (1 - 1 / 2))
    same = [(f"i{n}", who, "yes") for n in range(5) for who in "ab"]
    constant = audit(table(same), level="nominal", labels=["yes", "no"], bootstrap=0)
    assert constant["coefficients"]["bennett_s"]["value"] == 1
    scores = [
        (f"i{n}", who, 1 + (n + place) % 3) for n in range(9) for place, who in enumerate("ab")
    ]
    scale = audit(table(scores), level="ordinal", labels=[1, 2, 3, 4, 5], bootstrap=0)
    narrow = audit(table(scores), level="ordinal", bootstrap=0)
    ac2 = [one["coefficients"]["gwet_ac2"]["value"] for one in (scale, narrow)]
    assert ac2[0] > ac2[1]  # the same distances are shorter on a longer scale


def test_one_item_alone_gives_no_interval_and_none_is_turned_around() -> None:
    rows = [("a", "k", "x"), ("a", "l", "y"), *((f"b{n}", "l", "y") for n in range(20))]
    for more in (0, 2):
        shared = [row for n in range(more) for row in ((f"c{n}", "k", "x"), (f"c{n}", "l", "y"))]
        found = audit(table([*rows, *shared]), level="nominal")["coefficients"]
        for row in found.values():
            if more == 0:
                assert row["low"] is None
                assert row["reason"]
            elif row["low"] is not None:
                assert row["low"] - 1e-9 <= row["value"] <= row["high"] + 1e-9


def test_labels_that_may_stand_for_nothing_are_noted() -> None:
    rows = [("a", "k", "x"), ("a", "l", "NA"), ("b", "k", "x")]
    notes = audit(table(rows), level="nominal", bootstrap=0)["notes"]
    assert any(note.startswith("The label NA counts as any other") for note in notes)


def _gold(item: str, status: str, **more: Any) -> dict[str, object]:
    common = {"task": "tc", "rule": "majority", "votes": 2, "simulated": False}
    return {"item": item, "status": status, **common, **more}


def _spans(*spans: tuple[int, int, str]) -> list[dict[str, Any]]:
    return [{"start": start, "end": end, "label": label} for start, end, label in spans]


def _structures(task: str) -> list[Row]:
    """Return two people's answers to three items, and an inspector's word on a fourth."""
    inspector = {"role": "inspector", "at": datetime(2024, 1, 5, tzinfo=UTC)}
    if task == "ner":
        one, two = _spans((0, 2, "PS"), (4, 6, "LC")), _spans((0, 2, "PS"), (4, 7, "LC"))
        main, review = {"round": "tag"}, {**inspector, "round": "inspect"}
    elif task == "dp":
        one = {"heads": [2, 3, 0], "deprels": ["NP_SBJ", "NP_OBJ", "VP"]}
        two = {"heads": [3, 3, 0], "deprels": ["NP_SBJ", "NP_OBJ", "VP"]}
        main, review = {"round": "arcs"}, {**inspector, "round": "arcs_review"}
    else:
        state = "숙소-지역-서울 중앙"
        text = {"role": "user", "text": "방 있나요"}
        one, two = ({"turns": [{**text, "state": s}]} for s in ([state], []))
        main = {"round": "dialogue", "role": "author"}
        review = {**inspector, "round": "inspect"}
    return [
        *(
            (f"i{n}", who, answer, main)
            for n in (1, 2, 3)
            for who, answer in (("a", one), ("b", two))
        ),
        ("i4", "a", one, main),
        ("i4", "k", {"verdict": "accept"}, review),
        ("i5", "b", one, main),
        ("i5", "k", {"verdict": "reject", "feedback": "다시"}, review),
    ]


@pytest.mark.parametrize(
    ("task", "lead", "part", "value"),
    [
        ("ner", "entity_f1", "spans", (3 * 2 + 4) / (3 * 4 + 4)),
        ("dp", "las", "trees", (3 * 2 + 3) / (3 * 3 + 3)),
        ("dst", "joint_goal", "states", 1 / 4),
    ],
)
def test_whole_answers(task: str, lead: str, part: str, value: float) -> None:
    record = audit(table(_structures(task), task=task), task=TASKS[task], bootstrap=50)
    check(record)
    assert record["lead"] == lead
    assert record["coefficients"][lead]["value"] == pytest.approx(value)
    assert record[part]["pairs"] == 4
    assert record["verdicts"] == {"accept": 1, "reject": 1}
    assert record["pairs"]["annotators"] == ["a", "b", "k"]
    assert record["pairs"]["values"][0][2] == 1
    assert record["per_annotator"]["k"]["agreement_vs_rest"] == 1
    first = record["per_item"][0]
    assert first["disagreement"] > 0 and first["item"] == "i1"
    assert all(isinstance(value, str) for value in first["values"])
    assert set(record["per_source"]) == {"unknown"}
    assert record["facts"]["unanimous"] == 0.25


@pytest.mark.parametrize("task", ["ner", "dp", "mrc", "dst"])
def test_whole_answers_of_nobody(task: str) -> None:
    record = audit(table([], task=task), task=TASKS[task], bootstrap=5)
    check(record)
    assert record["coefficients"][record["lead"]]["reason"]


def test_texts_of_items_never_reach_the_record() -> None:
    """Answers are shown by their offsets: a name or number in the text stays out."""
    fields = canonical({"text": "홍가람 010-0000-1234 부산"})
    items = schemas.build("items", [{"item": "i1", "task": "ner", "fields": fields}])
    rows = [row for row in _structures("ner") if row[0] == "i1"]
    record = audit(table(rows, task="ner"), task=TASKS["ner"], items=items, bootstrap=0)
    assert "1234" not in json.dumps(record, default=list)


def test_neither_task_nor_level() -> None:
    with pytest.raises(InputError, match="--task or --level"):
        audit(table([]))


def test_a_crowd_of_annotators_keeps_its_matrix_and_says_so() -> None:
    columns = {f"p{n:02d}": ["a", "b", "a"] for n in range(61)}
    record = audit(grid(columns), level="nominal", bootstrap=0)
    assert len(record["pairs"]["values"]) == 61
    assert "more than 60" in record["pairs"]["note"]


def test_sts_dev_flags_a_lenient_annotator_and_lists_a_narrow_scale(data_dir: Path) -> None:
    """Annotator 12 scores two thirds of a point above the others on the same pairs.

    Annotator 03 has the smallest spread of all, 1.23 against 1.35 to 2.00.
    """
    rows: list[Row] = [
        (one["guid"], who, score, {"source": one["source"]})
        for one in json.loads((data_dir / "klue" / "klue-sts-v1.1_dev.json").read_text("utf-8"))
        for who, score in zip(
            one["annotations"]["annotators"], one["annotations"]["annotations"], strict=True
        )
    ]
    record = audit(table(rows, task="sts"), task=TASKS["sts"], bootstrap=50)
    check(record)
    flagged = {name: p["flags"] for name, p in record["per_annotator"].items() if p["flags"]}
    assert {name: [f["code"] for f in own] for name, own in flagged.items()} == {"12": ["habit"]}
    listed = {(row["annotator"], row["code"]): row for row in record["review"]}
    assert ("03", "compressed") in listed
    assert listed["12", "biased"]["effect"] == pytest.approx(0.66, abs=0.05)
    assert set(record["exclusion"]["below"]) == {"04", "05", "08", "12"}
    assert len(record["distributions"]["mean_scores"]) == 51
    assert sum(one["items"] for one in record["distributions"]["mean_scores"]) == 519


def test_a_label_that_is_no_json_is_told() -> None:
    index = table([]).column_names.index("label")
    broken = table([("a", "p", "x")]).set_column(index, "label", pa.array(["{"]))
    with pytest.raises(InputError, match="not JSON"):
        audit(broken, level="nominal")


@pytest.mark.parametrize(
    ("task", "label", "name", "value"),
    [
        ("tc", ["정치"], "krippendorff_alpha_nominal", 0.713),  # Section 3.1.2
        ("sts", 3, "krippendorff_alpha_interval", 0.85),  # Section 3.2.2
    ],
)
def test_what_the_paper_published_stands_beside_one_s_own(
    task: str, label: Any, name: str, value: float
) -> None:
    rows: list[Row] = [("i1", who, label) for who in "abc"]
    record = audit(table(rows, task=task), task=TASKS[task], bootstrap=0)
    assert record["published"] == {"coefficient": name, "value": value, "of": "the paper"}
    assert name == record["lead"]


def test_where_the_paper_published_nothing_nothing_is_said() -> None:
    rows: list[Row] = [("i1", who, "neutral", {"round": "validate"}) for who in "abc"]
    made = table(rows, task="nli", role="validator")
    assert "published" not in audit(made, task=TASKS["nli"], bootstrap=0)


def test_audit_and_aggregation_leave_out_the_same_double_answers() -> None:
    twice: list[Row] = [(f"i{n}", "a", label) for n in range(5) for label in ("경제", "정치")]
    rows: list[Row] = [*twice, *((f"i{n}", who, "경제") for n in range(5) for who in "bc")]
    made = table([(item, who, [label]) for item, who, label in rows])  # type: ignore[misc]
    record = audit(made, task=TASKS["tc"], bootstrap=0)
    check(record)
    assert record["left_out"] == {"two different answers of one person in one attempt": 10}
    assert record["votes"] == 10
    aggregated = aggregate(made, task=TASKS["tc"], spec=load_spec("tc"))
    assert aggregated.summary["left_out"] == {"vote.double@1": 10}
