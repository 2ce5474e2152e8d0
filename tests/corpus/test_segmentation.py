"""Sentence segmentation: identity with kss, offsets, independence of what was seen before.

Its cuts of TEXTS and of random joins of PIECES are recorded in kss_cuts.json; `make test-full` asks
the genuine package for them again, and for many more. It is imported whole (6 s), its state reset
before every text: the class dict of URLs and the caches make its answers depend on earlier texts.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from itertools import islice, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.morphology import MAX_RUN
from pipeline.corpus import segmentation
from pipeline.corpus.overlong import MAX_LABELS, MAX_PARAGRAPH
from pipeline.corpus.segmentation import (
    PACKAGES,
    overlong_spans,
    sentence_spans,
    split_sentences,
)

ROOT = Path(__file__).resolve().parents[2]
ZERO_WIDTH = "\u200b\u200c\u2060\ufeff"
REVIEWS = 5_000

TEXTS = [
    "어제 산 우산을 잃어버렸다. 다시 사야 하나",
    "동네 빵집이 문을 닫았어요 다음 주에 다시 연대요 기다려 볼게요",
    "진짜 별로임 ㅋㅋㅋㅋ 두 번은 안 감!!! 근데 배우는 좋았음ㅠㅠ",
    "“내일은 비가 온다. 우산을 챙겨라.” 할머니는 그렇게 말했다. 나는 웃었다.",
    '그는 "그만하자. 너무 늦었다."라고 말했다. 아무도 대답하지 않았다.',
    "그는 '끝났다. 라고 적었다. 그리고 문을 닫았다.",
    '창가에서 "오늘은 춥다. 하고 누가 말했다. 난로는 꺼져 있었다.',
    "(전화벨이 울린다. 아무도 받지 않는다.) 막이 내린다.",
    "새 다리가 놓였다.[3] 길이는 2.5km이다.[편집] 통행료는 없다.",
    "아니라니까 !!! (정색) 내가 먼저 왔다고!",
    "이 방식은 낯설다.† 그러나 곧 익숙해진다. ‡ 주석은 아래에 있다.",
    "값은 1,200원입니다. 3. 배송은 이틀 걸립니다. 제2조. 환불은 어렵습니다.",
    "나들이 가기 좋은 날😀😀 도시락도 쌌지요 ♥ 같이 가실래요?",
    "주소는 www.haneulbada-example.com/길?a=1 입니다. 편지는 dalbit@example.co.kr 로 주세요.",
    "Mr. Dokkaebi's cat isn't here. 고양이는 어디 갔을까요? I don't know.",
    "오늘 할 일\n1. 빨래\n2. 장보기\n\n저녁엔 쉰다.",
    "탭\t그리고\v줄바꿈\f사이의 글이다. 그대로 둔다.",
    "\ufeff처음에 표식이 있다.\u200b 가운데에도 있다.\u3000전각 빈칸도 있다.",
    "¶ 첫 단락이다. ¶ 둘째 단락이다.",
    "좋았다구용 또 올게용 그치만 멀었쥬 갈까용",
    ":) 반가워요 :( 아쉬워요 알림 문자 를 껐다",
    "!!!", "...", "가", " ", "ㅋ", '"', "(", "http", "\u3000", "",
]  # fmt: skip

PIECES = [
    *TEXTS[:12], "했다", "라고", "요", "다.", "음 ", "듯…", "ㅋㅋ", "ㅠ", "12", "3.", "a", "①",
    "“", "”", "‘", "’", '"', "'", "`", "(", ")", "[", "]", "【", "】", "<", ">", "^^", "†", "¶",
    ".", "..", "?", "!", ",", "~", "-", "·", "…", "😀", "❤️", "♡", "it's", "漢字", "x.kr",
    "http://bada.example.com/가?b=c", "san@bada.kr", "<br>", "<br/>", "</p>", "<p>",
    " ", "  ", "\t", "\n", "\r\n", "\u2028", "\u200b", "\u3000", "\x1f",
]  # fmt: skip
CUTS: list[tuple[str, list[str]]] = [
    (text, cuts)
    for text, cuts in json.loads(Path(__file__).with_name("kss_cuts.json").read_text("utf-8"))
]
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=14).map("".join)


@pytest.fixture(scope="module")
def kss() -> Iterator[Callable[[str], list[str]]]:
    """Yield the genuine kss, made fresh before each text, its dicts in an order of their own."""
    from kss._modules.sentences import split_sentences as module
    from kss._modules.sentences.sentence_processor import SentenceProcessor

    quoted = {k: dict(sorted(v.items())) for k, v in SentenceProcessor._heavy_backup.items()}
    fixed = dict(SentenceProcessor._normal_backup)

    def fresh(text: str) -> list[str]:
        SentenceProcessor._normal_backup.clear()
        SentenceProcessor._normal_backup.update(fixed)
        for seen in (module._split_sentences, SentenceProcessor.backup, SentenceProcessor.restore):
            seen.cache_clear()
        return module.split_sentences(text, backend="mecab", num_workers=1) if text else []

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SentenceProcessor, "_heavy_backup", dict(sorted(quoted.items())))
        yield fresh


def solid(text: str) -> str:
    """Return what is not blank."""
    return "".join(text.split()).translate(dict.fromkeys(map(ord, ZERO_WIDTH)))


def python(code: str, **environment: str) -> str:
    """Run `code` in a new interpreter; return what it wrote to both streams."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=os.environ | environment, check=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
    )  # fmt: skip
    return done.stdout


# Identity with kss


def test_kss_is_the_version_the_engine_was_proved_against() -> None:
    assert version("kss") == "6.0.6"


def test_texts_are_cut_as_kss_was_seen_to_cut_them() -> None:
    assert [text for text, _ in CUTS[: len(TEXTS)]] == TEXTS
    assert [text for text, cuts in CUTS if split_sentences(text) != cuts] == []


@pytest.mark.full
def test_kss_cuts_texts_as_it_was_seen_to(kss: Callable[[str], list[str]]) -> None:
    assert [text for text, cuts in CUTS if kss(text) != cuts] == []


@pytest.mark.full
@given(text=texts)
def test_random_texts_are_cut_as_by_kss(text: str, kss: Callable[[str], list[str]]) -> None:
    from pipeline.corpus.kss import engine

    with pytest.MonkeyPatch.context() as patch:  # kss's own masks differ in every process
        patch.setattr(engine, "_mask", lambda key: str(abs(hash(key))))
        assert split_sentences(text) == kss(text)


@pytest.mark.full
def test_gold_files_are_cut_as_by_kss(data_dir: Path, kss: Callable[[str], list[str]]) -> None:
    files = sorted((data_dir / "sentence_split" / "kss_bench" / "testset").glob("*.txt"))
    assert files
    for file in files:
        whole = file.read_text(encoding="utf-8")
        documents = [" ".join(block.splitlines()) for block in whole.split("\n\n")]
        texts = [*whole.splitlines(), *documents, whole]
        for text in texts:
            assert split_sentences(text) == kss(text), file.name


@pytest.mark.full
def test_reviews_are_cut_as_by_kss(
    data_dir: Path, kss: Callable[[str], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "tests" / "benchmarks")
    from real_reviews import read_reviews

    reviews = islice(read_reviews(data_dir / "raw" / "nsmc_raw.tar.zst"), REVIEWS)
    different = [n for n, text in enumerate(reviews) if split_sentences(text) != kss(text)]
    assert different == []


# Spans


@given(text=texts)
def test_spans_cover_every_character_once(text: str) -> None:
    spans = sentence_spans(text)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(a_end <= b_start for (_, a_end), (b_start, _) in pairwise(spans))
    for start, end in spans:
        assert not (text[start] + text[end - 1]).isspace()
        assert text[start] not in ZERO_WIDTH
        assert text[end - 1] not in ZERO_WIDTH
    outside = segmentation._BREAK.sub("\n", text)
    assert solid("".join(text[start:end] for start, end in spans)) == solid(outside)


@given(text=texts)
def test_spans_of_a_paragraph_are_its_sentences(text: str) -> None:
    paragraph = segmentation._BREAK.sub(" ", text).replace("#", "")
    wanted = [solid(sentence) for sentence in split_sentences(paragraph)]
    if "".join(wanted) == solid(paragraph):  # kss kept every character
        found = [solid(paragraph[start:end]) for start, end in sentence_spans(paragraph)]
        assert found == [sentence for sentence in wanted if sentence]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("빨랐어요 &amp; &lt;깔끔&gt;했습니다.", ["빨랐어요", "&amp; &lt;깔끔&gt;했습니다."]),
        ("정말 귀여워요 &gt;&lt; 또 보고 싶어요.", ["정말 귀여워요", "&gt;&lt; 또 보고 싶어요."]),
        ("재밌다고 했어요&quot; 라고 말했다.", ["재밌다고 했어요", "&quot; 라고 말했다."]),
        ("좋았습니다 &#39;최고&#39; 예요.", ["좋았습니다", "&#39;최고&#39; 예요."]),
        ("좋았습니다. &nbsp;다음에 또 올게요.", ["좋았습니다.", "&nbsp;다음에 또 올게요."]),
        ("좋았어요&#x1F600; 다음에 봐요", ["좋았어요", "&#x1F600; 다음에 봐요"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("layout", [False, True])
def test_an_entity_is_never_cut(text: str, sentences: list[str], layout: bool) -> None:
    spans = sentence_spans(text, layout=layout)
    assert [text[start:end] for start, end in spans] == sentences


def test_a_hashtag_is_never_cut_behind_its_sign() -> None:
    def cut(text: str) -> list[str]:
        return [text[start:end] for start, end in sentence_spans(text)]

    assert cut("끝까지 긴장을 놓을 수 없었다!! #강추 꼭 보세요") == [
        "끝까지 긴장을 놓을 수 없었다!!",
        "#강추 꼭 보세요",
    ]
    assert cut("재미있다!#강추") == ["재미있다!", "#강추"]
    assert cut("C# 언어를 배운다. 좋다") == ["C# 언어를 배운다.", "좋다"]


def test_a_mention_is_never_cut_behind_its_sign() -> None:
    text = "그는 말했다. @haneul_77 님이 올린 글이 화제가 되었다고 한다."
    assert [text[start:end] for start, end in sentence_spans(text)] == [
        "그는 말했다.",
        "@haneul_77 님이 올린 글이 화제가 되었다고 한다.",
    ]


def test_breaks_end_sentences_and_belong_to_none() -> None:
    text = "  첫 줄이다\r\n둘째 줄은<br/>잘린다</p><p>셋째\u2028넷째\n\n다섯째<BR />끝 "
    assert [text[start:end] for start, end in sentence_spans(text)] == [
        "첫 줄이다", "둘째 줄은", "잘린다", "셋째", "넷째", "다섯째", "끝",
    ]  # fmt: skip


def test_offsets_count_code_points_of_the_text_as_read() -> None:
    text = "\ufeff 😀 산책했다.\u200b  다람쥐를 봤다! "
    assert [text[start:end] for start, end in sentence_spans(text)] == [
        "😀 산책했다.",
        "다람쥐를 봤다!",
    ]


def test_what_kss_lost_stays_with_the_sentence_before() -> None:
    assert segmentation._align("가나. 다라. 마바.", ["가나.", "라.", "마바."]) == [
        (0, 5),
        (5, 7),
        (8, 11),
    ]
    assert segmentation._align("가나. 다라.", ["나.", "123", "다라."]) == [(0, 3), (4, 7)]
    assert segmentation._align(" 가나. 다라. ", []) == [(1, 8)]


def test_a_paragraph_on_which_kss_raises_is_one_sentence() -> None:
    text = "먼저 갔다. 나중에 왔다.\n깨진 글자다. \ud800 그렇다.\n괜찮다."
    spans = sentence_spans(text)
    assert [text[start:end] for start, end in spans][-2:] == [
        "깨진 글자다. \ud800 그렇다.",
        "괜찮다.",
    ]
    with pytest.raises(TypeError):
        split_sentences("\ud800")


@pytest.mark.parametrize("text", ["", " ", "\n\n", "<br><br/>", "\u200b\u3000\ufeff"])
def test_blank_text_has_no_sentences(text: str) -> None:
    assert sentence_spans(text) == []
    assert overlong_spans(text) == []


# Limits


def test_overlong_paragraphs_are_named_and_cut_into_parts() -> None:
    long, dotted = "가" * (MAX_PARAGRAPH + 1), "a." * (MAX_LABELS + 1)
    text = f"앞이다.\n{long}\n {dotted} \n뒤다."
    assert [text[start:end] for start, end in sentence_spans(text)] == [
        "앞이다.",
        long[1:],
        "가",
        "a." * MAX_LABELS,
        "a.",
        "뒤다.",
    ]
    assert [(text[start:end], reason) for start, end, reason in overlong_spans(text)] == [
        (long, "20,001 characters, 20,000 allowed; cut into 2 parts"),
        (dotted, "101 dotted names in a run, 100 allowed; cut into 2 parts"),
    ]


@pytest.mark.parametrize("marks", [".", "!?", "(", '"', "x", "1", "“", "😀"])
@pytest.mark.parametrize("layout", [False, True])
def test_a_long_run_of_marks_is_no_text_to_cut(marks: str, layout: bool) -> None:
    run = (marks * (MAX_RUN + 1))[: MAX_RUN + 1]
    text = f"앞이다. {run} 뒤다. 끝이다."
    assert [text[start:end] for start, end in sentence_spans(text, layout=layout)] == [
        "앞이다.",
        run,
        "뒤다.",
        "끝이다.",
    ]
    reason = "5,001 characters without a blank, 5,000 allowed; cut into 3 parts"
    assert overlong_spans(text, layout=layout) == [(0, len(text), reason)]


def test_text_without_blanks_is_cut_as_before() -> None:
    """Hangul and Han without blanks are text; a run at the limit is kss's."""
    text = "비가왔다.바람이불었다." * MAX_RUN
    assert overlong_spans(text[:MAX_PARAGRAPH]) == []
    assert overlong_spans("漢字" * MAX_RUN) == []
    assert overlong_spans("-" * MAX_RUN) == []
    assert len(sentence_spans(text[:MAX_PARAGRAPH])) > 1_000


LAYOUT = [
    ("낸다.\t받는다.", ["낸다.", "받는다."]),
    ("줄이다.\\n최근", ["줄이다.", "최근"]),
    ("다음과 같다: 1)가입 2) 탈퇴", ["다음과 같다:", "1)가입 2) 탈퇴"]),
    ("싶습니다 . 5.돈이 없고", ["싶습니다 .", "5.돈이 없고"]),
    ("목적이다■기사를 쓴다", ["목적이다", "■기사를 쓴다"]),
    ("그는 2016. 12. 20. 경 왔다", ["그는 2016. 12. 20. 경 왔다"]),
    ("김○○ 씨와 ○○시 사람", ["김○○ 씨와 ○○시 사람"]),
    (
        "출처 : http://example.com/a?b=1 www.example.com/c 어찌 아이들을 이용하나요?",
        ["출처 : http://example.com/a?b=1 www.example.com/c", "어찌 아이들을 이용하나요?"],
    ),
    ("https://example.com/1 [단독] 기사", ["https://example.com/1", "[단독] 기사"]),
    ("www.example.com(현재 닫힘) 참고함", ["www.example.com(현재 닫힘) 참고함"]),
    ("https://example.com 에서 보세요", ["https://example.com 에서 보세요"]),
    ("영상을 https://example.com 보고 썼다", ["영상을 https://example.com 보고 썼다"]),
    ("공공임대는 ▲가격 ▲시점이 다르다", ["공공임대는 ▲가격 ▲시점이 다르다"]),
]


@pytest.mark.parametrize(("text", "expected"), LAYOUT)
def test_layout_ends_sentences(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in sentence_spans(text, layout=True)] == expected


@given(
    st.lists(st.sampled_from([*'가다. \t\\n1)(①■○“"-:', "http://a.b/c"]), max_size=40).map("".join)
)
def test_layout_loses_no_character(text: str) -> None:
    kept = "".join(text[start:end] for start, end in sentence_spans(text, layout=True))
    without = re.sub(r"\\[nrt](?![A-Za-z])", "", text)
    assert "".join(kept.split()) == "".join(without.split())


def test_a_paragraph_at_the_limit_is_cut() -> None:
    text = ("비가 온다. " * MAX_PARAGRAPH)[: MAX_PARAGRAPH - 1] + "."
    assert overlong_spans(text) == []
    assert len(sentence_spans(text)) > 1


def test_kss_url_pattern_is_used_without_its_nested_repeat() -> None:
    from pipeline.corpus.kss.engine import _URL
    from pipeline.corpus.kss.syllables import KSS

    assert _URL.pattern != KSS.const.url_pattern.pattern
    assert split_sentences("http" + "!" * 500) == [
        "http" + "!" * 500
    ]  # kss would need 2**500 steps


@given(
    st.lists(
        st.sampled_from(["http", "://", "a.com/", "x", ".", "(", ")", "!", "가", " ", "ſ", "<"]),
        max_size=12,
    )
)
def test_url_pattern_finds_what_kss_finds(parts: list[str]) -> None:
    from pipeline.corpus.kss.engine import _URL
    from pipeline.corpus.kss.syllables import KSS

    assert _URL.findall("".join(parts)) == KSS.const.url_pattern.findall("".join(parts))


# State


def test_urls_are_not_kept() -> None:
    from pipeline.corpus.kss.syllables import KSS

    before = dict(KSS.SentencePreprocessor._normal_backup)
    for number in range(300):
        split_sentences(f"길잡이{number}.kr 과 nabi{number}@example.com 을 보세요. 고마워요.")
    assert KSS.SentencePreprocessor._normal_backup == before


def test_caches_are_bounded() -> None:
    from pipeline.corpus.kss import chain, engine, syllables, verdicts

    caches = [
        value
        for module in (chain, engine, syllables, verdicts)
        for value in vars(module).values()
        if hasattr(value, "cache_info")
    ]
    assert caches
    assert all(cache.cache_info().maxsize for cache in caches)


def test_order_of_calls_does_not_matter() -> None:
    forwards = [split_sentences(text) for text in TEXTS]
    backwards = [split_sentences(text) for text in reversed(TEXTS)]
    assert forwards == backwards[::-1]


def test_result_is_the_same_in_every_process() -> None:
    code = (
        "from pipeline.corpus.segmentation import split_sentences as s;"
        "t = \"/:(네용vol. 2갔음\\t>:(”만...é'a 하였다a'b'c듯 x.kr 갔다 :)\";"
        "print(ascii(s(t)))"
    )
    assert len({python(code, PYTHONHASHSEED=seed) for seed in "0123"}) == 1


def test_import_is_lazy_quiet_and_spares_the_rest_of_kss() -> None:
    code = (
        "import sys\n"
        "from pipeline.corpus import segmentation as s\n"
        "heavy = {'kss', 'mecab', 'pecab', 'emoji'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
        "assert s.split_sentences('갔다. 왔다.') == ['갔다.', '왔다.']\n"
        "assert not {m for m in sys.modules if m.split('.')[0] in {'kss', 'pecab'}}\n"
    )
    assert python(code) == ""


@pytest.mark.full
def test_genuine_kss_still_imports_after_the_engine(kss: Callable[[str], list[str]]) -> None:
    assert kss(TEXTS[0]) == split_sentences(TEXTS[0])
    assert "kss._modules.keywords.extract_keywords" in sys.modules


def test_missing_mecab_is_an_error_not_another_analyser() -> None:
    code = (
        "import sys; sys.modules['mecab'] = None\n"
        "from pipeline.core.errors import MissingDependencyError\n"
        "from pipeline.corpus.segmentation import sentence_spans\n"
        "try: sentence_spans('갔다.')\n"
        "except MissingDependencyError as error: print('mecab' in str(error))\n"
    )
    assert python(code).strip() == "True"


def test_packages_are_those_that_the_first_cut_loads() -> None:
    code = (
        "import sys\n"
        "from importlib.metadata import packages_distributions\n"
        "from pipeline.corpus import segmentation as s\n"
        "def top(): return {m.split('.')[0] for m in sys.modules}\n"
        "before, owners = top(), packages_distributions()\n"
        "s.split_sentences('갔다. 왔다.')\n"
        "print(*{d for m in top() - before for d in owners.get(m, ())})\n"
    )
    assert {*python(code).split(), "kss"} == set(PACKAGES)  # kss leaves `sys.modules` again
