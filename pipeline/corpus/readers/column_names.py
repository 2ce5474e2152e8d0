"""Names of columns in messages: shown where they are names, masked where they may be data."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

#: How much of a name a message shows.
_LONGEST: Final = 30
#: What Korean tables call their columns. A name that ends with such a word is one too (리뷰내용),
#: but not behind one syllable: it may be a surname.
_WORDS: Final = (
    *("번호", "순번", "아이디", "이름", "제목", "본문", "내용", "텍스트", "문장", "원문", "문단"),
    *("리뷰", "후기", "댓글", "상품평", "의견", "기사", "발화", "대화", "질문", "답변", "문서"),
    *("항목", "작성일", "작성자", "등록일", "날짜", "일자", "일시", "시간", "라벨", "레이블"),
    *("정답", "분류", "유형", "범주", "카테고리", "평점", "별점", "점수", "출처", "작업자"),
    *("주석자", "평가자"),
)
_HEADER: Final = re.compile(rf"(?:[가-힣]{{2,6}})?(?:{'|'.join(_WORDS)})")
#: What separates columns in files that are named .csv all the same.
_SEPARATORS: Final = (";", "\t", "|")


def masked(name: str) -> str:
    """Return a column's name for a message: in a file without header, it is a cell with data."""
    is_plain = name.isascii() and "@" not in name and not any(map(str.isdigit, name))
    if is_plain or _HEADER.fullmatch(name.strip()):
        return repr(name[:_LONGEST])
    return repr(name[:1] + "*" * (min(len(name), _LONGEST) - 1))


def masked_list(names: Iterable[str]) -> str:
    """Return names of columns for a message, one after another."""
    return ", ".join(map(masked, names))


def other_separator(names: Collection[str]) -> str:
    """Return what separates the columns of a table that seems to have a single one, or ""."""
    (name, *others) = names or ("",)
    return "" if others else next((mark for mark in _SEPARATORS if name.count(mark)), "")
