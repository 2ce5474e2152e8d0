"""Near-duplicates found by the join are those that a comparison of all pairs finds."""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from pipeline.contracts.registry import TASKS
from pipeline.release.splits.similar import near_pairs

HANGUL = "".join(chr(ord("가") + 7 * n) for n in range(40))
THRESHOLDS = (0.3, 0.5, 0.55, 0.7, 0.8, 0.9, 1.0)


def _grams(text: str) -> set[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    letters = "".join(c for c in folded if c.isalnum()) or "".join(folded.split())
    if len(letters) < 3:
        return {letters}
    return {letters[n : n + 3] for n in range(len(letters) - 2)}


def _parts(names: Iterable[str], pairs: Iterable[tuple[str, str]]) -> set[frozenset[str]]:
    """Return connected parts by growing each from its names, pair by pair."""
    parts = {name: {name} for name in names}
    for left, right in pairs:
        if parts[left] is not parts[right]:
            parts[left] |= parts[right]
            for name in parts[right]:
                parts[name] = parts[left]
    return {frozenset(part) for part in parts.values()}


def _brute(ids: Sequence[str], texts: Sequence[str], threshold: float) -> list[tuple[str, str]]:
    grams = [_grams(text) for text in texts]
    return [
        (ids[a], ids[b])
        for a, b in combinations(range(len(ids)), 2)
        if len(grams[a] & grams[b]) / len(grams[a] | grams[b]) >= threshold
    ]


words = st.sampled_from(["가나", "다라마", "바", "ab", "AB", "12", "!?", " ", "㉮", "ﬁ", "한글날"])
anything = st.text(max_size=6) | st.lists(words, max_size=12).map("".join)


@given(st.lists(anything, max_size=14), st.sampled_from(THRESHOLDS))
@example(["가나다라", "가나다라가나다라가", "가나다라가나다라가나"], 0.8)
@example([HANGUL[:27], HANGUL[:9]], 0.28)  # 7 of 25, where 0.28 * 25 is above 7 in floats
@example(["", " ", "!!!", "!!!!", "..", "a", "A", "a b", "ab."], 0.5)
def test_components_are_those_of_all_pairs(texts: list[str], threshold: float) -> None:
    ids = [f"{n:02}" for n in range(len(texts))]
    found = near_pairs(ids, texts, threshold=threshold)
    brute = _brute(ids, texts, threshold)
    assert set(found) <= set(brute), "a pair that is not near"
    assert _parts(ids, found) == _parts(ids, brute)


@given(
    st.lists(st.integers(0, 2), min_size=20, max_size=60),
    st.lists(st.tuples(st.integers(0, 59), st.integers(0, 2)), max_size=25),
    st.sampled_from(THRESHOLDS),
)
def test_edited_copies_are_found_as_often_as_all_pairs_tell(
    letters: list[int], edits: list[tuple[int, int]], threshold: float
) -> None:
    text = ["가나다"[one] for one in letters]
    texts = ["".join(text)]
    for place, letter in edits:
        text[place % len(text)] = "라마바"[letter]
        texts.append("".join(text))
    ids = [f"{n:02}" for n in range(len(texts))]
    found = near_pairs(ids, texts, threshold=threshold)
    assert _parts(ids, found) == _parts(ids, _brute(ids, texts, threshold))


@given(st.lists(st.tuples(st.sampled_from("abcd"), anything), max_size=10), st.randoms())
def test_order_tells_nothing_and_an_id_may_have_several_texts(
    rows: list[tuple[str, str]], random: object
) -> None:
    found = near_pairs([a for a, _ in rows], [b for _, b in rows])
    other = list(rows)
    random.shuffle(other)  # type: ignore[attr-defined]
    assert near_pairs([a for a, _ in other], [b for _, b in other]) == found
    assert all(left < right for left, right in found)


def test_blanks_marks_case_and_width_do_not_count() -> None:
    texts = ["Ｋ-팝, 다시 1위!", "k팝 다시１위", "k팝 다시 2등 그리고 3등"]
    assert near_pairs(["a", "b", "c"], texts) == [("a", "b")]


def test_thousands_of_copies_of_one_text_are_tied_by_one_pair_each() -> None:
    ids = [f"{n:05}" for n in range(5000)]
    texts = [f"내일 낮 기온은 어제보다 조금 높고 저녁에는 바람이 분다{n % 50}" for n in range(5000)]
    assert len(near_pairs(ids, texts)) == len(ids) - 1


def test_real_headlines_against_a_sparse_product(data_dir: Path) -> None:
    path = data_dir / "klue" / "ynat-v1.1_train36547_dev9107_titles.csv"
    with path.open(encoding="utf-8", newline="") as file:
        titles = sorted(row["title"] for row in csv.DictReader(file))[::2][:6000]
    known: dict[str, int] = {}
    cells = [
        (n, known.setdefault(gram, len(known))) for n, t in enumerate(titles) for gram in _grams(t)
    ]
    rows, columns = zip(*cells, strict=True)
    matrix = csr_matrix((np.ones(len(rows), np.int32), (rows, columns)))
    sizes = np.asarray(matrix.sum(axis=1)).ravel()
    common = (matrix @ matrix.T).tocoo()
    joined = sizes[common.row] + sizes[common.col] - common.data
    near = common.data / joined >= 0.8
    graph = csr_matrix((near[near], (common.row[near], common.col[near])), shape=(6000, 6000))
    expected, _ = connected_components(graph, directed=False)
    ids = [f"{n:04}" for n in range(6000)]
    found = near_pairs(ids, titles)
    assert 0 < len(found) == 6000 - expected


@pytest.mark.parametrize(
    ("task", "fields", "expected"),
    [
        ("tc", {"title": "제목"}, ("제목",)),
        ("sts", {"sentence1": "하나", "sentence2": "둘"}, ("하나", "둘")),
        ("nli", {"premise": "전제", "hypothesis": "가설"}, ("전제",)),
        ("ner", {"text": "글"}, ("글",)),
        ("re", {"sentence": "문장", "subject": {}, "object": {}}, ("문장",)),
        ("dp", {"text": "글", "words": ["글"]}, ("글",)),
        ("mrc", {"title": "제목", "context": "지문"}, ("지문",)),
    ],
)
def test_wordings_of_tasks(task: str, fields: dict[str, object], expected: tuple[str, ...]) -> None:
    assert TASKS[task].wordings(fields, None) == list(expected)


def test_thanks_do_not_connect_dialogues_but_a_repeated_one_does() -> None:
    routine = [{"text": "감사합니다."}, {"text": "이용해 주셔서 감사합니다. 좋은 하루 보내세요."}]
    one = [{"text": "강가에 있는 조용한 찻집을 찾아 주세요."}, *routine]
    other = [{"text": "역에서 가까운 저렴한 숙소에 이틀 묵을게요."}, *routine]
    told = [TASKS["dst"].wordings({"goal": None}, {"turns": turns}) for turns in (one, other, one)]
    assert [len(texts) for texts in told] == [1, 1, 1]
    assert near_pairs(["a", "b", "c"], [texts[0] for texts in told]) == [("a", "c")]
    assert TASKS["dst"].wordings({"goal": "찻집을 찾는다."}, {"turns": one}) == told[0]
