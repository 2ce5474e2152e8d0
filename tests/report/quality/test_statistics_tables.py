"""The tables of statistics, on a few invented examples counted by hand."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from made_examples import cells, examples, votes

from pipeline.contracts.spec import load_spec
from pipeline.report.quality.distributions import STATISTICS, sections, tables_of_votes
from pipeline.report.record import Table
from pipeline.tasks.dp.statistics import tail

NLI = {"premise": "밤새 눈이 내렸다.", "hypothesis": "눈이 왔다."}


def made(task: str, rows: list[dict[str, Any]]) -> dict[str, Table]:
    tables = STATISTICS[task](examples(task, rows), spec=load_spec(task))
    return {table.id: table for table in tables}


def validated(given: list[dict[str, Any]]) -> list[Table]:
    return tables_of_votes("nli", lambda: votes(given), load_spec("nli"))


def test_headlines_count_by_their_first_topic() -> None:
    title = {"title": "새 다리 놓인다"}
    rows = [
        {"split": "train", "fields": title, "label": ["경제", "사회"]},
        {"split": "train", "fields": title, "label": ["경제"]},
        {"split": "dev", "fields": title, "label": ["사회"]},
    ]
    table = made("tc", rows)["tc-topics"]
    found = cells(table)
    assert found["경제 (Economy)"]["Train"] == 2
    assert found["경제 (Economy)"]["Key terms"] == "증권, 금융, 산업, 기업, 부동산"
    assert (found["사회 (Society)"]["Train"], found["사회 (Society)"]["Dev"]) == (0, 1)
    assert found["Total"] == {
        "Topic": "Total",
        "Key terms": "",
        "Train": 2,
        "Dev": 1,
        "Test": None,
        "Total": 3,
    }
    assert "No examples of test" in table.note
    assert cells(table, printed=True)["사회 (Society)"]["Dev"] == 3701


def test_sources_that_the_paper_lacks_follow_its_own() -> None:
    pair = {"sentence1": "문이 크다.", "sentence2": "문이 넓다."}
    label = {"binary-label": 1, "label": 4, "real-label": 4}
    rows = [
        {"split": split, "source": source, "fields": pair, "label": label}
        for split, source in [("dev", "blog"), ("train", "blog"), ("test", "policy")]
    ]
    table = made("sts", rows)["sts-sources"]
    assert [row[0] for row in table.rows] == ["policy", "blog", "Total"]
    assert table.rows[1] == ["blog", 1, 1, 0, 2]
    assert table.published is not None
    assert table.published[0] == ["policy", 2344, 132, 264, 2740]
    assert table.published[1] is None


def test_lengths_of_pairs_are_means_over_pairs_and_over_sources() -> None:
    rows = [
        {"split": "train", "source": "nsmc", "fields": {"premise": "가" * n, "hypothesis": "나"}}
        for n in (2, 4)
    ] + [
        {"split": "dev", "source": "airbnb", "fields": {"premise": "가" * 9, "hypothesis": "나다"}}
    ]
    table = made("nli", [{**row, "label": "neutral"} for row in rows])["nli-sources"]
    found = cells(table)
    assert found["nsmc"]["Premise, mean length"] == 3
    assert found["Total"]["Premise, mean length"] == 5
    assert found["Mean of sources"]["Premise, mean length"] == 6
    assert found["Mean of sources"]["Train"] is None


def pair(item: str, author: str, *others: str) -> list[dict[str, Any]]:
    names = {"e": "entailment", "c": "contradiction", "n": "neutral"}
    given = [{"item": item, "role": "author", "label": names[author], "seat": "author"}]
    return given + [
        {"item": item, "role": "validator", "label": names[one], "annotator": f"v{at}"}
        for at, one in enumerate(others)
    ]


def test_validation_counts_pairs_and_labels() -> None:
    given = [
        *pair("a", "e", "e", "e", "e", "e"),  # unanimous
        *pair("b", "e", "n", "n", "n", "e"),  # gold is not the author's
        *pair("c", "e", "e", "n", "n", "c"),  # no gold
        *pair("d", "c", "c", "c", "e", "n"),  # gold is the author's
        {"item": "a", "role": "author", "round": "write", "label": {"entailment": "눈이 왔다."}},
    ]
    (table,) = validated(given)
    assert table.id == "nli-validation"
    found = {row: (one["Share"], one["Out of"]) for row, one in cells(table).items()}
    assert found["Pairs whose labels are all equal"] == (0.25, 4)
    assert found["Validators' labels = gold label"] == (round(9 / 12, 6), 12)
    assert found["Labels = gold label, the author's counted"] == (round(11 / 15, 6), 15)
    assert found["Validators' labels = author's label"] == (0.5, 16)
    assert found["Labels = author's label, the author's counted"] == (0.6, 20)
    assert found["Gold label = author's label"] == (0.5, 4)
    assert found["Gold label ≠ author's label"] == (0.25, 4)
    assert found["No gold label"] == (0.25, 4)


def test_the_last_attempt_of_a_validator_counts() -> None:
    given = pair("a", "e", "e", "e", "e", "n")
    again = {**given[-1], "attempt": 2, "label": "entailment"}
    for order in ([*given, again], [again, *given]):
        (table,) = validated(order)
        assert cells(table)["Pairs whose labels are all equal"]["Share"] == 1


def test_without_votes_there_is_no_table_of_validation() -> None:
    assert validated([]) == []


def test_tables_of_votes_come_first_where_there_are_examples() -> None:
    of_votes = validated(pair("a", "e", "e", "e", "e", "e"))
    rows = [{"split": "train", "fields": NLI, "label": "neutral"}]
    statistics, _ = sections("nli", examples("nli", rows), load_spec("nli"), of_votes)
    assert [table.id for table in statistics.tables] == ["nli-validation", "nli-sources"]
    nothing, _ = sections("nli", examples("nli", []), load_spec("nli"), of_votes)
    assert not nothing.tables


def test_votes_are_read_for_a_task_alone_that_counts_them() -> None:
    def unread() -> pa.Table:
        raise AssertionError

    assert tables_of_votes("tc", unread, load_spec("tc")) == []


def test_entities_count_by_occurrence_and_by_form() -> None:
    def row(split: str, *ends: int) -> dict[str, Any]:
        spans = [{"start": end - 2, "end": end, "label": "LC"} for end in ends]
        return {"split": split, "fields": {"text": "솔마 솔마 달빛"}, "label": spans}

    found = cells(made("ner", [row("train", 2, 5), row("dev", 2, 8)])["ner-types"])["LC (Location)"]
    assert [found[name] for name in ("Train", "Train, distinct")] == [2, 1]
    assert [found[name] for name in ("Dev", "Dev, distinct")] == [2, 2]
    assert [found[name] for name in ("Total", "Total, distinct")] == [4, 2]
    assert (found["Test"], found["Test, distinct"]) == (None, None)


def test_relations_have_shares_and_entities_are_told_apart() -> None:
    def row(label: str, kind: str, sentence: str) -> dict[str, Any]:
        fields = {"sentence": sentence, "subject": {"type": "PER"}, "object": {"type": kind}}
        return {"split": "dev", "fields": fields, "label": label}

    tables = made(
        "re", [row("per:title", "POH", "가나다"), row("no_relation", "PER", "가나다라마")]
    )
    assert cells(tables["re-relations"])["per:title"]["Dev, share"] == 0.5
    assert cells(tables["re-relations"])["per:title"]["Train"] is None
    assert cells(tables["re-entities"])["PER"] == {
        "Type": "PER",
        "Subjects": 1,
        "Objects": 0.5,
        "Train": None,
        "Dev": 0.75,
        "Test": None,
        "All": 0.75,
    }
    assert cells(tables["re-lengths"])["Sentence"]["All"] == 4
    assert cells(tables["re-lengths"], printed=True)["Sentence"]["All"] == 95.9


def test_the_tail_is_the_largest_with_one_per_cent_at_most() -> None:
    assert tail({"NP": 990, "VP": 6, "AP": 4}) == {"VP", "AP"}
    assert tail({"NP": 989, "VP": 7, "AP": 4}) == {"AP"}
    assert tail({"NP": 198, "VP": 1, "AP": 1, "DP": 1}) == {"VP", "DP"}
    assert tail({}) == set()


def test_relations_of_words_are_merged_by_our_own_train_split() -> None:
    def row(split: str, deprels: list[str]) -> dict[str, Any]:
        return {"split": split, "fields": {}, "label": {"deprels": deprels}}

    many = row("train", ["NP"] * 150 + ["VP_CMP"] * 50 + ["NP_SBJ"])
    table = made("dp", [many, row("dev", ["XYZ"])])["dp-labels"]
    found = cells(table)
    assert (found["VP_CMP"]["In LAS"], found["NP_SBJ"]["In LAS"]) == ("", "OTHERS")
    assert (found["XYZ"]["Dev"], found["XYZ"]["Train"]) == (1, 0)
    only = made("dp", [row("dev", ["NP", "VP_CMP"])])["dp-labels"]
    assert cells(only)["VP_CMP"]["In LAS"] == "OTHERS"
    assert "KLUE's train split" in only.note


def reading(kind: int | None, context: str, document: str, *answers: str) -> dict[str, Any]:
    return {
        "split": "test",
        "fields": {"title": "등대", "context": context},
        "documents": [document] if document else [],
        "label": {
            "question": "언제인가?",
            "type": kind,
            "answers": [{"start": 0, "text": text} for text in answers],
            "plausible_answers": [{"start": 0, "text": "모두가 아는 옛날"}] if kind == 3 else [],
        },
    }


def test_passages_and_documents_count_once() -> None:
    rows = [
        reading(1, "가나다라", "d1", "가", "가나다"),
        reading(3, "가나다라", "d1"),
        reading(2, "가나", "d2", "나"),
    ]
    tables = made("mrc", rows)
    sizes, lengths = cells(tables["mrc-sizes"]), cells(tables["mrc-lengths"])
    assert [sizes[row]["Test"] for row in ("Documents", "Passages", "Questions")] == [2, 2, 3]
    assert lengths["Passage"]["Test"] == 3
    assert lengths["Question"]["Test"] == 5
    assert lengths["Answer"]["Test"] == pytest.approx(5 / 3, abs=1e-6)
    assert [row[0] for row in tables["mrc-types"].rows] == ["1", "2", "3", "Total"]


def test_types_that_a_file_does_not_tell_are_empty() -> None:
    table = made("mrc", [reading(None, "가나", "", "가"), reading(3, "다라", "")])["mrc-types"]
    found = cells(table)
    assert (found["1"]["Test"], found["3"]["Test"], found["1 or 2"]["Test"]) == (None, 1, 1)
    assert (
        cells(made("mrc", [reading(1, "가", "", "가")] * 2)["mrc-sizes"])["Documents"]["Test"] == 1
    )


def dialogue(domains: list[str], **meta: Any) -> dict[str, Any]:
    turns = [
        {"role": "user", "text": "방 하나 찾아요.", "state": []},
        {"role": "sys", "text": "네.", "state": []},
    ]
    fields = {"goal": None, "domains": domains}
    return {"split": "dev", "fields": fields, "label": {"turns": turns}, "meta": meta}


def test_dialogues_turns_and_tokens() -> None:
    rows = [dialogue(["숙소"], counterfactual=True), dialogue(["숙소", "식당"])]
    tables = made("dst", rows)
    assert [row[2] for row in tables["dst-sizes"].rows] == [2, 1, 1, 1, 4, 8]
    assert [row[2] for row in tables["dst-means"].rows] == [2, 2]
    untold = made("dst", [dialogue(["숙소"])])["dst-sizes"]
    assert cells(untold)["On counterfactual goals"]["Dev"] is None


@pytest.mark.parametrize("task", sorted(STATISTICS))
def test_no_example_at_all_is_told(task: str) -> None:
    found = sections(task, examples(task, []), load_spec(task))
    assert [one.id for one in found] == [f"{task}-statistics", f"{task}-distributions"]
    assert all(one.lead == "There are no examples." for one in found)
    assert not any([*one.tables, *one.charts] for one in found)
