"""TC: by date, and earlier headlines with unseen terms, counted again without the split's code."""

from __future__ import annotations

import csv
import random
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mecab import MeCab

from pipeline.contracts.spec import load_spec
from pipeline.contracts.splits import SPLITS
from pipeline.core.errors import InputError
from pipeline.release.splits.assignment import Assignment, Constraint
from pipeline.release.splits.member import Group, Member, group
from pipeline.release.splits.splitting import assign
from pipeline.tasks.tc.spec import DateNumbers
from pipeline.tasks.tc.split import title_terms

split = partial(assign, "tc")

PAPER = DateNumbers(
    train=45678,
    dev=9107,
    test=9107,
    evaluation_from="2020-01-01",
    unseen_terms_to_evaluation=True,
)
EARLY, LATE = "2017-05-01", "2020-01-01"
PLACES = ("부산", "대구", "광주", "울산", "서울", "인천")
THINGS = ("축제", "공연", "시장", "병원", "학교", "야구", "날씨", "은행", "도서관", "박물관")
TAGGER = MeCab()


def nouns(title: str) -> set[str]:
    """Return the nouns of a headline, as mecab gives them."""
    found = set()
    for one in TAGGER.parse(title):
        pieces = [(one.surface, one.feature.pos)]
        if "+" in one.feature.pos and one.feature.expression:
            pieces = [tuple(p.split("/")[:2]) for p in one.feature.expression.split("+")]
        found |= {form.lower() for form, tag in pieces if tag in {"NNG", "NNP", "SL", "SH"}}
    return {form for form in found if len(form) > 1}


def code(number: int) -> str:
    """Return a word that only one headline has."""
    return f"QX{chr(65 + number // 26)}{chr(65 + number % 26)}"


def headline(name: str, title: str, date: str | None = EARLY, kept: str | None = None) -> Member:
    topic = ["사회", "세계", "정치"][sum(map(ord, name)) % 3]
    return Member(name, "yna", {"title": title}, [topic], date=date, kept=kept)  # type: ignore[arg-type]


def common(count: int, date: str | None = EARLY, name: str = "c") -> list[Group]:
    """Return headlines of which no noun is rare."""
    titles = [f"{place} {thing} 소식" for place in PLACES for thing in THINGS]
    return [group([headline(f"tc-{name}{i:03}", titles[i % 60], date)]) for i in range(count)]


def told(assignment: Assignment, name: str) -> Constraint:
    return next(one for one in assignment.constraints if one.name == name)


def without_unseen(groups: Iterable[Group], assignment: Assignment) -> list[str]:
    """Return the groups in dev or test, early or undated, whose every noun train has as well."""
    by_split: dict[str, set[str]] = {"train": set()}
    early = []
    for one in groups:
        dates = [m.date for m in one.members if m.date]
        if one.id in assignment.splits and (not dates or max(dates) < PAPER.evaluation_from):
            held = set().union(*(nouns(m.fields["title"]) for m in one.members))
            if assignment.splits[one.id] == "train":
                by_split["train"] |= held
            else:
                early.append((one.id, held))
    return [name for name, held in early if not held - by_split["train"]]


@st.composite
def pools(draw: st.DrawFn) -> list[Group]:
    """Groups of one to three headlines, some late, undated or kept."""
    words = st.sampled_from([*PLACES, *THINGS, "화산", "잠수함", "우주선", "반도체", "고래"])
    title = st.lists(words, min_size=1, max_size=3).map(" ".join)
    dates = st.sampled_from([EARLY, EARLY, EARLY, "2019-12-31", LATE, "2020-06-01", None])
    kept = st.sampled_from([None, None, None, None, *SPLITS])
    one = st.tuples(st.lists(st.tuples(title, dates), min_size=1, max_size=3), kept)
    found = draw(st.lists(one, min_size=25, max_size=50))
    late = common(6, LATE, "l")
    return late + [
        group(
            [
                headline(f"tc-{i:02}{j}", t, day, None if j else where)
                for j, (t, day) in enumerate(members)
            ]
        )
        for i, (members, where) in enumerate(found)
    ]


def test_the_paper_scaled_down_by_a_hundred() -> None:
    early = common(400) + [
        group([headline(f"tc-r{i}", f"{THINGS[i % 10]} {PLACES[i % 6]}서 {code(i)} 개막")])
        for i in range(199)
    ]
    pool = early + common(40, "2020-02-03", "l")
    assert load_spec("tc").split.numbers == PAPER
    assignment = split(pool, PAPER, seed=5)
    # 639 headlines by 45,678 : 9,107 : 9,107
    assert [assignment.count(one) for one in SPLITS] == [457, 91, 91]
    assert all(assignment.splits[f"tc-l{i:03}"] != "train" for i in range(40))
    assert told(assignment, "unseen_terms").found == 182 - 40
    assert not without_unseen(pool, assignment)


def test_rarest_terms_first_and_a_term_moves_whole() -> None:
    rare = [group([headline(f"tc-a{i}", f"부산 축제 {word}")]) for i, word in enumerate(("화산",))]
    twice = [group([headline(f"tc-b{i}", "대구 시장 잠수함")]) for i in range(2)]
    pool = common(60) + rare + twice + common(15, LATE, "l")
    numbers = PAPER.model_copy(update={"train": 62, "dev": 8, "test": 8})
    assignment = split(pool, numbers, seed=1)
    # There is room for one: the term that one headline has goes, that of two cannot go half.
    assert assignment.splits["tc-a0"] != "train"
    assert {assignment.splits["tc-b0"], assignment.splits["tc-b1"]} == {"train"}
    wider = PAPER.model_copy(update={"train": 60, "dev": 9, "test": 9})
    assignment = split(pool, wider, seed=1)
    assert "train" not in {assignment.splits[name] for name in ("tc-a0", "tc-b0", "tc-b1")}


def test_a_term_that_train_has_for_good_moves_none() -> None:
    held = group([headline("tc-k", "부산 축제 잠수함", EARLY, "train")])
    bare = group([headline("tc-b", "대구 시장 잠수함")])
    undated = group([headline("tc-u", "광주 병원 화산", None, "train")])
    other = group([headline("tc-o", "울산 학교 화산")])
    pool = [held, bare, undated, other, *common(60), *common(10, LATE, "l")]
    assignment = split(pool, PAPER.model_copy(update={"train": 60, "dev": 7, "test": 7}), seed=1)
    assert assignment.splits["tc-b"] == assignment.splits["tc-o"] == "train"
    assert told(assignment, "unseen_terms").binds


def test_all_late_headlines_go_even_where_they_are_too_many() -> None:
    assignment = split(common(30) + common(60, LATE, "l"), PAPER, seed=1)
    assert [assignment.count(one) for one in SPLITS] == [30, 30, 30]
    row = told(assignment, "published_from")
    assert row.binds and not row.met and row.found > row.wanted
    assert row.detail.endswith("wanted: no more than both take")
    assert told(assignment, "published_before").met


def test_undated_headlines_are_taken_for_earlier_ones_and_told() -> None:
    pool = common(40, None) + common(10, LATE, "l")
    assignment = split(pool, PAPER, seed=1)
    assert (told(assignment, "dated").wanted, told(assignment, "dated").found) == (50, 10)
    assert not told(assignment, "dated").met
    assert not without_unseen(pool, assignment)
    dated = split(common(40) + common(10, LATE, "l"), PAPER, seed=1)
    assert assignment.splits == dated.splits


@pytest.mark.parametrize("year", [2012, 2023])
def test_the_day_is_chosen_where_all_dates_are_on_one_side_of_it(year: int) -> None:
    pool = [
        one
        for month in range(1, 13)
        for one in common(10, f"{year}-{month:02}-01", f"m{month:02}x")
    ]
    assignment = split(pool, PAPER, seed=1)
    late = f"headlines of {year}-10-01 or later"  # dev and test take 34 of 120
    assert told(assignment, "published_from").detail.startswith(late)
    assert told(assignment, "published_from").found == 30
    assert told(assignment, "published_before").met
    assert [assignment.count(one) for one in ("dev", "test")] == [15, 15]


def test_a_group_goes_by_its_latest_date() -> None:
    mixed = group(
        [headline("tc-m1", "부산 축제", "2016-01-01"), headline("tc-m2", "부산 축제!", LATE)]
    )
    half = group([headline("tc-n1", "부산 축제", None), headline("tc-n2", "부산 축제?", LATE)])
    assignment = split([*common(40), *common(10, LATE, "l"), mixed, half], PAPER, seed=1)
    assert assignment.splits["tc-m1"] == assignment.splits["tc-m2"] != "train"
    assert assignment.splits["tc-n1"] == assignment.splits["tc-n2"] != "train"


def test_a_kept_headline_of_train_that_is_late_leaves() -> None:
    pool = [*common(40), *common(10, LATE, "l")]
    now = group([headline("tc-x", "부산 축제", LATE, "train")])
    assignment = split([*pool, now], PAPER, seed=1)
    assert assignment.left_out["tc-x"][0] == "split.late@1"
    assert "tc-x" not in assignment.splits
    stays = group([headline("tc-y", "부산 축제", EARLY, "test")])
    assert split([*pool, stays], PAPER, seed=1).splits["tc-y"] == "test"


def test_a_new_headline_follows_the_term_for_which_another_was_moved() -> None:
    moved = group([headline("tc-k", "부산 축제 잠수함", EARLY, "test")])
    new = [group([headline(f"tc-n{i}", "대구 시장 잠수함")]) for i in range(2)]
    lures = [group([headline(f"tc-z{i}", f"광주 병원 {code(i)}")]) for i in range(40)]
    pool = [moved, *new, *lures, *common(60), *common(10, LATE, "l")]
    for seed in range(5):
        assignment = split(pool, PAPER, seed=seed)
        assert not without_unseen(pool, assignment)
        assert {assignment.splits[one.id] for one in new} <= {"dev", "test"}


def test_without_the_second_rule_the_date_is_what_binds() -> None:
    numbers = PAPER.model_copy(update={"unseen_terms_to_evaluation": False})
    assignment = split(common(90) + common(10, LATE, "l"), numbers, seed=1)
    assert assignment.count("train") == 90
    assert told(assignment, "published_from").binds
    with pytest.raises(InputError, match="published_from: wanted 26, found 0"):
        split(common(90), numbers, seed=1)


def test_headlines_without_any_date_are_split_by_their_terms() -> None:
    rare = [group([headline(f"tc-r{i}", f"{THINGS[i % 10]} {code(i)}", None)]) for i in range(60)]
    pool = common(150, None) + rare
    assignment = split(pool, PAPER, seed=1)
    assert all(assignment.count(one) for one in SPLITS)
    assert not without_unseen(pool, assignment)
    with pytest.raises(InputError, match=r"dated: wanted 9, found 0 \(9 headlines without"):
        split(common(9, None)[:9], PAPER.model_copy(update={"dev": 1, "test": 1}), seed=1)


def test_a_day_in_another_form_is_the_same_day() -> None:
    pool = common(40) + common(10, "2020-01-02", "l")
    other = PAPER.model_copy(update={"evaluation_from": "20200102"})
    assert split(pool, other, seed=1).splits == split(pool, PAPER, seed=1).splits


@given(pools(), st.randoms(use_true_random=False))
def test_whatever_the_groups(pool: list[Group], shuffler: random.Random) -> None:
    assignment = split(pool, PAPER, seed=3)
    everyone = [m for g in pool for m in g.members]
    assert sorted([*assignment.splits, *assignment.left_out]) == sorted(m.id for m in everyone)
    for one in pool:
        late = any((m.date or "") >= "2020-01-01" for m in one.members)
        where = {assignment.splits.get(m.id, "left") for m in one.members}
        assert len(where) == 1
        if one.kept == "train" and late:
            assert where == {"left"}
        else:
            assert one.kept is None or where == {one.kept}
        assert not (late and where == {"train"})
    kept = {one.id for one in pool if one.kept}
    assert not set(without_unseen(pool, assignment)) - kept
    found = told(assignment, "unseen_terms")
    assert found.met == (not without_unseen(pool, assignment))
    other = list(pool)
    shuffler.shuffle(other)
    again = split(other, PAPER, seed=3)
    assert (again.splits, again.constraints) == (assignment.splits, assignment.constraints)


@given(st.integers(0, 10**6), st.sampled_from(["부산 화산", f"{code(1)} 축제", "시장 날씨"]))
def test_one_more_headline_moves_few(seed: int, title: str) -> None:
    rare = [group([headline(f"tc-r{i}", f"{THINGS[i % 10]} {code(i)}")]) for i in range(60)]
    pool = common(150) + rare + common(20, LATE, "l")
    before = split(pool, PAPER, seed=seed).splits
    after = split([*pool, group([headline("tc-new", title)])], PAPER, seed=seed).splits
    assert sum(after[name] != where for name, where in before.items()) <= 12


def test_terms_are_nouns_of_some_length() -> None:
    assert title_terms("한국은행, 美 금리 3번째 인하…GDP 영향") >= {"금리", "인하", "gdp", "영향"}
    assert not title_terms("美 3번째…")
    assert title_terms("KBO 개막") == title_terms("kbo 개막")


@pytest.mark.full
def test_the_official_dev_headlines_are_found_again(data_dir: Path) -> None:
    """The addresses of official headlines tell their order; the last of train gives the day."""
    path = data_dir / "klue" / "ynat-v1.1_train36547_dev9107_titles.csv"
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    number = {row["guid"]: int(re.findall(r"aid=(\d+)", row["url"])[0]) for row in rows}
    last = max(number[row["guid"]] for row in rows if row["split"] == "train")
    pool = [
        group(
            [
                Member(
                    row["guid"],
                    "yna",
                    {"title": row["title"]},
                    [row["label"]],
                    date=LATE if number[row["guid"]] > last else EARLY,
                )
            ]
        )
        for row in rows
    ]
    assignment = split(pool, PAPER, seed=1)
    evaluation = {name for name, where in assignment.splits.items() if where != "train"}
    early_dev = {r["guid"] for r in rows if r["split"] == "dev" and number[r["guid"]] <= last}
    early = {name for name, found in number.items() if found <= last}
    # Drawn blindly, dev and test would hold about a quarter of the early headlines of official dev.
    assert len(early & evaluation) < 0.3 * len(early)
    assert len(early_dev & evaluation) > 0.9 * len(early_dev)
    assert not without_unseen(pool, assignment)
    labels = {g.id: g.members[0].label[0] for g in pool}
    shares = Counter((where, labels[name]) for name, where in assignment.splits.items())
    for topic in set(labels.values()):
        assert abs(shares["dev", topic] - shares["test", topic]) <= 2


def test_a_second_version_moves_none() -> None:
    rare = [group([headline(f"tc-r{i}", f"{THINGS[i % 10]} {code(i)}")]) for i in range(60)]
    pool = common(150) + rare + common(20, LATE, "l")
    first = split(pool[:200], PAPER, seed=1).splits
    again = [group([replace(g.members[0], kept=first.get(g.id))]) for g in pool]
    second = split(again, PAPER, seed=2)
    assert {name: second.splits[name] for name in first} == first
    assert not without_unseen(again, second)
