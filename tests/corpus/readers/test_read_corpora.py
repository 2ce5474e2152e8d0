"""The readers of named corpora: NSMC, ParaKQC, Wikinews, Airbnb, news."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from reader_result import Read

from pipeline.core.errors import InputError
from pipeline.corpus.readers import corpora

Write = Callable[[str, bytes | str], Path]


def _review(**changes: object) -> dict[str, object]:
    review: dict[str, object] = {
        "review_id": "11",
        "movie_id": "7",
        "author": "hong****",
        "review": "배우들의 호흡이 좋았다",
        "rating": "9",
        "date": "11.04.05",
    }
    review.update(changes)
    return {name: value for name, value in review.items() if value is not ...}


def test_a_movie_of_nsmc(read: Read, write: Write) -> None:
    write("in/7.json", json.dumps([_review(), _review(review_id=12, rating=3, date="?")]))
    path = write("in/sub/8.json", "[]").parents[1]
    found = read("nsmc", path)
    first, second = found.documents
    assert (first.key, first.text, first.date) == ("11", "배우들의 호흡이 좋았다", "2011-04-05")
    assert (first.meta, first.file, first.line) == (
        (("rating", "9"), ("movie", "7")),
        "7.json",
        1,
    )
    assert (second.key, second.date, second.meta[0], second.line) == (
        "12",
        None,
        ("rating", "3"),
        2,
    )
    assert found.records == 2
    assert [(r.rule, r.action, r.file) for r in found.rejected] == [
        ("read.empty@1", "drop", "sub/8.json")
    ]


def test_authors_of_reviews_are_not_kept(read: Read, write: Write) -> None:
    found = read("nsmc", write("7.json", json.dumps([_review(), _review(review="")])))
    assert "hong" not in repr(found)


@pytest.mark.parametrize(
    ("review", "rule", "reason"),
    [
        (_review(review=""), "read.empty@1", "the text is empty"),
        (_review(review=...), "read.missing_field@1", "has no field 'review'"),
        (_review(review=5), "read.malformed@1", "field 'review' must be text"),
        (_review(review_id=...), "read.missing_field@1", "has no field 'review_id'"),
        (_review(review_id=[1]), "read.malformed@1", "field 'review_id'"),
        (_review(rating=[1]), "read.malformed@1", "field 'rating'"),
        (["글"], "read.malformed@1", "is a JSON list, not an object"),
    ],
)
def test_each_fault_of_a_review(
    read: Read, write: Write, review: object, rule: str, reason: str
) -> None:
    found = read("nsmc", write("7.json", json.dumps([_review(), review, _review()])))
    assert len(found.documents) == 2
    assert [(r.rule, r.line) for r in found.rejected] == [(rule, 2)]
    assert reason in found.rejected[0].reason


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (b'{"review": "x"}', "read.malformed@1"),
        (b"[{", "read.malformed@1"),
        (b"", "read.empty@1"),
        (b"[\xff]", "read.encoding@1"),
        (b'[{"review": "\\ud800", "review_id": "1"}]', "read.encoding@1"),
    ],
    ids=range(5),
)
def test_each_fault_of_a_movie(read: Read, write: Write, content: bytes, rule: str) -> None:
    write("in/1.json", content)
    path = write("in/2.json", json.dumps([_review()])).parent
    found = read("nsmc", path)
    assert (len(found.documents), found.rules) == (1, [rule])
    assert found.rejected[0].file == "1.json"


def test_a_bad_review_costs_no_other_of_its_movie(read: Read, write: Write) -> None:
    good = json.dumps(_review(), ensure_ascii=False)
    bad = '{"review": "\\ud800", "review_id": "9", "x": NaN}'
    found = read("nsmc", write("1.json", f"\ufeff[{bad}, {good}]"))
    assert (len(found.documents), found.rules) == (1, ["read.encoding@1"])


@pytest.mark.parametrize(
    "more",
    ['"review": "다른 글"', '"movie_id": 1', '"x": NaN, "x": 1', '"x": [{"y": {"z": 1, "z": 2}}]'],
)
def test_a_review_with_a_key_twice_is_quarantined_alone(
    read: Read, write: Write, more: str
) -> None:
    good = json.dumps(_review(), ensure_ascii=False)
    found = read("nsmc", write("1.json", f"[{good}, {good[:-1]}, {more}}}, {good}]"))
    assert len(found.documents) == 2
    assert [(r.file, r.line, r.rule, r.reason) for r in found.rejected] == [
        ("1.json", 2, "read.malformed@1", "has a key more than once")
    ]


def test_nsmc_ratings(read: Read, write: Write) -> None:
    path = write("ratings.txt", 'id\tdocument\tlabel\n81\t"역시 최고\t1\n82\t\t0\n83\t별로다\t0\n')
    found = read("nsmc_ratings", path)
    assert [(d.key, d.text, d.meta) for d in found.documents] == [
        ("81", '"역시 최고', (("label", "1"),)),
        ("83", "별로다", (("label", "0"),)),
    ]
    assert found.rules == ["read.empty@1"]
    with pytest.raises(InputError, match=r"has no column 'id' \(for key\)"):
        read("nsmc_ratings", write("other.txt", "a\tb\n1\t2\n"))


def test_parakqc_counts_broken_lines_in_the_intent(read: Read, write: Write) -> None:
    lines = [f"{i // 10 % 4}\t1\t{i}번째 말이야?" for i in range(25)]
    lines[3], lines[4], lines[5], lines[6] = "0\t1", "9\t1\t글", "", "0\t1\t "
    found = read("parakqc", write("p.txt", "\r\n".join(lines)))
    assert found.rules == ["read.malformed@1"] * 2 + ["read.empty@1"] * 2
    assert len(found.documents) == 21
    last = found.documents[-1]
    assert (last.key, last.text, last.line) == ("", "24번째 말이야?", 25)
    assert dict(last.meta) == {
        "topic": "2",
        "topic_name": "smart home",
        "act": "1",
        "act_name": "wh-question",
        "intent": "000002",
    }
    intents = Counter(dict(d.meta)["intent"] for d in found.documents)
    assert intents == {"000000": 6, "000001": 10, "000002": 5}


def test_parakqc_intents_are_tens_of_lines() -> None:
    assert [corpora.intent(line) for line in (1, 10, 11)] == ["000000", "000000", "000001"]


def test_wikinews_csv(read: Read, write: Write) -> None:
    path = write(
        "w.csv",
        "작성일,출처,제목,내용\n"
        '2020-01-02,https://ko.wikinews.org/wiki/%EA%B0%80_%EB%82%98,고친 제목,"첫 줄.\n둘째 줄."\n'
        "어제,https://ko.wikinews.org/wiki/%FF,제목,글.\n",
    )
    first, second = read("wikinews_csv", path).documents
    assert (first.key, first.title, first.date) == ("가_나", "고친 제목", "2020-01-02")
    assert first.text == "첫 줄.\n둘째 줄."
    assert first.url == "https://ko.wikinews.org/wiki/%EA%B0%80_%EB%82%98"
    assert (second.key, second.date) == ("%FF", None)


def test_wikinews_without_a_page_in_the_address_has_no_key(read: Read, write: Write) -> None:
    rows = "어제,,제목,글.\n어제,https://ko.wikinews.org/wiki/,제목,글.\n"
    found = read("wikinews_csv", write("w.csv", "작성일,출처,제목,내용\n" + rows))
    assert [d.key for d in found.documents] == ["", ""]


AIRBNB = "listing_id,id,date,reviewer_id,reviewer_name,comments\n"


def test_airbnb_keeps_korean_and_no_reviewers(read: Read, write: Write) -> None:
    path = write(
        "reviews.csv",
        AIRBNB
        + '5,1,2019-07-01,777,길동,"위치가 좋아요.<br/>\n또 올게요!"\n'
        + "5,2,2019-07-02,778,Ann,Great location and a very kind host.\n"
        + "5,3,2019-07-03,779,둘리,\n",
    )
    found = read("airbnb", path)
    (only,) = found.documents
    assert (only.key, only.text) == ("1", "위치가 좋아요.<br/>\n또 올게요!")
    assert (only.date, only.meta) == ("2019-07-01", (("listing", "5"),))
    assert found.rules == ["read.language@1", "read.empty@1"]
    assert not any(secret in repr(found) for secret in ("777", "길동", "Ann"))


@pytest.mark.parametrize(
    ("text", "korean"),
    [
        ("숙소가 깨끗해요", True),
        ("Very nice! 강추합니다 여러분", True),
        ("감사 thanks", False),
        ("좋", False),
        ("ㅋㅋㅋㅋㅋㅋ", False),
        ("👍👍 123", False),
        ("とても良い部屋でした", False),
        ("", False),
    ],
)
def test_what_counts_as_korean(text: str, korean: bool) -> None:
    assert corpora.is_korean(text) is korean


ARTICLE = {
    "id": 31,
    "title": "강변에 새 도서관",
    "body": "시는 강변에 도서관을 연다고 밝혔다.",
    "date": "2017.09.21. 오후 5:09",
    "section": "사회",
    "url": "https://news.example/31",
    "reporter": "아무개",
}


def test_news_as_jsonl_and_csv_are_the_same(read: Read, write: Write) -> None:
    lines = json.dumps(ARTICLE, ensure_ascii=False)
    names, cells = ",".join(ARTICLE), ",".join(f'"{value}"' for value in ARTICLE.values())
    one = read("news_jsonl", write("a.jsonl", lines)).documents[0]
    two = read("news_csv", write("a.csv", f"{names}\n{cells}\n")).documents[0]
    for found in (one, two):
        assert (found.key, found.title, found.text) == ("31", ARTICLE["title"], ARTICLE["body"])
        assert (found.date, found.section, found.url) == ("2017-09-21", "사회", ARTICLE["url"])
        assert found.meta == ()


def test_news_keys_fall_back_to_url_and_nothing(read: Read, write: Write) -> None:
    lines = ['{"body": "글 하나", "url": "https://news.example/1"}', '{"body": "글 둘"}']
    found = read("news_jsonl", write("a.jsonl", "\n".join(lines)))
    assert [d.key for d in found.documents] == ["https://news.example/1", ""]


def test_news_columns_can_be_renamed(read: Read, write: Write) -> None:
    path = write("a.csv", "본문,면,제목\n글이다.,경제,머리\n")
    found = read("news_csv", path, columns={"text": "본문", "section": "면", "title": "제목"})
    assert (found.texts, found.documents[0].section) == (["글이다."], "경제")
    with pytest.raises(
        InputError, match=r"no column 'body' \(for text\); it has: '본문', number 2"
    ):
        read("news_csv", path)


def test_news_without_a_body_is_quarantined(read: Read, write: Write) -> None:
    found = read("news_jsonl", write("a.jsonl", '{"title": "제목만"}\n'))
    assert found.rules == ["read.missing_field@1"]
    assert found.rejected[0].reason == "has no field 'body'"


def test_headlines_need_no_body(read: Read, write: Write) -> None:
    line = '{"title": "강변에 새 도서관", "section": "사회", "date": "20170921"}'
    one = read("headlines", write("a.jsonl", line)).documents[0]
    two = read("headlines", write("a.csv", "title,section\n강변에 새 도서관,사회\n")).documents[0]
    assert one.text == two.text == "강변에 새 도서관"
    assert (one.section, one.date, one.title) == ("사회", "2017-09-21", None)
    assert (two.section, two.date, two.key) == ("사회", None, "")
    with pytest.raises(InputError, match=r"this reader takes \.jsonl, \.ndjson, \.csv"):
        read("headlines", write("a.txt", "강변에 새 도서관\n"))


def test_headlines_refuse_options_that_their_form_has_no_use_for(read: Read, write: Write) -> None:
    row = write("a.csv", "title;section\n강변에 새 도서관;사회\n")
    assert read("headlines", row, delimiter=";").documents[0].section == "사회"
    with pytest.raises(InputError, match=r"a \.jsonl file has no use for delimiter, header"):
        read("headlines", write("a.jsonl", '{"title": "새 길"}'), delimiter=";", header=False)


@pytest.mark.full
def test_real_nsmc(read: Read, data_dir: Path) -> None:
    found = read("nsmc", data_dir / "raw" / "nsmc_raw.tar.zst")
    assert found.records == 14_730
    assert len(found.documents) + len(found.rejected) == 712_404
    assert Counter(found.rules) == {"read.empty@1": 21}
    assert len({d.key for d in found.documents}) == 712_383
    assert all(d.date for d in found.documents)
    assert {dict(d.meta)["rating"] for d in found.documents} == {str(i) for i in range(1, 11)}


def test_real_parakqc(read: Read, data_dir: Path) -> None:
    found = read("parakqc", data_dir / "raw" / "paraKQC_v1.txt")
    assert (len(found.documents), found.rejected) == (10_000, [])
    kinds: dict[str, set[tuple[str, str]]] = {}
    for document in found.documents:
        meta = dict(document.meta)
        kinds.setdefault(meta["intent"], set()).add((meta["topic"], meta["act"]))
    assert len(kinds) == 1000
    assert all(len(kind) == 1 for kind in kinds.values())


@pytest.mark.parametrize(
    ("topic", "word"), [("0", "메일"), ("1", "일정"), ("2", "불"), ("3", "비")]
)
def test_real_parakqc_topics_are_named_right(
    read: Read, data_dir: Path, topic: str, word: str
) -> None:
    found = read("parakqc", data_dir / "raw" / "paraKQC_v1.txt")
    counts = Counter(dict(d.meta)["topic"] for d in found.documents if word in d.text)
    assert counts.most_common(1)[0][0] == topic


def test_real_wikinews(read: Read, data_dir: Path) -> None:
    found = read("wikinews_csv", data_dir / "raw" / "wikinews.csv")
    assert (len(found.documents), found.rejected) == (644, [])
    assert len({d.key for d in found.documents}) == 644
    assert all(d.date and d.title for d in found.documents)
