"""The `lexicon` detector: 1.0 for a text that holds a word of the list, else 0.0.

Korean words have no end that a pattern could ask for: particles and endings are written to them. So
an entry is a stem, found wherever it stands; `^` before it asks that no Hangul stands before it,
a blank in it may be there or not, and words that hold a stem by accident are exceptions, taken out
of the text first.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pydantic import BeforeValidator

from pipeline.core.errors import InputError, SpecError
from pipeline.core.files import refuse
from pipeline.core.fingerprint import of_file
from pipeline.core.resources import DATA
from pipeline.core.specs import Spec
from pipeline.core.specs import load as read_spec
from pipeline.corpus.toxicity.scoring import as_table

#: The most entries of a word list: the time of a text grows with them.
MOST: Final = 10_000
#: The word list that comes with the project.
SHIPPED: Final = DATA / "models" / "toxicity-lexicon.yaml"
#: Stands where an exception was: no entry holds it, so that none is found across it.
_GAP: Final = "\n"


def _entries(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise ValueError("must be a list of words")
    bare = [entry.removeprefix("^").strip() for entry in value]
    if not all(bare):
        raise ValueError("holds an empty entry; remove it")
    if len(set(value)) != len(value):
        raise ValueError("holds an entry twice; keep one")
    return tuple(value)


Entries = Annotated[tuple[str, ...], BeforeValidator(_entries)]


class Words(Spec):
    """A word list as its file has it."""

    gender_bias: Entries
    hate: Entries
    exceptions: Entries = ()


@dataclass(frozen=True)
class Lexicon:
    """A word list as patterns of RE2, which Arrow runs in time linear in the text."""

    gender_bias: str
    hate: str
    exceptions: str
    name: str
    digest: str

    def score(self, texts: pa.Array) -> pa.Table:
        """Score texts; see `Detector.score`."""
        plain = pc.utf8_lower(pc.utf8_normalize(pc.fill_null(texts, ""), form="NFKC"))
        if self.exceptions:
            plain = pc.replace_substring_regex(plain, self.exceptions, _GAP)
        return as_table(_match(plain, self.gender_bias), _match(plain, self.hate))


def load_lexicon(file: str | Path = "", *, name: str = "lexicon") -> Lexicon:
    """Read a word list, by default the shipped one.

    It is YAML with the keys gender_bias, hate and exceptions. Raises InputError with ``file:line``
    for what is wrong.
    """
    path = Path(file or SHIPPED)
    try:
        words = read_spec(path, Words)
    except SpecError as error:
        raise InputError(str(error)) from None
    count = len(words.gender_bias) + len(words.hate) + len(words.exceptions)
    refuse(
        path,
        (
            not words.gender_bias and not words.hate,
            "holds no word; list at least one under gender_bias or hate",
        ),
        (count > MOST, f"{count:,} entries; allowed: {MOST:,}, since each costs time"),
    )
    return Lexicon(
        gender_bias=_pattern(words.gender_bias),
        hate=_pattern(words.hate),
        exceptions=_pattern(words.exceptions),
        name=name,
        digest=of_file(path),
    )


def _pattern(entries: tuple[str, ...]) -> str:
    """Return one alternation, longer entries first; nothing for no entries."""
    plain = {unicodedata.normalize("NFKC", entry).lower() for entry in entries}
    free: list[str] = []
    first: list[str] = []
    for entry in sorted(plain, key=lambda entry: (-len(entry), entry)):
        words = entry.removeprefix("^").split()
        # A blank in an entry may be absent.
        (first if entry.startswith("^") else free).append(r"[ \t]?".join(map(re.escape, words)))
    parts = [f"(?:^|[^가-힣])(?:{'|'.join(first)})"] if first else []
    return "|".join(parts + free)


def _match(texts: pa.Array, pattern: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    if not pattern:
        return np.zeros(len(texts))
    hits = pc.match_substring_regex(texts, pattern)
    return np.asarray(hits.to_numpy(zero_copy_only=False), np.float64)
