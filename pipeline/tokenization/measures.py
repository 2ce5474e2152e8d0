"""What a tokenizer makes of texts, beside mecab: the figures of Table 35, and edges of morphemes.

A word is what lies between blanks. Source: Rust et al. 2021 (fertility, continued words).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pipeline.core.checkpoint import VOCABULARIES, library
from pipeline.core.errors import InputError
from pipeline.core.files import refuse
from pipeline.core.io import Source
from pipeline.core.morphology import morphemes
from pipeline.tokenization.counting import Quarantine, read_texts

#: Of one of these every tokenizer of Korean text makes a token.
_PROBE: Final = "가 a 1 ."

Numbers = NDArray[Any]


@dataclass
class Tally:
    """Sums over texts of one tokenizer; `edges` are beginnings of tokens inside words.

    `right` are those of them at which a morpheme begins; `seconds` are of processors.
    """

    tokens: int = 0
    unknown: int = 0
    continued: int = 0
    edges: int = 0
    right: int = 0
    seconds: float = 0.0


class Texts:
    """Some texts: their words, and the edges of morphemes inside words."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = list(texts)
        joined = "\n".join(self.texts)
        sizes = np.fromiter((len(text) + 1 for text in self.texts), np.int64, len(self.texts))
        self._bases = np.cumsum(sizes) - sizes
        blank = np.fromiter(map(str.isspace, joined + "\n"), np.bool_, len(joined) + 1)
        begins = ~blank & np.concatenate([[True], blank[:-1]])
        self._inside = ~blank & ~begins
        self._word = np.cumsum(begins) - 1
        letters = np.where(blank, len(blank) - 1, np.arange(len(blank)))
        self._next = np.minimum.accumulate(letters[::-1])[::-1]
        self.words = int(begins.sum())
        self._edges = self._edges_of([[m.start for m in morphemes(text)] for text in self.texts])
        self.edges = int(self._edges.sum())

    def add(self, tally: Tally, tokenizer: Any) -> None:
        """Have a tokenizer read the texts, and add what it makes of them to its tally."""
        before = time.process_time()
        encoded = tokenizer.backend_tokenizer.encode_batch(self.texts, add_special_tokens=False)
        tally.seconds += time.process_time() - before
        begins = [[start for start, _ in row.offsets] for row in encoded]
        unknown = tokenizer.unk_token_id
        places = self._places(begins)
        counts = np.bincount(self._word[places], minlength=self.words)
        edges = self._edges_of(begins)
        tally.tokens += len(places)
        tally.unknown += sum(row.ids.count(unknown) for row in encoded)
        tally.continued += int((counts > 1).sum())
        tally.edges += int(edges.sum())
        tally.right += int((edges & self._edges).sum())

    def _places(self, begins: Sequence[Sequence[int]]) -> Numbers:
        """Return where tokens begin among all letters; some tokenizers put a blank before one."""
        values = [
            np.array(row, np.int64) + base for row, base in zip(begins, self._bases, strict=True)
        ]
        places: Numbers = self._next[np.concatenate([np.empty(0, np.int64), *values])]
        return places

    def _edges_of(self, begins: Sequence[Sequence[int]]) -> Numbers:
        edges: Numbers = np.zeros(len(self._inside), np.bool_)
        edges[self._places(begins)] = True
        edges &= self._inside
        return edges


def measure(
    sources: Sequence[Source],
    tokenizers: Sequence[Any],
    *,
    quarantine: Quarantine = lambda *_: None,
    advance: Callable[[int], object] = lambda _: None,
) -> dict[str, Any]:
    """Have tokenizers read the texts of files; returns sums of the texts, and figures of each.

    `quarantine` is called with each row that cannot be read, and its file; `advance` with numbers
    of texts. Raises InputError for a file that cannot be read as a whole.
    """
    tallies, sums = [Tally() for _ in tokenizers], Counter[str](texts=0, words=0, edges=0)
    for some in read_texts(sources, quarantine):
        texts = Texts(some)
        sums.update(texts=len(some), words=texts.words, edges=texts.edges)
        for tally, tokenizer in zip(tallies, tokenizers, strict=True):
            texts.add(tally, tokenizer)
        advance(len(some))
    rows = [figures(tally, words=sums["words"], edges=sums["edges"]) for tally in tallies]
    return {"texts": sums["texts"], "words": sums["words"], "tokenizers": rows}


def figures(tally: Tally, *, words: int, edges: int) -> dict[str, float | None]:
    """Return the figures of a tokenizer; None for a share of nothing.

    `words` and `edges` are the words of the texts and the edges of morphemes inside them. Tokens
    per second are of one processor.
    """
    return {
        "fertility": _share(tally.tokens, words),
        "continued": _share(tally.continued, words),
        "unknown": _share(tally.unknown, tally.tokens),
        "precision": _share(tally.right, tally.edges),
        "recall": _share(tally.right, edges),
        "tokens_per_second": _share(tally.tokens, tally.seconds),
    }


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def load_tokenizer(folder: Path) -> Any:
    """Load a tokenizer of transformers that tells places.

    Raises InputError for a folder that holds none, one that is damaged, or one without places.
    """
    refuse(folder, (not folder.is_dir(), "no such folder; give the folder of a tokenizer"))
    is_one = any(path.is_file() for form in VOCABULARIES for path in folder.glob(form))
    needed = f"holds no tokenizer; needed: one of {', '.join(VOCABULARIES)}"
    refuse(folder, (not is_one, f"{needed}; give what klue tokenizer train or transformers wrote"))
    try:
        tokenizer = library("transformers").AutoTokenizer.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False
        )
        is_usable = tokenizer.is_fast and bool(tokenizer.tokenize(_PROBE))
    except Exception as error:  # whatever the library and its parsers raise
        raise InputError(
            f"{folder}: its tokenizer cannot be loaded ({type(error).__name__}); it is damaged or"
            " of another kind: give what klue tokenizer train or transformers wrote"
        ) from None
    refuse(folder, (not is_usable, "its tokenizer tells no places of tokens; give a fast one"))
    tokenizer.backend_tokenizer.no_truncation()
    tokenizer.backend_tokenizer.no_padding()
    return tokenizer
