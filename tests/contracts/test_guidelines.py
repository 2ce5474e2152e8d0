"""Guidelines and specs agree: every label is explained, every worked answer can be entered.

Fenced blocks of a guideline are tagged `json item` (the fields of an item, valid for what follows),
`json answer [ROUND]` (accepted by the task's parse), `json wrong [ROUND]` (refused by it) and
`json report` (a reason of the spec); without a round, the first one of the spec is meant.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pytest

from pipeline.contracts.registry import TASKS
from pipeline.contracts.spec import LANGUAGES, SPECS, guideline, load_spec
from pipeline.core.errors import RecordError
from pipeline.core.jsontext import canonical, parsed

ALL = tuple(TASKS)
by_task = pytest.mark.parametrize("task", ALL)
by_text = pytest.mark.parametrize(
    ("task", "language"), [(task, language) for task in ALL for language in LANGUAGES]
)
FENCE = re.compile(r"^```json (\w+)(?: (\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)

WORDS = {4: "four", 5: "five", 8: "eight", 10: "ten", 12: "twelve", 15: "fifteen"}


@dataclass(frozen=True)
class Block:
    """A tagged block, with the item it is about and the round it belongs to."""

    tag: str
    round: str
    value: Any
    item: Any


def _blocks(task: str, language: str) -> list[Block]:
    found: list[Block] = []
    item: Any = None
    for tag, round_, text in FENCE.findall(guideline(task, language)):
        value = parsed(text)
        item = value if tag == "item" else item
        found.append(Block(tag, round_ or load_spec(task).rounds[0].id, value, item))
    return found


def _parse(task: str, block: Block) -> Any:
    spec = load_spec(task)
    round_ = spec.round(block.round)
    assert round_ is not None, f"the spec has no round {block.round!r}"
    assert TASKS[task].free or block.item is not None, "an item block must stand before"
    return TASKS[task].parse(block.value, block.item or {}, spec, round_)


@by_text
def test_worked_answers_can_be_entered(task: str, language: str) -> None:
    blocks = [b for b in _blocks(task, language) if b.tag == "answer"]
    assert {b.round for b in blocks} == {r.id for r in load_spec(task).rounds}
    for block in blocks:
        made = _parse(task, block)
        again = Block(block.tag, block.round, made, block.item)
        assert canonical(_parse(task, again)) == canonical(made)


@by_text
def test_answers_shown_as_wrong_are_refused(task: str, language: str) -> None:
    blocks = [b for b in _blocks(task, language) if b.tag == "wrong"]
    assert blocks
    for block in blocks:
        with pytest.raises(RecordError) as caught:
            _parse(task, block)
        assert caught.value.rule.startswith("vote.")


@by_text
def test_reports_shown_have_a_reason_of_the_spec(task: str, language: str) -> None:
    blocks = [b for b in _blocks(task, language) if b.tag == "report"]
    assert blocks
    assert {b.value["report"] for b in blocks} <= {r.id for r in load_spec(task).reports}


@by_text
def test_items_hold_fields_of_the_task(task: str, language: str) -> None:
    for block in _blocks(task, language):
        assert block.tag in {"item", "answer", "wrong", "report"}
        if block.tag == "item":
            assert set(block.value) & set(TASKS[task].fields)


@by_text
def test_all_labels_slots_and_reasons_are_explained(task: str, language: str) -> None:
    text, spec = guideline(task, language), load_spec(task)
    ids = [x.id for x in spec.labels] + [x.id for x in spec.slots] + [x.id for x in spec.reports]
    assert not [name for name in ids if f"`{name}`" not in text]


@by_text
def test_the_pilot_is_told_with_its_numbers(task: str, language: str) -> None:
    text, pilot = guideline(task, language), load_spec(task).pilot
    numbers = [pilot.items] + ([pilot.needed] if pilot.needed else [])
    sections = re.split(r"^## ", text, flags=re.MULTILINE)
    told = [s for s in sections if re.search("예비|시험" if language == "ko" else "(?i)pilot", s)]
    wanted = [rf"\b({n}(?!\d)|{WORDS.get(n, n)}\b)" for n in numbers]
    assert any(all(re.search(number, s) for number in wanted) for s in told)


@by_text
def test_form_of_a_guideline(task: str, language: str) -> None:
    text = guideline(task, language)
    lines = text.split("\n")
    assert 120 <= len(lines) <= 350
    assert lines[0].startswith("# ")
    assert f"`{load_spec(task).name}`" in "\n".join(lines[:12])
    assert "CC0-1.0" in "\n".join(lines[-5:])
    assert not re.search(r"[ \t]$|\t", text, re.MULTILINE)
    assert text.count("```") % 2 == 0


@by_text
def test_a_guideline_is_in_its_language(task: str, language: str) -> None:
    prose = FENCE.sub("", guideline(task, language))
    korean = len(re.findall(r"[가-힣]", prose))
    english = len(re.findall(r"[A-Za-z]", prose))
    assert korean > english if language == "ko" else english > korean


@by_task
def test_both_languages_show_the_same_kinds_of_examples(task: str) -> None:
    shapes = [[(b.tag, b.round) for b in _blocks(task, language)] for language in LANGUAGES]
    assert shapes[0] == shapes[1]


@by_task
def test_the_changelog_knows_the_version(task: str) -> None:
    text = (SPECS / task / "CHANGELOG.md").read_text("utf-8")
    versions = re.findall(r"^## \[(\d+\.\d+\.\d+)\]", text, re.MULTILINE)
    assert versions[0] == load_spec(task).version
    assert len(set(versions)) == len(versions)


# ----- examples in tables


def _cells(task: str, language: str, section: str = "") -> list[list[str]]:
    text = guideline(task, language).partition(f"\n## {section}")[2].partition("\n## ")[0]
    lines = (text if section else guideline(task, language)).split("\n")
    return [[c.strip() for c in x.strip("|").split("|")] for x in lines if x.startswith("| ")]


def _headlines(language: str) -> dict[str, list[str]]:
    rows = _cells("tc", language, "5.")[1:]
    return {re.sub(r" \([A-Za-z].*\)$", "", row[0]): row[1].split(", ") for row in rows}


def test_borderline_headlines_have_valid_topics() -> None:
    spec = load_spec("tc")
    answers = list(_headlines("ko").values())
    assert len(answers) >= 10
    for answer in answers:
        assert TASKS["tc"].parse(answer, {}, spec, spec.rounds[0]) == answer
    assert {topic for answer in answers for topic in answer} == set(spec.ids())
    assert _headlines("en") == _headlines("ko")


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_score_has_two_worked_pairs(language: str) -> None:
    sections = re.split(r"^### `(\d)`", guideline("sts", language), flags=re.MULTILINE)[1:]
    assert tuple(sections[::2]) == load_spec("sts").ids()
    for section in sections[1::2]:
        pairs = re.findall(r'^- "[^"]+" / "[^"]+" — ', section, re.MULTILINE)
        assert len(pairs) >= 2


def test_scores_in_tables_are_the_same_in_both_languages() -> None:
    korean, english = (
        [row[2] for row in _cells("sts", language) if len(row) == 4 and row[2].isdigit()]
        for language in LANGUAGES
    )
    assert korean == english
    assert set(korean) <= set(load_spec("sts").ids())


def test_relations_of_pairs_are_the_same_in_both_languages() -> None:
    titles = {x.title.ko: x.id for x in load_spec("nli").labels}
    korean = [titles[c] for row in _cells("nli", "ko") for c in row if c in titles]
    english = [c for row in _cells("nli", "en") for c in row if c in titles.values()]
    assert korean == english
    assert len(korean) >= 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_relation_has_a_marked_sentence(language: str) -> None:
    rows = [row for row in _cells("re", language) if len(row) == 3 and row[2].count("【") == 1]
    shown = {row[0].strip("`"): row[2] for row in rows}
    assert set(shown) == set(load_spec("re").ids())
    for sentence in shown.values():
        assert len(re.findall("【[^【】]+】", sentence)) == 1
        assert len(re.findall("〈[^〈〉]+〉", sentence)) == 1


def test_marked_sentences_are_the_same_in_both_languages() -> None:
    korean, english = (
        [
            re.sub(r" \([A-Za-z0-9 ,'-]+\)$", "", c)
            for row in _cells("re", language)
            for c in row
            if "【" in c
        ]
        for language in LANGUAGES
    )
    assert korean == english


@pytest.mark.parametrize("language", LANGUAGES)
def test_marked_words_stand_where_the_item_says(language: str) -> None:
    items = [b.value for b in _blocks("re", language) if b.tag == "item"]
    assert items
    for item in items:
        for side in (item["subject"], item["object"]):
            assert item["sentence"][side["start"] : side["end"]] == side["word"]
