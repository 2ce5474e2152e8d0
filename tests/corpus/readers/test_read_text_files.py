"""Plain text files and the rule that finds headings in them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reader_result import Read

from pipeline.corpus.readers import lines

Write = Callable[[str, bytes | str], Path]

LEAD = "바람개비는 바람의 힘으로 도는 장난감이다."
PROSE = "옛날에는 종이를 접어 만들었고 막대 끝에 꽂아 들고 뛰었다."


def _documents(text: str) -> list[tuple[str, int, str]]:
    return [(s.title, s.level, text[s.start : s.end]) for s in lines.sections(text)]


def test_a_short_line_at_the_start_of_a_block_with_prose_below_is_a_heading() -> None:
    text = f"{LEAD}\n\n역사\n{PROSE}\n{PROSE}\n\n{PROSE}\n"
    assert _documents(text) == [
        ("", 1, LEAD),
        ("역사", 2, f"{PROSE}\n{PROSE}\n\n{PROSE}"),
    ]


def test_stacked_headings_each_begin_a_section_and_empty_ones_are_left_out() -> None:
    text = f"{LEAD}\n\n종류\n종이 바람개비\n{PROSE}\n\n재료\n{PROSE}"
    assert [title for title, _, _ in _documents(text)] == ["", "종이 바람개비", "재료"]


def test_a_heading_that_stands_alone_before_a_paragraph() -> None:
    assert _documents(f"{LEAD}\n\n만들기\n\n{PROSE}")[1] == ("만들기", 2, PROSE)


@pytest.mark.parametrize(
    "block",
    [
        "빨강\n파랑\n노랑",
        f"빨강\n파랑\n노랑\n초록\n보라\n{PROSE}",
        "짧은 줄.\n이것도 글이다, 조금 더 길 뿐이다.",
        "다음과 같다:\n종이와 막대와 핀이 있으면 된다.",
        f"{'아주 긴 줄은 제목이 아니다 ' * 3}\n{PROSE}",
        "홀로 선 짧은 줄",
    ],
)
def test_lists_and_sentences_are_no_headings(block: str) -> None:
    text = f"{LEAD}\n\n{block}"
    assert _documents(text) == [("", 1, text)]


def test_the_first_block_is_the_lead() -> None:
    assert _documents(f"바람개비\n{PROSE}") == [("", 1, f"바람개비\n{PROSE}")]


def test_headings_left_over_from_a_wiki_have_their_level() -> None:
    text = f"{LEAD}\n\n== 역사 ==\n\n{PROSE}\n=== 근대 ===\n{PROSE}\n== 각주 ==\n\n"
    assert _documents(text) == [("", 1, LEAD), ("역사", 2, PROSE), ("근대", 3, PROSE)]


def test_sections_of_links_are_left_out() -> None:
    text = f"{LEAD}\n\n같이 보기\n연\n팽이\n\n외부 링크\n장난감 박물관\n\n뒷이야기\n{PROSE}"
    assert _documents(text) == [("", 1, LEAD), ("뒷이야기", 2, PROSE)]


def test_carriage_returns_do_not_hide_headings() -> None:
    text = f"{LEAD}\r\n\r\n역사\r\n{PROSE}\r\n"
    assert _documents(text) == [("", 1, LEAD), ("역사", 2, PROSE)]


def test_a_hostile_line_does_not_stall_the_rule() -> None:
    line = "= " + " =" * 50_000 + " x"
    assert _documents(f"{LEAD}\n\n{line}") == [("", 1, f"{LEAD}\n\n{line}")]


@given(st.lists(st.sampled_from([LEAD, PROSE, "역사", "각주", "== 틀 ==", "", " ", "가\u2028나"])))
def test_sections_lie_in_order_and_hold_no_white_space_at_their_ends(
    given_lines: list[str],
) -> None:
    text = "\n".join(given_lines)
    end = 0
    for section in lines.sections(text):
        assert end <= section.start < section.end <= len(text)
        body = text[section.start : section.end]
        assert body == body.strip()
        assert section.level in (1, 2)
        end = section.end


def test_a_folder_of_files(read: Read, write: Write, tmp_path: Path) -> None:
    write("in/놀이/바람개비.txt", b"\xef\xbb\xbf" + f"{LEAD}\n\n역사\n{PROSE}\n".encode())
    write("in/a.b.TXT", f" {LEAD}\r\n")
    write("in/빈 글.txt", " \n")
    write("in/깨진 글.txt", LEAD.encode("cp949"))
    write("in/메모.md", "메모")
    found = read("text_files", tmp_path / "in")
    first, second = found.documents
    assert (first.key, first.title, first.text) == ("a.b", "a.b", f" {LEAD}\r\n")
    assert (second.key, second.title, second.file) == (
        "놀이/바람개비",
        "바람개비",
        "놀이/바람개비.txt",
    )
    assert second.sections is not None
    assert [s.title for s in second.sections] == ["", "역사"]
    assert second.text[second.sections[1].start : second.sections[1].end] == PROSE
    assert sorted(found.rules) == ["read.empty@1", "read.encoding@1", "read.not_a_record@1"]


def test_one_file(read: Read, write: Write) -> None:
    (only,) = read("text_files", write("바람개비.txt", LEAD)).documents
    assert (only.key, only.file, only.text) == ("바람개비", "바람개비.txt", LEAD)


def _packed(name: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr(name, LEAD)
    return target.getvalue()


@pytest.mark.parametrize("name", ["놀라워!/돌아라! 바람개비", "a.zip!b"])
def test_an_exclamation_mark_in_a_name_is_part_of_the_key(
    read: Read, write: Write, tmp_path: Path, name: str
) -> None:
    write(f"in/{name}.txt", LEAD)
    folder = read("text_files", tmp_path / "in").documents[0]
    packed = read("text_files", write("야!.zip", _packed(f"{name}.txt"))).documents[0]
    assert folder.key == packed.key == name
    assert folder.title == packed.title == Path(name).name
    assert (folder.file, packed.file) == (f"{name}.txt", f"야!.zip!{name}.txt")


def test_a_file_of_references_alone_has_no_sections(read: Read, write: Write) -> None:
    (only,) = read("text_files", write("연.txt", "== 각주 ==\n1. 어느 책\n")).documents
    assert only.sections == ()


def test_real_wikipedia_texts(read: Read, data_dir: Path) -> None:
    found = read("text_files", data_dir / "raw" / "kowiki")
    assert (len(found.documents), found.rejected) == (55, [])
    assert found.documents[0].key.startswith("modern_music/")
    by_title = {d.title: d for d in found.documents}
    golf = [s.title for s in by_title["골프"].sections or ()]
    assert golf[:4] == ["", "유래와 역사", "대한민국", "코스"]
    assert "외부 링크" not in golf
    assert "장하나" not in golf
    assert [s.title for s in by_title["비밥"].sections or ()] == [""]
