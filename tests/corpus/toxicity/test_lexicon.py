"""The `lexicon` detector: stems with particles, left edges, exceptions, and its files."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from pipeline.core.errors import InputError
from pipeline.core.specs import load
from pipeline.corpus.toxicity.lexicon import SHIPPED, Words, load_lexicon

FILE = """\
gender_bias: [^고무녀, 여자 주제에]
hate: [^돌놈, 나무놈, a+b]
exceptions: [돌놈재]
"""


def _scores(path: Path, *texts: str | None) -> list[tuple[float, float]]:
    table = load_lexicon(path).score(pa.array(texts, pa.string()))
    columns = (table.column(name).to_pylist() for name in ("gender_bias", "hate"))
    return list(zip(*columns, strict=True))


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "words.yaml"
    path.write_text(FILE, "utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("고무녀들은 늘 그렇지", (1, 0)),
        ("저 고무녀가", (1, 0)),
        ("새고무녀석이 왔다", (0, 0)),  # `^`: Hangul stands before it
        ("(고무녀)", (1, 0)),
        ("여자 주제에", (1, 0)),
        ("여자주제에", (1, 0)),
        ("여자  주제에", (0, 0)),
        ("참나무놈이라니", (0, 1)),
        ("돌놈재를 넘으면 바다가 보인다", (0, 0)),
        ("돌놈재를 넘던 돌놈은", (0, 1)),
        ("고무녀와 돌놈", (1, 1)),
        ("A+B", (0, 1)),  # characters of patterns mean themselves
        ("aab", (0, 0)),
        ("나무\u1102\u1169\u11b7", (0, 1)),  # NFC and NFD are the same
        ("", (0, 0)),
        (None, (0, 0)),
    ],
)
def test_words_are_found(words: Path, text: str | None, wanted: tuple[int, int]) -> None:
    assert _scores(words, text) == [wanted]


def test_nothing_is_found_across_an_exception(words: Path) -> None:
    assert _scores(words, "나무돌놈재놈") == [(0, 0)]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("hate: [가]\n", "gender_bias: missing"),
        ("gender_bias: []\nhate: [가, ' ']\n", "w.yaml:2: hate: holds an empty entry"),
        ("gender_bias: []\nhate: [가, 가]\n", "holds an entry twice"),
        ("gender_bias: []\nhate: 가\n", "must be a list of words"),
        ("gender_bias: []\nhate: []\nslurs: []\n", "slurs: unknown key"),
    ],
    ids=range(5),
)
def test_faults_are_told(tmp_path: Path, content: str, told: str) -> None:
    path = tmp_path / "w.yaml"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError) as caught:
        load_lexicon(path)
    assert told in str(caught.value)


def test_missing_list_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.yaml"):
        load_lexicon(tmp_path / "none.yaml")


def test_a_list_without_words_or_with_far_too_many_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "w.yaml"
    path.write_text("gender_bias: []\nhate: []\n", "utf-8")
    with pytest.raises(InputError, match="holds no word"):
        load_lexicon(path)
    words = ", ".join(f"말{n}" for n in range(10_001))
    path.write_text(f"gender_bias: [{words}]\nhate: []\n", "utf-8")
    with pytest.raises(InputError, match="10,001 entries; allowed: 10,000"):
        load_lexicon(path)


def test_every_shipped_word_is_found_with_a_particle() -> None:
    words = load(SHIPPED, Words)
    for at, entries in enumerate((words.gender_bias, words.hate)):
        texts = [f"그 {entry.removeprefix('^')}라는 말" for entry in entries]
        missed = [
            text
            for text, found in zip(texts, _scores(SHIPPED, *texts), strict=True)
            if not found[at]
        ]
        assert not missed
    assert 80 <= len(words.gender_bias) + len(words.hate) <= 150


@pytest.mark.parametrize(
    "text",
    [
        "이 사건이 변화의 시발점이 되었다",
        "역시발전소는 조용하다",
        "동시발매된 두 권을 샀다",
        "한남동 골목의 카페",
        "착한녀석들이 모였다",
        "갈보리 교회의 종소리",
        "병신년 새해가 밝았다",
        "팔등신 모델이 걸었다",
        "미니미 인형을 모은다",
        "삼 개년 계획을 세웠다",
        "공개독서 모임에 갔다",
        "새끼손가락을 걸고 약속했다",
        "고양이가 새끼를 낳았다",
        "완성괴담집을 읽었다",
    ],
)
def test_innocent_words_are_left_alone(text: str) -> None:
    assert _scores(SHIPPED, text) == [(0, 0)]
