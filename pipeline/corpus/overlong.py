"""Paragraphs that are too much for kss and mecab, and the parts they are cut into.

What is cut has more than MAX_PARAGRAPH code points, more than MAX_LABELS dotted Latin names in one
run, or a run of more than MAX_RUN characters: time grows with the square of each.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from pipeline.core.morphology import MAX_RUN, long_runs
from pipeline.corpus.long_sentences import Span

MAX_PARAGRAPH: Final = 20_000
"""Code points; a longer paragraph is cut into parts, at blanks where it has any."""

MAX_LABELS: Final = 100
"""Dotted names in one unbroken run, as in `a.b.c`: kss's URL pattern needs their square in time."""

SHORT: Final = 2 * MAX_LABELS
"""Code points; what is no longer cannot hold more labels, with their dots, and is never cut."""

_PART = re.compile(rf"(?s:.{{1,{MAX_PARAGRAPH}}}(?=\s|$)|.{{1,{MAX_PARAGRAPH}}})")
_LATIN = r"a-zA-Z0-9\u0130\u0131\u017f\u212a"  # the last four equal i, s and k to kss's pattern
_LABEL = re.compile(rf"[{_LATIN}]+")
_DOTTED_RUN = re.compile(rf"[{_LATIN}.\-]+")


def excess_of(paragraph: str) -> str:
    """Return what there is too much of for kss, with the limit; empty if nothing."""
    if len(paragraph) > MAX_PARAGRAPH:
        return f"{len(paragraph):,} characters, {MAX_PARAGRAPH:,} allowed"
    if len(paragraph) <= SHORT:
        return ""
    labels = max((len(_LABEL.findall(run)) for run in _DOTTED_RUN.findall(paragraph)), default=0)
    if labels > MAX_LABELS:
        return f"{labels:,} dotted names in a run, {MAX_LABELS:,} allowed"
    longest = max((end - start for start, end in long_runs(paragraph)), default=0)
    return f"{longest:,} characters without a blank, {MAX_RUN:,} allowed" if longest else ""


def parts_of(paragraph: str) -> list[Span]:
    """Return the parts of a paragraph that are not too much for kss; all of it, mostly."""
    if not excess_of(paragraph):
        return [(0, len(paragraph))]
    cuts = {0, *(match.end() for match in _PART.finditer(paragraph))}
    for run in _DOTTED_RUN.finditer(paragraph):
        labels = list(_LABEL.finditer(paragraph, *run.span()))
        cuts |= {label.start() for label in labels[MAX_LABELS::MAX_LABELS]}
    return list(pairwise(sorted(cuts.union(*long_runs(paragraph)))))
