"""Readers of the corpora of Section 4.1, in the forms in which they are published."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reader_result import Read

from pipeline.core.errors import InputError
from pipeline.core.fingerprint import ROOT

SAMPLE = ROOT / "data" / "sample" / "corpora"
Write = Callable[[str, bytes | str], Path]


def _modu(*documents: dict[str, Any]) -> str:
    head = {"id": "X", "metadata": {"title": 'a "document": [', "n": [1, {"document": 2}]}}
    return json.dumps({**head, "document": list(documents)}, ensure_ascii=False)


def test_modu_paragraphs_are_lines_of_a_document(read: Read, write: Write) -> None:
    about = {"title": "제목", "date": "20180305", "topic": "사회", "author": "가상 기자"}
    forms = [{"id": "1.1", "form": "첫 문단이다."}, {"id": "1.2", "form": " 둘째 문단이다. "}]
    path = write("NW.json", _modu({"id": "NW.1", "metadata": about, "paragraph": forms}))
    (document,) = read("modu", path).documents
    assert (document.key, document.text) == ("NW.1", "첫 문단이다.\n둘째 문단이다.")
    assert (document.title, document.date, document.section) == ("제목", "2018-03-05", "사회")
    assert "가상 기자" not in repr(document)


def test_modu_joins_what_is_said_and_not_what_is_sent(read: Read, write: Write) -> None:
    said = [
        {"form": "제가 어제", "speaker_id": "A", "start": 0.0},
        {"form": "갔는데요.", "speaker_id": "A", "start": 2.0},
        {"form": "그래요?", "speaker_id": "B", "start": 3.0},
    ]
    sent = [{"form": form, "speaker_id": "1", "time": "20190101 00:01"} for form in ("응", "그래")]
    path = write("SD.json", _modu({"id": "1", "utterance": said}, {"id": "2", "utterance": sent}))
    texts = [document.text for document in read("modu", path).documents]
    assert texts == ["제가 어제 갔는데요.\n그래요?", "응\n그래"]


def test_modu_reads_folders_and_sets_faulty_documents_aside(read: Read, write: Write) -> None:
    write("m/a.json", _modu({"id": "1", "paragraph": [{"form": "글이다."}]}, {"id": "2"}))
    path = write("m/b.json", _modu({"id": "3", "paragraph": [{"form": "글이다."}]})[:-20]).parent
    result = read("modu", path)
    assert [document.key for document in result.documents] == ["1"]
    rules = [(row.file, row.rule) for row in result.rejected]
    assert rules == [("a.json", "read.missing_field@1"), ("b.json", "read.unreadable@1")]


def test_cc100_documents_end_at_empty_lines(read: Read, write: Write) -> None:
    documents = read("paragraphs", write("ko.txt", "하나\n둘\n\n\n셋\r\n \n넷")).documents
    assert [(d.line, d.text) for d in documents] == [(1, "하나\n둘"), (5, "셋"), (7, "넷")]


def test_cc100_sets_a_document_of_any_size_aside(read: Read, write: Write, small_cap: int) -> None:
    text = "\n".join(["가" * 100] * 5) + "\n\n짧다\n\n" + "나" * 500 + "\n끝"
    result = read("paragraphs", write("ko.txt", text))
    assert [d.text for d in result.documents] == ["짧다"]
    assert [(r.line, r.rule) for r in result.rejected] == [
        (1, "read.too_long@1"),
        (9, "read.too_long@1"),
    ]


def test_news_crawl_reads_the_text_as_it_was(read: Read, write: Write) -> None:
    cut, whole = (b64encode(t.encode()).decode() for t in ("하나.\n둘.", "하나. 둘."))
    lines = f"20190214\t{cut}\t{whole}\n20190215\t{cut}\n20190216\t{cut}\t*\n"
    result = read("news_crawl", write("news.txt", lines))
    assert [(d.date, d.text) for d in result.documents] == [("2019-02-14", "하나. 둘.")]
    assert [(r.line, r.rule) for r in result.rejected] == [
        (2, "read.malformed@1"),
        (3, "read.malformed@1"),
    ]


def test_namuwiki_leaves_redirects_and_other_namespaces_out(read: Read) -> None:
    result = read("namuwiki", SAMPLE / "namuwiki" / "namuwiki.json")
    assert [document.key for document in result.documents] == ["가람천", "달빛 수사대"]
    assert [row.rule for row in result.rejected] == ["read.redirect@1", "read.namespace@1"]
    assert "가상사용자" not in repr(result.documents)


def test_namuwiki_is_streamed_and_a_dump_that_is_cut_off_is_refused(
    read: Read, write: Write, small_cap: int
) -> None:
    pages = [{"namespace": "0", "title": str(n), "text": "글이다. " * 30} for n in range(100)]
    whole = json.dumps(pages, ensure_ascii=False)
    assert len(read("namuwiki", write("n.json", whole)).documents) == 100
    with pytest.raises(InputError, match="cut off, after 99 objects"):
        read("namuwiki", write("n.json", whole[:-9]))
    pages[3]["text"] = "글" * 2_000_000
    with pytest.raises(InputError, match="what follows 3 objects is no JSON, or has more than"):
        read("namuwiki", write("n.json", json.dumps(pages, ensure_ascii=False)))


def test_petitions_are_their_bodies(read: Read) -> None:
    documents = read("petitions", SAMPLE / "petitions" / "petitions.jsonl").documents
    assert [document.key for document in documents] == ["900001", "900002", "900003"]
    assert documents[1].date == "2019-03-09"
    assert documents[1].text.startswith("새벽에 일하는 사람들은")
