"""What people score: the paper's Table 7 made again, Table 21's columns, and refusals."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from gold_cases import CLASSES, gold, pairs

from pipeline.contracts.example import Example
from pipeline.core import schemas
from pipeline.core.errors import InputError
from pipeline.core.jsontext import canonical
from pipeline.scoring.human_baseline import agreement, human_baseline
from pipeline.scoring.scorer import Gold

FOUR = ("한별", "다솜", "가람", "누리")
PLAIN = {"role": "annotator", "round": "main", "attempt": 1, "simulated": False}


def votes(task: str, rows: list[dict[str, Any]]) -> pa.Table:
    """Return votes of `item`, `annotator` and `label`."""
    given = [{**row, "label": canonical(row["label"])} for row in rows]
    return schemas.build("votes", [{"task": task, **PLAIN, **row} for row in given])


def answered(counts: dict[int, int]) -> list[tuple[str, list[str]]]:
    """Return gold and four labels of items, so many of which have k labels equal to gold.

    The labels that differ from gold are one label where a single one agrees with gold, so that it
    has three of five; two agree against two others of different kinds.
    """
    found = []
    for agree, many in counts.items():
        for _ in range(many):
            right, other, third = (CLASSES[(len(found) + turn) % 3] for turn in range(3))
            rest = [other] * (4 - agree) if agree != 2 else [other, third]
            found.append((right, [right] * agree + rest))
    return found


def table_7(counts: dict[int, int], variant: Any = "klue") -> dict[str, Any]:
    """Return Table 7 for items of which so many have k labels equal to gold."""
    made = answered(counts)
    labels = {f"i{n}": right for n, (right, _) in enumerate(made)}
    said = [(f"i{n}", label) for n, (_, given) in enumerate(made) for label in given]
    return agreement(labels, said, variant)


def test_table_7_of_the_paper_for_klue_nli() -> None:
    """71, 24, 3, 2 and 0 %: 364 of 400 labels (the text's 360 is a slip) and 98 % for people."""
    found = table_7({4: 71, 3: 24, 2: 3, 1: 2, 0: 0})
    assert found["agree"] == {"4": 71.0, "3": 24.0, "2": 3.0, "1": 2.0, "0": 0.0}
    assert found["unanimous"] == 71.0
    assert found["individual"] == 91.0
    assert found["no_gold"] == 0.0
    assert found["majority_accuracy"] == 98.0
    assert found["majority_differs"] == 2.0  # the table has 0.00, which its rows above rule out


def test_table_7_of_the_paper_for_kornli() -> None:
    found = table_7({4: 38, 3: 18, 2: 18, 1: 16, 0: 10})
    assert list(found["agree"].values()) == [38.0, 18.0, 18.0, 16.0, 10.0]
    assert found["individual"] == 64.5
    assert found["majority_differs"] == 26.0


def test_strict_asks_the_people_alone() -> None:
    found = table_7({4: 71, 3: 24, 2: 3, 1: 2}, "strict")
    assert found["majority_accuracy"] == 95.0
    assert found["no_gold"] == 3.0
    assert found["majority_differs"] == 2.0


def test_no_label_may_have_a_majority() -> None:
    """One with gold, two of another label, one of the third: gold and one are two of five."""
    said = [("i", label) for label in ("neutral", "entailment", "entailment", "contradiction")]
    found = agreement({"i": "neutral"}, said, "klue")
    assert (found["no_gold"], found["majority_differs"]) == (100.0, 100.0)
    strict = agreement({"i": "neutral"}, said, "strict")
    assert (strict["no_gold"], strict["majority_differs"]) == (100.0, 0.0)


def _nli() -> tuple[Gold, pa.Table]:
    given = gold(pairs(8))
    rows = [
        {
            "item": one.id,
            "annotator": who,
            "label": one.label if place >= number else CLASSES[(place + 1) % 3],
        }
        for number, who in enumerate(FOUR)
        for place, one in enumerate(given.examples)
    ]
    return given, votes("nli", rows)


def test_everybody_is_scored_like_a_system() -> None:
    """The first errs never, the fourth in three of eight."""
    given, table = _nli()
    found = human_baseline(table, given, "klue")
    scored = {who: (one["n"], one["accuracy"]) for who, one in found["annotators"].items()}
    assert scored == {"한별": (8, 100.0), "다솜": (8, 87.5), "가람": (8, 75.0), "누리": (8, 62.5)}
    assert found["best"] == "한별"
    assert found["mean"] == {"accuracy": 81.25}
    assert (found["items"], found["votes"], found["reports"]) == (8, 32, 0)
    assert found["agreement"]["individual"] == 81.25
    assert found["agreement"]["unanimous"] == 62.5
    assert found["simulated"] is False


def test_the_order_of_votes_changes_nothing_and_the_last_attempt_counts() -> None:
    given, table = _nli()
    backwards = table.take(list(range(table.num_rows))[::-1])
    assert human_baseline(backwards, given, "klue") == human_baseline(table, given, "klue")
    again = {
        "item": "pair-000",
        "annotator": "누리",
        "label": given.examples[0].label,
        "attempt": 2,
    }
    more = pa.concat_tables([votes("nli", [again]), table])
    assert human_baseline(more, given, "klue")["annotators"]["누리"]["accuracy"] == 75.0


def test_people_are_scored_on_what_they_answered() -> None:
    given, table = _nli()
    few = table.filter([place < 8 or place % 2 == 1 for place in range(table.num_rows)])
    found = human_baseline(few, given, "klue")
    assert [one["n"] for one in found["annotators"].values()] == [4, 4, 4, 8]
    # of odd places the third person errs at 1 alone, the fourth too
    assert found["annotators"]["누리"]["accuracy"] == 75.0


def _question(name: str, kind: int, answer: str) -> Example:
    answers = [{"start": 0, "text": answer}] if answer else []
    label = {"question": "얼마인가?", "type": kind, "answers": answers, "plausible_answers": []}
    fields = {"title": "도서관", "context": f"{answer or '3천 권'}이 도서관에 있다."}
    return Example(name, "acrofan", fields, label)


def test_table_21_has_the_types_of_questions_and_the_top_scoring_worker() -> None:
    asked = [_question("q1", 1, "9천 권"), _question("q2", 2, "4천 권"), _question("q3", 3, "")]
    said = {"가람": ("9천 권", "4천 권", ""), "한별": ("9천 권", "4천", "3천 권")}
    rows = [
        {"item": one.id, "annotator": who, "label": _question(one.id, 1, answer).label}
        for who, answers in said.items()
        for one, answer in zip(asked, answers, strict=True)
    ]
    found = human_baseline(votes("mrc", rows), gold(asked, "mrc"), "klue")
    assert found["best"] == "가람"
    assert found["annotators"]["가람"]["em"] == 100.0
    other = found["annotators"]["한별"]
    assert other["em"] == pytest.approx(100 / 3)
    types = {name: (one["n"], one["em"], one["rouge_w"]) for name, one in other["types"].items()}
    assert types == {
        "paraphrase": (1, 100.0, 100.0),
        # 2 common characters: precision 1, recall 2 of 4
        "multi-sentence": (1, 0.0, pytest.approx(200 / 3)),
        "unanswerable": (1, 0.0, 0.0),
    }
    assert "agreement" not in found
    assert found["mean"]["em"] == pytest.approx(200 / 3)


def test_a_ranked_answer_counts_by_its_first_topic() -> None:
    headlines = [Example(f"h{n}", "yna", {"title": "제목"}, ["정치", "경제"]) for n in range(2)]
    rows = [
        {"item": "h0", "annotator": "a", "label": ["정치", "사회"]},
        {"item": "h1", "annotator": "a", "label": ["경제", "정치"]},
    ]
    found = human_baseline(votes("tc", rows), gold(headlines, "tc"), "klue")
    assert found["agreement"]["individual"] == 50.0


def test_people_give_whole_scores_dialogues_spans_and_trees() -> None:
    label = {"label": 2.6, "real-label": 2.6, "binary-label": 0}
    texts = {"sentence1": "비가 온다.", "sentence2": "눈이 온다."}
    spans = [{"start": 0, "end": 2, "label": "PS"}]
    tree = {"heads": [2, 0], "deprels": ["NP_SBJ", "VP"]}
    turns = [{"role": "user", "text": "식당요.", "state": ["식당-종류-한식당"]}]
    cases = {
        "sts": (texts, label, 3, None),
        "ner": ({"text": "한별 씨"}, spans, spans, ("entity_f1", 100.0)),
        "dp": ({"text": "비가 온다.", "words": ["비가", "온다."]}, tree, tree, ("las", 100.0)),
        "dst": ({"goal": "가라"}, {"turns": turns}, {"turns": turns}, ("jga", 100.0)),
    }
    for task, (fields, answer, said, wanted) in cases.items():
        one = gold([Example("x1", "airbnb", fields, answer)], task)
        found = human_baseline(
            votes(task, [{"item": "x1", "annotator": "a", "label": said}]), one, "klue"
        )
        assert found["annotators"]["a"]["n"] == 1
        if wanted is not None:
            assert found["annotators"]["a"][wanted[0]] == wanted[1]


def test_votes_that_cannot_be_scored() -> None:
    given, table = _nli()
    fewer = gold([one for one in given.examples if one.id != "pair-003"])
    with pytest.raises(InputError, match=r"not in the gold: 1 of 8 items voted on.*pair-003"):
        human_baseline(table, fewer, "klue")
    verdict = {"item": "pair-000", "annotator": "a", "label": {"verdict": "accept"}}
    with pytest.raises(InputError, match="no answers of the form of gold: 1 of 1 vote"):
        human_baseline(votes("nli", [verdict]), given, "klue")
    report = {"item": "pair-000", "annotator": "a", "report": "hate", "task": "nli", **PLAIN}
    reports = schemas.build("votes", [report])
    with pytest.raises(InputError, match="no vote holds an answer"):
        human_baseline(reports, given, "klue")
    with_report = human_baseline(pa.concat_tables([table, reports]), given, "klue")
    assert (with_report["votes"], with_report["reports"]) == (32, 1)


def test_simulated_votes_are_told() -> None:
    given, table = _nli()
    place = table.schema.get_field_index("simulated")
    marked = table.set_column(place, table.schema.field(place), pa.array([True] * table.num_rows))
    assert human_baseline(marked, given, "klue")["simulated"] is True
