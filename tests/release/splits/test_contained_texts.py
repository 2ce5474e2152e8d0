"""Texts that hold others are found as a comparison of all pairs of texts finds them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.contracts.official.files import read_official
from pipeline.core.jsontext import parsed
from pipeline.release.leakage import compare
from pipeline.release.splits import similar as contained
from pipeline.release.splits.similar import containment_pairs, words_of


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    letters = "".join(c if c.isalnum() else " " for c in folded).split()
    return letters or folded.split()


def _holds(
    outer: Sequence[str], inner: Sequence[str], share: float, words: int, shortest: int
) -> bool:
    """Tell whether a text holds another, by looking for every run of its words."""
    if len(inner) < shortest:
        return False
    n = min(words, len(inner))
    own = {tuple(inner[k : k + n]) for k in range(len(inner) - n + 1)}
    there = {tuple(outer[k : k + n]) for k in range(len(outer) - n + 1)}
    return len(own & there) / len(own) >= share


def _brute(ids: Sequence[str], texts: Sequence[str], *rule: float) -> set[tuple[str, str]]:
    split = [_words(text) for text in texts]
    share, words, shortest = rule
    return {
        (min(ids[a], ids[b]), max(ids[a], ids[b]))
        for a, b in permutations(range(len(ids)), 2)
        if ids[a] != ids[b] and _holds(split[a], split[b], share, int(words), int(shortest))
    }


def _parts(names: Iterable[str], pairs: Iterable[tuple[str, str]]) -> set[frozenset[str]]:
    parts = {name: {name} for name in names}
    for left, right in pairs:
        if parts[left] is not parts[right]:
            parts[left] |= parts[right]
            for name in parts[right]:
                parts[name] = parts[left]
    return {frozenset(part) for part in parts.values()}


RULES = st.sampled_from(
    [(0.8, 8, 6), (0.8, 3, 2), (0.5, 2, 2), (0.6, 2, 1), (1.0, 3, 3), (0.8, 1, 1), (0.7, 4, 1)]
)
word = st.sampled_from(["가", "나", "다", "라", "A", "a", "①", "1", "!?", "...", "ﬁ"])
phrase = st.lists(word, max_size=14)
PHRASES = tuple(" ".join(f"말{10 * k + n}" for n in range(5)) for k in range(4))
piece = st.sampled_from(PHRASES) | word


@given(
    st.lists(st.tuples(st.sampled_from("abcdefgh"), phrase | st.lists(piece, max_size=5))), RULES
)
@example([("a", ["가"] * 9), ("b", ["가"] * 10)], (0.8, 8, 6))
@example([("a", ["!", "?", "!", "?", "!", "?"]), ("b", ["!", "?"] * 4)], (0.8, 8, 6))
def test_connected_is_what_holds_one_another(
    rows: list[tuple[str, list[str]]], rule: tuple[float, int, int]
) -> None:
    ids, texts = [name for name, _ in rows], [" ".join(words) for _, words in rows]
    share, words, shortest = rule
    found = containment_pairs(ids, texts, share=share, words=words, shortest=shortest)
    brute = _brute(ids, texts, *rule)
    assert found == sorted(found)
    assert set(found) <= brute, "a pair that does not hold one another"
    assert _parts(ids, found) == _parts(ids, brute)
    shuffled = Random(1).sample(rows, len(rows))
    again = containment_pairs(
        [name for name, _ in shuffled],
        [" ".join(words) for _, words in shuffled],
        share=share,
        words=words,
        shortest=shortest,
    )
    assert again == found


def _numbers(first: int, last: int) -> str:
    return " ".join(f"말{n}" for n in range(first, last))


def test_eight_of_ten_runs_are_enough_and_seven_are_not() -> None:
    # 17 words have ten runs of eight; the first 15 and 14 of them have eight and seven.
    whole = _numbers(0, 17)
    for shared, expected in ((15, [("a", "b")]), (14, [])):
        other = f"{_numbers(0, shared)} {_numbers(50, 100)}"
        assert containment_pairs(["a", "b"], [whole, other]) == expected


def test_six_words_in_a_row_are_held_and_five_are_not() -> None:
    long = f"{_numbers(30, 40)} {_numbers(0, 7)} {_numbers(50, 60)}"
    assert containment_pairs(["a", "b"], [_numbers(0, 6), long]) == [("a", "b")]
    assert containment_pairs(["a", "b"], [_numbers(0, 7), long]) == [("a", "b")]
    assert containment_pairs(["a", "b"], [_numbers(0, 5), long]) == []
    apart = long.replace("말3 ", "말3 말99 ")
    assert containment_pairs(["a", "b"], [_numbers(0, 7), apart]) == []


def test_texts_of_one_id_are_not_told() -> None:
    texts = [_numbers(0, 20), _numbers(3, 12), _numbers(3, 12)]
    assert containment_pairs(["a", "a", "b"], texts) == [("a", "b")]


def test_what_is_looked_for_is_what_the_check_stops_on() -> None:
    told = (compare.CONTAINED, compare.WORDS, compare.SHORTEST)
    assert told == (contained.SHARE, contained.WORDS, contained.SHORTEST)


def test_words_are_those_of_the_check() -> None:
    assert words_of("Ｋ-팝, 다시_1위!") == "k 팝 다시 1위"
    assert words_of("?! …") == "?! ..."
    assert words_of(" ") == ""


def test_many_texts_with_a_common_run_are_tied_by_one_pair_each() -> None:
    ids = [f"{n:05}" for n in range(1_000)]
    texts = [f"{_numbers(0, 30)} 끝{n}" for n in range(1_000)]
    assert len(containment_pairs(ids, texts)) == len(ids) - 1


@pytest.mark.full
def test_cuts_of_real_passages(data_dir: Path) -> None:
    path = data_dir / "klue" / "klue-mrc-v1.1_dev_first1350.json"
    fields = read_official("mrc", path).items["fields"].to_pylist()
    passages = sorted({parsed(one)["context"] for one in fields})[::4]
    texts, owners = list(passages), list(range(len(passages)))
    for n, one in enumerate(passages):
        words = one.split()
        third = len(words) // 3
        texts += [" ".join(words[third : 2 * third]), " ".join([*words[third:], "끝", *words[:9]])]
        owners += [n, n]
    ids = [f"{n:05}" for n in range(len(texts))]
    found = containment_pairs(ids, texts)
    brute = _brute_by_run(ids, texts)
    assert set(found) <= brute
    assert _parts(ids, found) == _parts(ids, brute)
    parts = _parts(ids, found)
    # Every cut stands with the passage that it is from.
    place = {name: part for part in parts for name in part}
    assert all(place[name] is place[f"{n:05}"] for name, n in zip(ids, owners, strict=True))


def _brute_by_run(ids: Sequence[str], texts: Sequence[str]) -> set[tuple[str, str]]:
    """Count the common runs of eight words of all texts with at least eight, as sets."""
    runs = []
    for text in texts:
        words = _words(text)
        assert len(words) >= 8
        runs.append({" ".join(words[k : k + 8]) for k in range(len(words) - 7)})
    found = set()
    for a, b in permutations(range(len(ids)), 2):
        if len(runs[a] & runs[b]) / len(runs[a]) >= 0.8:
            found.add((min(ids[a], ids[b]), max(ids[a], ids[b])))
    return found
