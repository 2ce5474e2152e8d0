"""Spans as people mark them with a mouse: with blanks at their ends, or twice."""

from __future__ import annotations

from typing import Any, Final

from pipeline.core.errors import RecordError

#: The rule that refuses an answer with a span of blanks.
BLANK: Final = "exchange.offset@1"


def tidy_spans(spans: list[dict[str, Any]], text: str) -> list[dict[str, Any]]:
    """Return spans without the blanks at their ends, equal ones once, as a mouse marks them.

    Raises RecordError for a span of blanks alone. What lies outside the text stays as it is.
    """
    tidy: list[dict[str, Any]] = []
    for span in spans:
        start, end = span["start"], span["end"]
        if 0 <= start < end <= len(text):
            marked = text[start:end]
            if not marked.strip():
                raise RecordError(BLANK, "a span holds nothing but blanks; delete it")
            start += len(marked) - len(marked.lstrip())
            end = start + len(marked.strip())
        whole_span = {**span, "start": start, "end": end}
        if whole_span not in tidy:
            tidy.append(whole_span)
    return tidy
