"""Registers other than comments: what the documented thresholds lose of harmless text."""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.fingerprint import ROOT
from pipeline.corpus.toxicity.scoring import COLUMNS, is_korean, judge, load

sys.path.append(str(ROOT / "tools"))

from toxicity_registers import calibrate, scores_of, table
from toxicity_texts import HARMLESS, READERS, REGISTERS, own

PAGE = ROOT / "docs" / "toxicity.md"


def _thresholds() -> dict[str, list[float]]:
    rows = re.findall(r"^\| (\w+) \| `(\{.*?\})` \|", PAGE.read_text("utf-8"), re.MULTILINE)
    found = {name: yaml.safe_load(limits) for name, limits in rows}
    return {name: [limits[c] for c in COLUMNS] for name, limits in found.items()}


def test_labels_of_both_annotators_are_complete() -> None:
    with REGISTERS.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert Counter(row["register"] for row in rows) == dict.fromkeys(READERS, 300)
    assert len({row["id"] for row in rows}) == len(rows)
    for one in "ab":
        assert {row[f"bias_{one}"] for row in rows} == {"0", "1"}
        assert {row[f"hate_{one}"] for row in rows} == {"none", "offensive", "hate"}


def test_harmless_sentences_cover_registers_and_subjects() -> None:
    halves = own(held_out=False), own(held_out=True)
    rows = [row[:2] for half in halves for row in half]
    assert len(rows) == len(HARMLESS.read_text("utf-8").splitlines()) - 1 >= 150
    assert set(rows) == {(r, s) for r in READERS for s in ("women", "men", "provinces", "bins")}
    assert min(map(len, halves)) > 80


def test_harmless_talk_of_women_men_provinces_and_bins_stays() -> None:
    """Of the half that nothing was chosen by, no register loses more than a sentence."""
    limits, detector = _thresholds(), load("linear")
    assert set(limits) == set(READERS)
    for register, pair in limits.items():
        texts = [text for name, _, text in own(held_out=True) if name == register]
        assert (scores_of(detector, texts) >= pair).any(axis=1).sum() <= 1


@pytest.mark.full
def test_documented_thresholds_are_measured(data_dir: Path) -> None:
    """The table of the page is what the tool finds: at most 1 % of harmless text is lost."""
    found = calibrate(load("linear"), data_dir)
    assert table(found) in PAGE.read_text("utf-8")
    for one in found:
        assert max(one.lost, one.check_lost) <= 0.01


def test_length_does_not_make_a_text_toxic() -> None:
    """All harmless sentences of a register in one text reach what the worst of them reaches."""
    detector = load("linear")
    for register in READERS:
        texts = [text for name, _, text in own(held_out=True) if name == register]
        alone = scores_of(detector, texts).max(axis=0)
        together = scores_of(detector, ["\n".join(texts)])[0]
        assert together == pytest.approx(alone, abs=0.05)


def test_an_insult_is_not_diluted() -> None:
    insult = "개자식아 꺼져라 뇌가 없냐 쓰레기 같은 놈아."
    around = "\n".join(text for _, _, text in own(held_out=True))
    for detector in (load("lexicon"), load("linear")):
        low, high = scores_of(detector, [around, f"{around} {insult} {around}"])[:, 1]
        assert high > low
        assert high >= 0.9 * scores_of(detector, [insult])[0, 1]


@pytest.mark.parametrize("spec", ["linear", "lexicon"])
def test_what_is_not_korean_has_no_score(spec: str) -> None:
    foreign = [
        "Women are great.",
        "女の子はかわいい",
        "123 !!",
        "",
        None,
        "Ich mag 김치 und andere Speisen",
    ]
    korean = ["ㅋㅋㅋ", "BTS 노래 좋다", "가", "ᄀ", "여자 주인공 (actress)"]
    texts = pa.array([*foreign, *korean])
    assert is_korean(texts).to_pylist() == [False] * len(foreign) + [True] * len(korean)
    found = judge(load(spec), texts)
    assert found.column_names == list(COLUMNS)
    for column in found.columns:
        assert column.is_valid().to_pylist() == is_korean(texts).to_pylist()


@given(st.lists(st.text(alphabet="가ㅋa漢é1 .😀", max_size=12)))
def test_a_text_is_korean_by_the_share_of_its_letters(texts: list[str]) -> None:
    def by_hand(text: str) -> bool:
        letters = [character for character in text if character.isalpha()]
        hangul = sum(character in "가ㅋ" for character in letters)
        return hangul > 0 and hangul >= 0.3 * len(letters)

    assert is_korean(pa.array(texts, pa.string())).to_pylist() == list(map(by_hand, texts))
