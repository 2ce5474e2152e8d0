"""What each rule removes: planted copies, and what only resembles the benchmark."""

from __future__ import annotations

import pyarrow as pa
import pytest

from pipeline.corpus.decontamination.rules import NEAR, RULES, VERBATIM, find_matches

HEADLINE = "가람시 봄꽃 축제 다음 달 열린다"
LONG = (
    "누리전자는 올해 상반기에 새 공장을 짓고 직원 이백 명을 더 뽑기로 했다고 어제 오후 본사에서"
    " 열린 간담회에서 밝혔으며 규모는 아직 모른다"
)
PASSAGE = (
    "한빛산은 가람시 북쪽에 있는 산이다."
    " 높이는 해발 칠백 미터이고 정상에는 오래된 정자가 하나 있다."
    " 봄에는 진달래가 산등성이를 덮어 많은 사람이 찾는다."
    " 가을에는 단풍을 보러 온 등산객으로 붐빈다."
    " 겨울에는 눈이 많이 내려 출입이 금지되는 날이 잦다."
    " 그래서 시에서는 산 아래에 쉼터를 여러 곳 만들었다."
)
TEXTS = sorted([HEADLINE, LONG, PASSAGE, "네 알겠습니다"])


def _matches(text: str, rule: str = "alignment") -> list[tuple[str, float, str]]:
    table = find_matches([text], RULES[rule](TEXTS))
    assert set(table["row"].to_pylist()) <= {0}
    return [(TEXTS[row["text"]], row["score"], row["rule"]) for row in table.to_pylist()]


@pytest.mark.parametrize(
    "text",
    [
        HEADLINE,
        "가람시봄꽃축제다음달열린다",
        "「가람시」 봄꽃축제, 다음 달 열린다!",
        f"오늘의 소식입니다. {HEADLINE} 자세한 내용은 시청에 물어보세요",
    ],
    ids=["exact", "blanks", "punctuation", "embedded"],
)
def test_a_text_that_stands_there_is_found_however_it_is_spelt(text: str) -> None:
    assert _matches(text) == [(HEADLINE, 1.0, VERBATIM)]


@pytest.mark.parametrize(
    "text",
    [
        "가람시 봄꽃 축재 다음 달 열렸다",
        "가람시 봄꽃 축제 다음 열린다",
        "봄꽃 축제 가람시 다음 달 열린다",
        "어제 나온 소식이다. 가람시 봄꽃 축재 다음 달 열렸다. 비가 오면 미룬다.",
    ],
    ids=["typos", "word dropped", "swapped", "typos in a document"],
)
def test_a_near_copy_is_found(text: str) -> None:
    ((found, score, rule),) = _matches(text)
    assert (found, rule) == (HEADLINE, NEAR)
    assert 0.73 <= score <= 1


@pytest.mark.parametrize(
    "text",
    [
        "가람시 가을 축제는 지난달 끝났다",
        "다음 달 열린다",
        "네 알겠습니다",
        "",
        "ㅋㅋ",
        "한빛산은 가람시 남쪽에 있는 강과 이어진다고 알려져 있으나 사실이 아니다",
    ],
)
def test_what_only_resembles_it_stays(text: str) -> None:
    assert _matches(text) == []


@pytest.mark.parametrize("number", range(6))
def test_each_sentence_of_a_passage_is_guarded(number: int) -> None:
    sentence = PASSAGE.split(". ")[number]
    assert _matches(sentence) == [(PASSAGE, 1.0, VERBATIM)]
    assert _matches(f"가나다. {sentence}. 마바사아.")[0][0] == PASSAGE


def test_a_text_stands_anywhere_in_a_long_row() -> None:
    filler = "도서관은 월요일마다 문을 닫고 토요일에는 저녁까지 연다 " * 40
    for place in range(0, len(filler), 97):
        row = filler[:place] + HEADLINE + filler[place:]
        assert _matches(row) == [(HEADLINE, 1.0, VERBATIM)]


def test_rules_of_others_see_what_they_are_made_for() -> None:
    thirteen = " ".join(LONG.split()[2:15])
    assert _matches(f"앞말 {thirteen} 뒷말", "words-13") != []
    assert _matches("".join(LONG.split()), "words-13") == []
    assert _matches(HEADLINE, "equal") == [(HEADLINE, 1.0, "benchmark.equal@1")]
    assert _matches(f"{HEADLINE}라고", "equal") == []
    assert _matches("가람시 봄꽃 축제 다음 달 열린다고", "letters-13")[0][0] == HEADLINE
    letters = "".join(LONG.split())
    assert _matches(f"앞말 {letters[:50]}", "letters-50")[0][0] == LONG
    assert _matches(f"앞말 {letters[:49]}", "letters-50") == []


def test_the_best_match_of_a_row_comes_first_whatever_stands_beside_it() -> None:
    rule = RULES["alignment"](TEXTS)
    rows = [f"{LONG} 그리고 가람시 봄꽃 축재 다음 달 열린다", "아무것도 아닌 말입니다", HEADLINE]
    table = find_matches(rows, rule)
    assert table["row"].to_pylist() == [0, 0, 2]
    assert [TEXTS[place] for place in table["text"].to_pylist()] == [LONG, HEADLINE, HEADLINE]
    alone = [find_matches([row], rule).drop(["row"]) for row in rows]
    assert pa.concat_tables(alone).equals(table.drop(["row"]))


@pytest.mark.parametrize("rule", sorted(RULES))
def test_an_empty_benchmark_and_an_empty_corpus_match_nothing(rule: str) -> None:
    assert find_matches([HEADLINE], RULES[rule](["짧다"])).num_rows == 0
    assert find_matches([], RULES[rule](TEXTS)).num_rows == 0
