"""The columns of news corpora, whatever file they come in.

An article has body, and where the input gives them title, date, section and url; a headline is a
title without body. The key is the id, else the url, else the line number.
"""

from __future__ import annotations

from typing import Final

from pipeline.ingest.readers.columns import Columns

_COMMON: Final = {"key": "id", "date": "date", "section": "section", "url": "url"}

ARTICLE: Final = Columns({"text": "body"}, {"title": "title", **_COMMON})
HEADLINE: Final = Columns({"text": "title"}, _COMMON)
