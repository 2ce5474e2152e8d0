"""MediaWiki exports: the stream of pages, what is dropped, and hostile XML."""

from __future__ import annotations

import bz2
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape

import mwparserfromhell
import orjson
import pytest
from reader_result import Read

from pipeline.core.errors import InputError
from pipeline.corpus.readers.base import Options, Record
from pipeline.corpus.readers.wiki import mediawiki

Write = Callable[[str, bytes | str], Path]
BODY = "'''바람개비'''는 [[바람]]의 힘으로 도는 장난감이다."
PLAIN = "바람개비는 바람의 힘으로 도는 장난감이다."


def _page(text: str = BODY, *, number: int = 1, ns: str = "0", extra: str = "") -> str:
    return f"""<page><title>문서 {number}</title><ns>{ns}</ns><id>{number}</id>{extra}
  <revision><id>900</id><timestamp>2021-08-07T23:49:40Z</timestamp>
    <contributor><username>홍길동</username><id>555</id></contributor>
    <comment>/* 주민 */</comment><model>wikitext</model>
    <text bytes="9" xml:space="preserve">{escape(text)}</text></revision></page>"""


def _export(*pages: str) -> str:
    return f'<mediawiki version="0.10" xml:lang="ko"><siteinfo/>{"".join(pages)}</mediawiki>'


def test_a_page(read: Read, write: Write) -> None:
    found = read("mediawiki", write("a.xml", _export(_page(number=5), _page(number=7))))
    first, second = found.documents
    assert (first.key, first.title, first.text) == ("5", "문서 5", PLAIN)
    assert (first.date, first.url, first.line, second.line) == ("2021-08-07", None, 1, 2)
    assert [(s.title, s.level) for s in first.sections or ()] == [("", 1)]
    assert "홍길동" not in repr(found) and "555" not in repr(found)


def test_a_multistream_bz2_export(read: Read, write: Write) -> None:
    parts = ["<mediawiki>", _page(number=1), _page(number=2), "</mediawiki>"]
    data = b"".join(bz2.compress(part.encode()) for part in parts)
    assert len(read("mediawiki", write("a.xml.bz2", data)).documents) == 2


def test_the_last_revision_of_a_history_counts(read: Read, write: Write) -> None:
    older = "<revision><timestamp>2001-01-01T00:00:00Z</timestamp><text>옛 글.</text></revision>"
    found = read("mediawiki", write("a.xml", _export(_page(extra=older))))
    assert (found.texts, found.documents[0].date) == ([PLAIN], "2021-08-07")


@pytest.mark.parametrize(
    ("page", "rule"),
    [
        (_page(ns="1"), "read.namespace@1"),
        (_page(ns="14"), "read.namespace@1"),
        (_page(extra='<redirect title="다른 문서" />'), "read.redirect@1"),
        (_page("#넘겨주기 [[다른 문서]]"), "read.redirect@1"),
        (_page(" #REDIRECT [[다른 문서]]"), "read.redirect@1"),
        (_page(""), "read.empty@1"),
        (_page("{{삭제된 문서}}\n[[분류:가]]"), "read.empty@1"),
        (_page("== 외부 링크 ==\n* [http://a.example 누리집]"), "read.empty@1"),
        (_page().replace("<model>wikitext", "<model>css"), "read.not_a_record@1"),
        (_page().replace("<ns>0</ns>", ""), "read.missing_field@1"),
        (_page().replace("<title>문서 1</title>", ""), "read.missing_field@1"),
        (_page().replace("<id>1</id>", ""), "read.missing_field@1"),
    ],
)
def test_pages_that_are_no_articles(read: Read, write: Write, page: str, rule: str) -> None:
    found = read("mediawiki", write("a.xml", _export(page, _page(number=2))))
    assert (found.texts, found.rules) == ([PLAIN], [rule])
    assert found.rejected[0].line == 1


def test_a_page_above_the_cap_is_quarantined(
    read: Read, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mediawiki, "MAX_PAGE_BYTES", 1000)
    found = read("mediawiki", write("a.xml", _export(_page("가나다 " * 200), _page(number=2))))
    assert (found.texts, found.rules) == ([PLAIN], ["read.too_large@1"])


def test_an_endless_page_is_never_in_memory(read: Read, tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    before, after = _export(_page("@"), _page(number=2)).split("@")
    with path.open("wb") as stream:
        stream.write(before.encode())
        for _ in range(40):
            stream.write(b"word " * 200_000)
        stream.write(after.encode())
    tracemalloc.start()
    try:
        found = read("mediawiki", path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (found.texts, found.rules) == ([PLAIN], ["read.too_large@1"])
    assert peak < 20_000_000


BOMB = (
    '<!DOCTYPE m [<!ENTITY a "xxxxxxxxxx">'
    + "".join(
        f'<!ENTITY a{i} "{"&a" + (str(i - 1) if i else "") + ";"}{"&a;" * 9}">' for i in range(9)
    )
    + "]>"
)


@pytest.mark.parametrize(
    "prologue",
    [
        BOMB,
        '<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/hosts">]>',
        '<!DOCTYPE m SYSTEM "http://attacker.example/m.dtd">',
        "<!DOCTYPE mediawiki>",
    ],
)
def test_entities_and_document_types_are_refused(read: Read, write: Write, prologue: str) -> None:
    content = prologue + _export(_page("@")).replace("@", "&x;&a8;")
    with pytest.raises(InputError, match="holds a document type or entities"):
        read("mediawiki", write("a.xml", content))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<html><body/></html>", "is no MediaWiki export: its root is <html>"),
        ("<mediawiki></mediawiki>", "holds no page"),
        ("그냥 글", r"a\.xml:1: no whole XML"),
        (_export(_page())[:-30], r"no whole XML .* after 0 pages; fetch it again"),
        (_export(_page("&unknown;")).replace("&amp;", "&"), "no whole XML"),
        ("<mediawiki>" + "<a>" * 100, "nested too deep"),
        ("", "is empty"),
        ('<?xml version="1.0" encoding="euc-kr"?><mediawiki/>', "save it as UTF-8"),
        ('<mediawiki a="' + "a" * 5_000_000 + '"/>', "never ends"),
        ("<mediawiki><!--" + "a" * 5_000_000 + "--></mediawiki>", "never ends"),
        ('<?xml version="1.0" encoding="nonsense"?><mediawiki/>', "save it as UTF-8"),
    ],
)
def test_what_is_no_export_is_an_error(
    read: Read, write: Write, content: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        read("mediawiki", write("a.xml", content))


def test_an_export_that_is_cut_off_tells_after_how_many_pages(read: Read, write: Write) -> None:
    pages = "".join(_page(number=i) for i in range(1, 400))
    with pytest.raises(InputError, match=r"a\.xml:\d+: .* after \d\d\d pages"):
        read("mediawiki", write("a.xml", "<mediawiki>" + pages))
    data = bz2.compress(_export(pages).encode())
    with pytest.raises(InputError, match="is cut off"):
        read("mediawiki", write("a.xml.bz2", data[:-20]))


def test_a_parser_that_fails_costs_one_page(
    read: Read, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(code: str) -> object:
        if "비밀" in code:
            raise RuntimeError(code)
        return parse(code)

    parse = mwparserfromhell.parse
    monkeypatch.setattr(mwparserfromhell, "parse", fail)
    path = write("a.xml", _export(_page("비밀"), _page(number=2)))
    found = read("mediawiki", path)
    assert (found.texts, found.rules) == ([PLAIN], ["read.wikitext@1"])
    assert found.rejected[0].reason == "the wikitext cannot be parsed (RuntimeError)"


@pytest.mark.parametrize("mark", ["{{가|", "[[", "<b>", "{|\n", "<!-- ", "<ref "])
def test_a_page_that_would_stall_the_parser_is_quarantined(
    read: Read, write: Write, mark: str
) -> None:
    found = read("mediawiki", write("a.xml", _export(_page(mark * 60_000), _page(number=2))))
    assert (found.texts, found.rules) == ([PLAIN], ["read.wikitext@1"])
    assert found.rejected[0].reason == "too many brackets or tags are never closed"


def test_a_long_page_whose_marks_are_closed_is_read(read: Read, write: Write) -> None:
    text = "<b>[[가]]</b> {{lang|de|x}}<br><li><ref name=a />\n" * 8_000
    assert len(read("mediawiki", write("a.xml", _export(_page(text)))).documents) == 1


@pytest.mark.parametrize("mark", "*#:;")
def test_a_line_of_list_marks_reaches_the_parser_short(
    read: Read, write: Write, monkeypatch: pytest.MonkeyPatch, mark: str
) -> None:
    """The parser takes 40 s for 100,000 of them."""
    lengths, parse = [], mwparserfromhell.parse
    monkeypatch.setattr(
        mwparserfromhell, "parse", lambda code: (lengths.append(len(code)), parse(code))[1]
    )
    found = read("mediawiki", write("a.xml", _export(_page(f"{BODY}\n{mark * 100_000} 끝"))))
    assert lengths == [len(f"{BODY}\n{mark * 20} 끝")]
    assert found.texts[0].splitlines()[0] == PLAIN


def test_records_are_json_that_any_worker_can_parse(write: Write) -> None:
    path = write("a.xml", _export(_page()))
    (record,) = mediawiki.READER.scan(path, Options())
    assert isinstance(record, Record)
    fields = orjson.loads(record.data)
    assert set(fields) == {"title", "ns", "id", "timestamp", "model", "text"}


def test_the_real_page(read: Read, data_dir: Path) -> None:
    found = read("mediawiki", data_dir / "raw" / "kowiki_minidump.xml")
    (page,) = found.documents
    assert (page.key, page.title, page.date) == ("95091", "베를린", "2021-08-07")
    assert page.text.startswith("베를린(Berlin)은 독일의 수도이다.")
    assert [s.title for s in page.sections or ()] == [
        "",
        "초기 역사",
        "프로이센 왕국의 수도",
        "불안한 시대",
        "분단",
        "통일 이후 독일의 수도",
        "행정 구역",
        "주민",
        "문화",
        "정치",
        "경제",
        "스포츠",
        "자매 도시",
        "교통",
    ]
    assert not any(mark in page.text for mark in "[]{}|<>=*")
    assert not any(word in page.text for word in ("섬네일", "wikitable", "분류:", "1721"))
    assert "미하엘 뮐러(2014 ~ )이다" in page.text
    assert "여당 (92)\n야당 (68)" in page.text
    assert "미국 로스앤젤레스 (1967년)\n프랑스 파리 (1987년)" in page.text
    box = {row.name: row for row in page.infoboxes}
    assert [row.ordinal for row in page.infoboxes] == list(range(len(page.infoboxes)))
    assert {row.template for row in page.infoboxes} == {"도시 정보"}
    assert (box["정식표기"].value, box["인구"].value) == ("Berlin", "3,664,088")
    assert (box["나라"].value, box["나라"].links) == ("독일", ("독일",))
    assert box["웹사이트"].value == "http://www.berlin.de/"
    assert "지역" not in box
