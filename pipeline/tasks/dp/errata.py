"""Faults of trees that their sentences prove: words and lemmas that a spreadsheet damaged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from pipeline.release.errata.patches import Finding
from pipeline.release.tables import Row

#: A number and one sign behind it, which have the tags SN and SW.
_AMOUNT: Final = re.compile(r"(\d[\d.,]*)([^\w\s])")


def findings(row: Row) -> Iterator[Finding]:
    """Yield words that are not those of the sentence, and lemmas of fewer parts than tags."""
    words = row["sentence"].split(" ")
    if len(words) == len(row["word_form"]):
        for at, (old, new) in enumerate(zip(row["word_form"], words, strict=True)):
            if old != new:
                reason = "the sentence has another word here"
                yield Finding("errata.word@1", f"word_form.{at}", old, new, reason)
    if row["lemma"] is None or row["pos"] is None:
        return
    for at, (lemma, tags) in enumerate(zip(row["lemma"], row["pos"], strict=False)):
        amount = _AMOUNT.fullmatch(words[at]) if at < len(words) else None
        if tags == "SN+SW" and amount and lemma != " ".join(amount.groups()):
            reason = "one lemma for the two tags of a number and its sign"
            yield Finding("errata.lemma@1", f"lemma.{at}", lemma, " ".join(amount.groups()), reason)
