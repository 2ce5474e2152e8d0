"""Names of columns in messages: shown where they are names, a number where they may be data.

The first row of a file without header, and of a table with a column a person, holds texts or names
of people; no message repeats them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

from pipeline.core.wording import count

#: How much of a name a message shows, and of how many columns.
_LONGEST: Final = 30
_MOST: Final = 12
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
#: One or two ASCII words, with a short number behind: text, review text, sentence2.
_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z_.:/()-]*(?: [A-Za-z_(][A-Za-z_.:/()-]*)?[0-9]{0,2}")
#: What separates columns in files that are named .csv all the same.
_SEPARATORS: Final = (";", "\t", "|")


def is_name(text: str) -> bool:
    """Tell whether a text of the first row is surely a column's name and no data."""
    text = text.strip()
    is_plain = _PLAIN.fullmatch(text) and not text.endswith(".")
    return bool(is_plain or _HEADER.fullmatch(text))


def show_name(name: str, number: int) -> str:
    """Return a column for a message: its name, or its number from 1 where the name may be data."""
    return repr(name[:_LONGEST]) if is_name(name) else f"number {number}"


def show_names(names: Iterable[str]) -> str:
    """Return the columns of a file for a message, shortened where they are many."""
    every = list(names)
    if not every:
        return "no column"
    if not any(map(is_name, every)):
        return f"{count(len(every), 'column')} without a plain name, as if a header were missing"
    shown = (show_name(name, number) for number, name in enumerate(every[:_MOST], start=1))
    more = len(every) - _MOST
    return ", ".join(shown) + (f" and {more:,} more" if more > 0 else "")


def other_separator(names: Collection[str]) -> str:
    """Return what separates the columns of a table that seems to have a single one, or ""."""
    (name, *others) = names or ("",)
    return "" if others else next((mark for mark in _SEPARATORS if name.count(mark)), "")
