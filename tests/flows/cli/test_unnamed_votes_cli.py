"""`klue aggregate` for votes of no task: the level says what decides, and nothing is silent."""

from __future__ import annotations

import json
import random
import statistics
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from annotation_stories import bad, good, klue, write_lines


def _file(folder: Path, answers: dict[str, list[Any]]) -> Path:
    rows = [
        {"item": item, "annotator": f"w{n}", "label": label}
        for item, labels in answers.items()
        for n, label in enumerate(labels)
    ]
    return write_lines(folder / "votes.jsonl", rows)


def _gold(votes: Path, *arguments: str) -> dict[str, dict[str, Any]]:
    out = votes.parent / "gold"
    good("aggregate", votes, *arguments, "--out", out, "--force")
    lines = (out / "gold.jsonl").read_text("utf-8").splitlines()
    return {row["item"]: row for row in map(json.loads, lines)}


def test_a_majority_is_more_than_half_and_ties_wait(tmp_path: Path) -> None:
    chance = random.Random(911)
    answers = {
        f"i{n:03}": [chance.choice("abc") for _ in range(chance.randint(2, 6))] for n in range(80)
    }
    gold = _gold(_file(tmp_path, answers), "--level", "nominal")
    for item, labels in answers.items():
        ((leading, most),) = Counter(labels).most_common(1)
        row, wins = gold[item], 2 * most > len(labels)
        assert (row["status"], row.get("label")) == (
            ("gold", leading) if wins else ("unresolved", None)
        )
        assert row["soft_label"] == pytest.approx({x: labels.count(x) / len(labels) for x in "abc"})
        assert ("confidence" in row) == wins
    waiting = (tmp_path / "gold" / "queue.jsonl").read_text("utf-8").splitlines()
    assert len(waiting) == sum(row["status"] == "unresolved" for row in gold.values()) > 0


def test_a_plurality_has_its_margin(tmp_path: Path) -> None:
    votes = _file(tmp_path, {"1": list("aabc"), "2": list("aaab"), "3": list("aabb")})
    gold = _gold(votes, "--level", "nominal", "--rule", "plurality")
    assert [gold[item].get("label") for item in "123"] == ["a", "a", None]
    gold = _gold(votes, "--labels", "a,b,c", "--rule", "plurality", "--margin", "2")
    reasons = [gold[item].get("label", gold[item].get("reason")) for item in "123"]
    assert reasons == ["small_margin", "a", "tie"]


def test_scores_have_means_or_medians(tmp_path: Path) -> None:
    answers: dict[str, list[Any]] = {"1": [1, 2, 2], "2": [0.5, 1], "3": [10, 30, 20, 20]}
    votes = _file(tmp_path, answers)
    for level, rule in (("interval", "mean"), ("ratio", "median")):
        gold = _gold(votes, "--level", level, "--rule", rule)
        for item, scores in answers.items():
            assert gold[item]["label"] == pytest.approx(getattr(statistics, rule)(scores))
            assert gold[item]["standard_error"] > 0
    assert _gold(votes, "--level", "interval")["1"]["rule"] == "gold.mean@1"


def test_words_on_a_scale_have_a_median_and_two_middle_ones_wait(tmp_path: Path) -> None:
    answers = {"1": ["poor", "good", "good"], "2": ["poor", "fair"], "3": ["fair", "fair"]}
    gold = _gold(_file(tmp_path, answers), "--labels", "poor=1,fair=2,good=3")
    assert (gold["1"]["label"], gold["3"]["label"]) == (3, 2)
    assert (gold["2"]["reason"], gold["2"]["queue"]) == ("two_medians", "expert")


def test_several_labels_are_decided_each(tmp_path: Path) -> None:
    answers = {
        "1": [["joy"], ["joy", "fear"], ["joy"]],
        "2": [[], [], ["fear"]],
        "3": [["joy"], ["fear"], ["joy", "fear"], ["joy", "fear"]],
        "4": [["joy"], ["joy"], ["fear"], ["fear"]],
    }
    gold = _gold(_file(tmp_path, answers), "--level", "multilabel")
    assert [gold[item].get("label") for item in "1234"] == [["joy"], [], ["fear", "joy"], None]
    assert (gold["4"]["reason"], gold["4"]["queue"]) == ("tie", "expert")
    assert gold["1"]["soft_label"] == pytest.approx({"fear": 1 / 3, "joy": 1})
    assert 0 < gold["2"]["confidence"] < 1


def test_models_decide_names_and_several_labels(tmp_path: Path) -> None:
    pytest.importorskip("crowdkit")
    sets = {f"{n}": [["joy"], ["joy"], ["joy", "fear"]] for n in range(6)}
    gold = _gold(_file(tmp_path, sets), "--level", "multilabel", "--rule", "dawid-skene")
    assert {tuple(row["label"]) for row in gold.values()} == {("joy",)}
    names = {f"{n}": ["a", "a", "b"] if n % 2 else ["b", "b", "a"] for n in range(6)}
    gold = _gold(_file(tmp_path, names), "--level", "nominal", "--rule", "mace")
    assert all(sum(row["soft_label"].values()) == pytest.approx(1) for row in gold.values())


def test_bad_records_are_quarantined_with_their_line_and_the_others_count(tmp_path: Path) -> None:
    rows = [
        {"item": "1", "annotator": "a", "label": ["joy"]},
        {"item": "1", "annotator": "b", "label": ["joy", "envy"]},
        {"item": "1", "annotator": "a", "label": ["fear"]},
        {"item": "1", "annotator": "c", "label": ["joy"]},
    ]
    votes = write_lines(tmp_path / "votes.jsonl", rows)
    record = good("aggregate", votes, "--level", "multilabel", "--labels", "joy,fear")
    assert record["refused"] == {"vote.double@1": 1, "vote.label@1": 1}
    assert record["resolved"] == 1
    shown = klue("aggregate", votes, "--level", "multilabel", "--labels", "joy,fear").output
    assert "line 2" in shown and "line 3" in shown and "envy" not in shown.split("allowed")[1]


def test_items_whose_votes_were_refused_are_counted_and_named(tmp_path: Path) -> None:
    votes = _file(
        tmp_path, {"a": ["yes", "yes", "no"], "b": ["maybe", "perhaps"], "c": ["yes", ""]}
    )
    out = tmp_path / "gold"
    record = good("aggregate", votes, "--labels", "yes,no", "--minimum", "2", "--out", out)
    assert (record["items"], record["resolved"], record["unresolved"]) == (3, 1, 2)
    waiting = (out / "queue.jsonl").read_text("utf-8").splitlines()
    assert [(row["item"], row["votes"]) for row in map(json.loads, waiting)] == [("b", 0), ("c", 1)]
    ledger = pq.read_table(out / "ledger.parquet").to_pylist()
    assert Counter(row["unit"] for row in ledger if row["action"] == "quarantine") == {
        "b": 2,
        "c": 1,
    }
    named = {row["unit"]: row["reason"] for row in ledger if row["rule"] == "gold.votes_refused@1"}
    assert named == {
        "b": "too_few_votes; 2 votes about it refused",
        "c": "too_few_votes; 1 vote about it refused",
    }


def test_experts_settle_what_waits(tmp_path: Path) -> None:
    votes = _file(tmp_path, {"1": ["a", "b"]})
    decision = {"item": "1", "annotator": "chief", "role": "expert", "round": "adjudicate"}
    with votes.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**decision, "label": "b"}) + "\n")
    row = _gold(votes, "--level", "nominal")["1"]
    assert (row["label"], row["rule"]) == ("b", "gold.adjudicate@1")


def test_a_person_counts_once_whatever_the_rounds(tmp_path: Path) -> None:
    rows = [
        {"item": "1", "annotator": who, "label": label, "round": name}
        for who, label, name in (("a", "x", "one"), ("a", "x", "two"), ("b", "y", "one"))
    ]
    votes = write_lines(tmp_path / "votes.jsonl", rows)
    record = good("aggregate", votes, "--level", "nominal")
    assert record["unresolved"] == 1 and record["left_out"] == {"vote.double@1": 1}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "--task T, or --level L"),
        (("--level", "nominal", "--task", "tc"), "--task T, or --level L"),
        (("--level", "nominal", "--rule", "kos"), "dawid-skene, mace, glad"),
        (("--level", "nominal", "--rule", "mean"), "allowed: majority, plurality"),
        (("--level", "ordinal", "--rule", "mean"), "allowed: median"),
        (("--level", "interval", "--rule", "plurality"), "allowed: mean, median"),
        (("--level", "nominal", "--margin", "2"), "is for --rule plurality"),
        (("--level", "nominal", "--rule", "plurality", "--margin", "0"), "must be at least 1"),
        (("--level", "nominal", "--minimum", "0"), "must be at least 1"),
        (("--task", "tc", "--rule", "plurality"), "the spec of tc has the rule"),
        (("--level", "interval"), "gives no vote; refused: vote.label@1 (4)"),
        (("--labels", "yes,no"), "gives no vote; refused: vote.label@1 (4)"),
    ],
)
def test_refusals(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    votes = _file(tmp_path, {"1": ["a", "b"], "2": ["a", "a"]})
    out = tmp_path / "gold"
    assert message in bad("aggregate", votes, *arguments, "--out", out)
    assert not out.exists()


def test_votes_of_one_annotator_are_an_error_unless_asked_for(tmp_path: Path) -> None:
    votes = _file(tmp_path, {"1": ["a"], "2": ["b"]})
    assert "--minimum 1" in bad("aggregate", votes, "--level", "nominal")
    assert good("aggregate", votes, "--level", "nominal", "--minimum", "1")["resolved"] == 2
    message = bad("aggregate", votes, "--level", "nominal", "--rule", "glad", "--minimum", "1")
    assert "compares annotators" in message or "[crowd]" in message


def test_the_next_votes_are_written_and_counted(tmp_path: Path) -> None:
    answers = {"1": list("aaa"), "2": list("bbb"), "3": list("ab"), "4": list("aab"), "5": ["b"]}
    votes, out = _file(tmp_path, answers), tmp_path / "next.jsonl"
    record = good("next", votes, "--level", "nominal", "--budget", "3", "--out", out)
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert record["next"] == rows and rows[0]["item"] == "3" and len(rows) == 3
    assert (record["unit"], record["items"], record["resolved"]) == ("bits", 5, 3)
    assert 3 < record["expected"] <= 5
    assert "--force" in bad("next", votes, "--level", "nominal", "--out", out)
    assert "must be at least 1" in bad("next", votes, "--level", "nominal", "--budget", "0")
    shown = klue("next", votes, "--level", "nominal").stdout
    assert "no_majority" in shown and "gold now: 3 of 5 items" in shown
    several = {"1": [["x"], ["x", "y"]], "2": [["x"], ["x"]], "3": [["y"], ["y"]]}
    ranked = good("next", _file(tmp_path, several), "--level", "multilabel")["next"]
    assert ranked[0]["item"] == "1"


def test_an_export_without_names_is_not_sent_to_its_columns(tmp_path: Path) -> None:
    result = {"from_name": "q", "type": "rating", "value": {"rating": 3}}
    tasks = [{"id": 1, "data": {}, "annotations": [{"id": 1, "result": [result]}]}]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks), "utf-8")
    message = bad("audit", path, "--from", "label-studio")
    assert "vote.annotator@1" in message and "--columns" not in message
