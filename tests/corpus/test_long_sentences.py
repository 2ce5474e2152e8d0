"""What a mark that nothing closes would keep together is cut; shorter quotations are left alone."""

from __future__ import annotations

import pytest

from pipeline.corpus.long_sentences import MAX_QUOTED
from pipeline.corpus.segmentation import sentence_spans

SAID = "우리는 어제 학교에 갔습니다."
MANY = " ".join([SAID] * (MAX_QUOTED // len(SAID) + 2))


def _sentences(text: str, *, layout: bool = True) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text, layout=layout)]


@pytest.mark.parametrize("marks", ["“”", '""', "‘’"])
def test_what_marks_keep_together_for_too_long_is_cut(marks: str) -> None:
    opening, closing = marks
    text = f"{opening}{MANY}{closing}"
    assert _sentences(text, layout=False) == [text]
    between = [SAID] * (MANY.count(SAID) - 2)
    assert _sentences(text) == [opening + SAID, *between, SAID + closing]


def test_marks_go_with_what_they_touch() -> None:
    text = f"“{MANY}” “{SAID} {SAID}"
    sentences = _sentences(text)
    assert sentences[0] == f"“{SAID}"
    assert sentences[-3:] == [f"{SAID}”", f"“{SAID}", SAID]
    assert " ".join(sentences) == text


def test_a_quotation_of_usual_length_stays_whole() -> None:
    text = f"그는 “{SAID} {SAID}”라고 말했다."
    assert _sentences(text) == [text]
