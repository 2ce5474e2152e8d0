"""Texts by source out of official KLUE files: what corpora gave, nothing that people wrote."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reader_result import Read

from pipeline.contracts.official import files as official_files
from pipeline.core.errors import InputError

Write = Callable[[str, bytes | str], Path]
SEATS = ("gold_label", "author", "label2", "label3", "label4", "label5")


def _nli(n: int, source: str, premise: str, *, key: str = "genre") -> dict[str, Any]:
    record = {"guid": f"klue-nli-v1_train_{n:05d}", key: source, "premise": premise}
    return record | {"hypothesis": f"가설 {n}"} | dict.fromkeys(SEATS, "neutral")


def _sts(n: int, source: str, one: str, two: str) -> dict[str, Any]:
    return {
        "guid": f"klue-sts-v1_dev_{n:05d}",
        "source": source,
        "sentence1": one,
        "sentence2": two,
        "labels": {"label": 3.0, "real-label": 3.0, "binary-label": 1},
        "annotations": {"agreement": "0:0:0:1:0:0", "annotators": ["01"], "annotations": [3]},
    }


def _json(write: Write, *items: object) -> Path:
    return write("file.json", json.dumps(items, ensure_ascii=False))


def test_premises_of_one_source_once_each(read: Read, write: Write) -> None:
    path = _json(
        write,
        _nli(0, "airbnb", "역에서 가까운 집이다."),
        _nli(1, "policy", "정부는 예산을 늘렸다."),
        _nli(2, "airbnb", "역에서 가까운 집이다."),
        _nli(3, "NSMC", "배우가 훌륭하다."),
        _nli(4, "airbnb", "창이 넓다."),
    )
    found = read("klue_texts", path, only="airbnb")
    assert [(d.key, d.line, d.text) for d in found.documents] == [
        ("klue-nli-v1_train_00000", 1, "역에서 가까운 집이다."),
        ("klue-nli-v1_train_00004", 5, "창이 넓다."),
    ]
    assert read("klue_texts", path, only="nsmc").texts == ["배우가 훌륭하다."]
    assert "가설" not in repr(found)


def test_of_round_trips_the_first_sentence_and_of_other_pairs_both(
    read: Read, write: Write
) -> None:
    path = _json(
        write,
        _sts(0, "airbnb-rtt", "집이 조용했다.", "집은 조용했습니다."),
        _sts(1, "airbnb-sampled", "침대가 편했다.", "의자가 편했다."),
        _sts(2, "policy-rtt", "예산을 늘렸다.", "예산이 늘었습니다."),
    )
    found = read("klue_texts", path, only="airbnb")
    assert [(d.key.rpartition("_")[2], d.text) for d in found.documents] == [
        ("00000.sentence1", "집이 조용했다."),
        ("00001.sentence1", "침대가 편했다."),
        ("00001.sentence2", "의자가 편했다."),
    ]
    assert dict(found.documents[0].meta) == {"task": "sts", "sampler": "rtt"}
    assert read("klue_texts", path, only="policy-rtt").texts == ["예산을 늘렸다."]


NER = (
    "## 주석 : ##\n## 컬럼명 : CHAR\tNE_TAG\n"
    "## klue-ner-v1_dev_00000-wikitree\t<강:PS>이 ５월\n강\tB-PS\n이\tO\n \tO\n5\tO\n월\tO\n\n"
    "## klue-ner-v1_dev_00001-nsmc\t좋다\n좋\tO\n다\tO\n\n"
)
DP = (
    "## 칼럼명 : INDEX\tWORD_FORM\tLEMMA\tPOS\tHEAD\tDEPREL\n"
    "## klue-dp-v1_dev_00000_wikitree\t0.9%  올랐다.\n"
    "1\t0.90%\t0.90 %\tSN+SW\t2\tNP_AJT\n2\t올랐다.\t오르 았 다 .\tVV+EP+EF+SF\t0\tVP\n\n"
)


def test_sentences_of_ner_are_those_of_the_tags(read: Read, write: Write) -> None:
    found = read("klue_texts", write("ner.tsv", NER), only="wikitree")
    assert [(d.key, d.text) for d in found.documents] == [
        ("klue-ner-v1_dev_00000-wikitree", "강이 5월")
    ]


def test_sentences_of_dp_are_those_before_the_spreadsheet(read: Read, write: Write) -> None:
    found = read("klue_texts", write("dp.tsv", DP), only="wikitree")
    assert found.texts == ["0.9%  올랐다."]


def test_a_sentence_of_several_relations_is_one_document(read: Read, write: Write) -> None:
    entity = "\"{'word': '시청', 'start_idx': 0, 'end_idx': 1, 'type': 'ORG'}\""
    rows = [
        f"{n},{n},시청은 봄에 열렸다.,{entity},{entity},no_relation,{source}"
        for n, source in ((7, "policy_briefing"), (9, "policy_briefing"), (11, "wikipedia"))
    ]
    head = ",id,sentence,subject_entity,object_entity,label,source"
    path = write("re.csv", "\n".join([head, *rows]) + "\n")
    for name in ("policy", "policy_briefing"):
        (one,) = read("klue_texts", path, only=name).documents
        assert one.key == "klue-re-v1_train_00007"


HEAD = "guid,split,title,label,predefined_news_category,url\n"


@pytest.mark.parametrize(
    ("category", "url", "section"),
    [
        ("경제", "https://news.naver.com/main/read.nhn?sid1=102&aid=1", "경제"),
        ("", "https://news.naver.com/main/read.nhn?mode=LS2D&sid1=102&sid2=254&aid=1", "사회"),
        ("", "https://sports.news.naver.com/news.nhn?oid=001&aid=1", "스포츠"),
        ("", "https://news.naver.com/main/read.nhn?sid1=999", None),
        ("", "https://[", None),
        ("", "", None),
    ],
)
def test_headlines_have_the_section_of_the_press(
    read: Read, write: Write, category: str, url: str, section: str | None
) -> None:
    path = write("t.csv", f"{HEAD}ynat-v1_train_00001,train,새 도서관,세계,{category},{url}\n")
    (one,) = read("klue_texts", path, only="yna").documents
    assert (one.key, one.text, one.section) == ("ynat-v1_train_00001", "새 도서관", section)
    assert one.url == (url or None)


def test_the_date_of_a_headline(read: Read, write: Write) -> None:
    scopes = {name: ["경제"] for name in ("first-scope", "second-scope", "third-scope")}
    record = {
        "guid": "ynat-v1_dev_00000",
        "title": "새 도서관",
        "predefined_news_category": "사회",
        "label": "경제",
        "annotations": {"annotators": ["01"], "annotations": scopes},
        "url": "https://news.example/1",
        "date": "2017.09.21. 오후 5:09",
    }
    (one,) = read("klue_texts", _json(write, record), only="yna").documents
    assert (one.date, one.section) == ("2017-09-21", "사회")


def test_passages_of_the_nested_form_by_source(read: Read, write: Write) -> None:
    def document(n: int, source: str) -> dict[str, Any]:
        asked = {
            "guid": f"klue-mrc-v1_dev_{n:05d}",
            "question_type": 1,
            "is_impossible": False,
            "question": "무엇인가?",
            "answers": [{"text": "길", "answer_start": 0}],
        }
        again = asked | {"guid": f"klue-mrc-v1_dev_1{n:04d}"}
        paragraph = {"context": f"길 {n}", "qas": [asked, again]}
        shared = {"news_category": "경제", "source": source}
        return {"title": f"제목 {n}", **shared, "paragraphs": [paragraph]}

    data = {"version": "x", "data": [document(0, "wikipedia"), document(1, "hankyung")]}
    path = write("mrc.json", json.dumps(data, ensure_ascii=False))
    (one,) = read("klue_texts", path, only="hankyung").documents
    assert (one.key, one.text) == ("klue-mrc-v1_dev_00001", "길 1")
    assert (one.title, one.section) == ("제목 1", "경제")


def test_a_record_that_cannot_be_read_costs_no_other(read: Read, write: Write) -> None:
    broken = _nli(1, "airbnb", "창이 넓다.") | {"gold_label": "maybe"}
    path = _json(write, _nli(0, "airbnb", "역이 가깝다."), broken, _nli(2, "airbnb", " "))
    found = read("klue_texts", path, only="airbnb")
    assert found.texts == ["역이 가깝다."]
    assert [(row.rule, row.line) for row in found.rejected] == [
        ("read.malformed@1", 2),
        ("read.empty@1", 2),
    ]


def test_each_unusable_file_is_one_error(
    read: Read, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _json(write, _nli(0, "airbnb", "역이 가깝다."), _nli(1, "policy", "예산이 늘었다."))
    with pytest.raises(InputError, match="says of each text whose it is; set `only` to one of: ai"):
        read("klue_texts", path)
    with pytest.raises(InputError, match=r"no text of the source 'air'; set .*: airbnb, policy"):
        read("klue_texts", path, only="air")
    with pytest.raises(InputError, match="no official KLUE file with texts of a source"):
        read("klue_texts", write("wos.json", '[{"guid": "wos-v1_dev_00000", "dialogue": []}]'))
    with pytest.raises(InputError, match="not JSON"):
        read("klue_texts", write("cut.json", '[{"premise": "역이'), only="airbnb")
    with pytest.raises(InputError, match="no such file"):
        read("klue_texts", path.with_name("absent"), only="airbnb")
    monkeypatch.setattr(official_files, "MOST_BYTES", 10)
    with pytest.raises(InputError, match="larger than any official KLUE file"):
        read("klue_texts", path, only="airbnb")


@pytest.mark.thin(3)
@pytest.mark.parametrize(
    ("name", "only", "count"),
    [
        ("klue-nli-v1.1_train.json", "airbnb", 1610),
        ("klue-nli-v1.1_dev.json", "wikitree", 150),
        ("klue-sts-v1.1_dev.json", "policy", 190),
        ("klue-ner-v1.1_dev.tsv", "wikitree", 2534),
        ("klue-dp-v1.1_dev.tsv", "airbnb", 1000),
        ("klue-re-v1.1_train_subset3247.csv", "policy", 20),
        ("ynat-v1.1_dev.csv", "yna", 9107),
        ("klue-mrc-v1.1_dev_first1350.json", "", 1152),
    ],
)
def test_real_files(read: Read, data_dir: Path, name: str, only: str, count: int) -> None:
    found = read("klue_texts", data_dir / "klue" / name, only=only)
    assert (len(found.documents), found.rejected) == (count, [])
    assert len({d.key for d in found.documents}) == count
    assert len(set(found.texts)) == count


def test_real_premises_by_source_add_up(read: Read, data_dir: Path) -> None:
    """Every premise of the file is read under one source, and no other text."""
    path = data_dir / "klue" / "klue-nli-v1.1_dev.json"
    given = json.loads(path.read_text("utf-8"))
    names = ("airbnb", "nsmc", "policy", "wikinews", "wikipedia", "wikitree")
    texts = Counter(t for name in names for t in read("klue_texts", path, only=name).texts)
    assert texts == dict.fromkeys((one["premise"] for one in given), 1)


@pytest.mark.full
def test_real_headlines_have_a_section(read: Read, data_dir: Path) -> None:
    """The paper samples seven sections (Section 3.1.1); in train only the address tells them."""
    path = data_dir / "klue" / "ynat-v1.1_train36547_dev9107_titles.csv"
    found = read("klue_texts", path, only="yna")
    sections = Counter(d.section for d in found.documents)
    assert sum(sections.values()) == 45_654
    assert set(sections) == {"정치", "경제", "사회", "생활문화", "세계", "IT과학", "스포츠"}
    assert min(sections.values()) > 4_900
