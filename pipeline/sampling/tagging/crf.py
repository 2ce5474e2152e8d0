"""The `crf` tagger: a linear-chain conditional random field over morphemes.

Source: Lafferty, McCallum and Pereira 2001, "Conditional Random Fields"; the implementation is
CRFsuite. The folder of a model holds the weights as CRFsuite writes them, the facts of their making
(JSON), and a card made of these.

The features of a piece are itself, two neighbours on each side, and its place in its eojeol. No
list of names is used, but for the classes that the dictionary of mecab-ko gives to its own (인명,
지명): these are worth 1.5 points of entity F1. Digits are all written 0 and Latin letters in lower
case; the shape keeps what they were.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from pipeline.core.errors import InputError, MissingDependencyError
from pipeline.core.extras import install_command
from pipeline.core.files import MOST_BYTES, regular_file
from pipeline.core.fingerprint import of_file
from pipeline.core.jsontext import parsed
from pipeline.core.morphology import stretches
from pipeline.core.resources import DATA
from pipeline.sampling.tagging.pieces import Piece, Run, decode, fold, pieces
from pipeline.sampling.tagging.registry import DECIMALS, Mention
from pipeline.sampling.tagging.spans import possible_runs

#: Raised when a feature changes, and with it the meaning of all weights.
VERSION: Final = 1


def features(units: Sequence[Piece]) -> list[list[str]]:
    """Return the features of each piece, in order."""
    words = _frame([_word(piece.form) for piece in units])
    tags = _frame([piece.tag for piece in units])
    meanings = _frame([piece.meaning if piece.whole else f"{piece.meaning}*" for piece in units])
    # Two neighbours are written with what lies between them: nothing, or a blank.
    gaps = ["", "", *("" if piece.joined else "_" for piece in units), "", ""]
    starts = [i + 2 for i, piece in enumerate(units) if not piece.joined]
    ends = [start - 1 for start in starts[1:]] + [len(units) + 1]
    result = []
    for first, last in zip(starts, ends, strict=False):
        for i in range(first, last + 1):
            place = [
                f"e<={min(i - first, 3)}",
                f"e>={min(last - i, 3)}",
                f"e$={words[last]}{'*' if i == last else ''}",
                f"et$={tags[last]}",
                f"e^={words[first]}",
                f"et^={tags[first]}{'*' if i == first else ''}",
            ]
            result.append(
                _window(words, tags, meanings, gaps, i) + place + _shape(units[i - 2].form)
            )
    return result


def _frame(column: list[str]) -> list[str]:
    """Put two marks before the first piece and two after the last."""
    return ["^", "^", *column, "$", "$"]


def _window(w: list[str], t: list[str], m: list[str], g: list[str], i: int) -> list[str]:
    word, tag = w[i], t[i]
    left_word, right_word = w[i - 1] + g[i], g[i + 1] + w[i + 1]
    left_tag, right_tag = t[i - 1] + g[i], g[i + 1] + t[i + 1]
    return [
        "bias",
        f"w={word}",
        f"t={tag}",
        f"wt={word}/{tag}",
        f"w-={left_word}",
        f"w+={right_word}",
        f"w--={w[i - 2]}",
        f"w++={w[i + 2]}",
        f"t-={left_tag}",
        f"t+={right_tag}",
        f"t--={t[i - 2]}",
        f"t++={t[i + 2]}",
        f"w-w={left_word}{word}",
        f"ww+={word}{right_word}",
        f"w-t={left_word}{tag}",
        f"tw+={tag}{right_word}",
        f"t-t={left_tag}{tag}",
        f"tt+={tag}{right_tag}",
        f"t-t+={left_tag}{tag}{right_tag}",
        f"t--t={t[i - 2]}{g[i - 1]}{left_tag}{tag}",
        f"tt++={tag}{right_tag}{g[i + 2]}{t[i + 2]}",
        f"$-={w[i - 1][-1:]}{g[i]}",
        f"^+={g[i + 1]}{w[i + 1][:1]}",
        f"$$-={w[i - 1][-2:]}",
        f"^^+={w[i + 1][:2]}",
        f"w--w-={w[i - 2]}{g[i - 1]}{left_word}",
        f"w+w++={right_word}{g[i + 2]}{w[i + 2]}",
        f"m={m[i]}",
        f"m-={m[i - 1]}",
        f"m+={m[i + 1]}",
    ]


@lru_cache(maxsize=1 << 16)
def _word(form: str) -> str:
    return re.sub(r"\d", "0", form.lower())


@lru_cache(maxsize=1 << 16)
def _shape(form: str) -> list[str]:
    """Return the features of a form alone: kinds of characters, length, first and last ones."""
    word = _word(form)
    kinds = re.sub(r"(.)\1+", r"\1", "".join(map(_kind, form)), flags=re.S)
    shape = [f"k={kinds}", f"n={min(len(word), 5)}", f"^={word[:1]}", f"$={word[-1:]}"]
    if len(word) > 1:
        shape += [f"^^={word[:2]}", f"$$={word[-2:]}"]
    return [*shape, f"$$$={word[-3:]}"] if len(word) > 2 else shape


def _kind(char: str) -> str:
    if char.isdigit():
        return "0"
    if "가" <= char <= "힣":
        return "H"
    if "ㄱ" <= char <= "ㆎ":
        return "J"
    if char.isascii() and char.isalpha():
        return "A" if char.isupper() else "a"
    if "一" <= char <= "鿿":
        return "C"
    return char if char in ".,%()'\"<>[]~-:/·" else "S"


#: The weights that come with the project.
SHIPPED: Final = DATA / "models" / "ner-crf"
#: Those for the entities of relations: trained on KLUE-RE, too (`tools/relation_items.py`).
SHIPPED_RE: Final = DATA / "models" / "re-crf"
WEIGHTS: Final = "weights.crfsuite"
FACTS: Final = "facts.json"
#: Raised when the meaning of the files changes.
FORMAT: Final = "klue-tagger-crf@1"


@dataclass(frozen=True, eq=False)
class Crf:
    """Loaded weights; `model` is CRFsuite's, which holds one text at a time."""

    model: Any
    labels: tuple[str, ...]
    name: str
    digest: str
    _lock: Any = field(default_factory=threading.Lock)

    def tag(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Tag texts; see `Tagger.tag`. A score is the least marginal probability of a piece."""
        return [self._read(text, self._best_runs) for text in texts]

    def spans(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Return the possible spans of texts; see `SpanTagger.spans`."""
        return [sorted(self._read(text, self._possible_runs)) for text in texts]

    def _read(self, text: str, runs: Callable[[int], list[tuple[Run, float]]]) -> list[Mention]:
        folded = fold(text)
        return [
            Mention(*folded.original(left + start, left + end), label, score)
            for left, right in stretches(folded.text)
            for start, end, label, score in self._read_stretch(folded.text[left:right], runs)
        ]

    def _read_stretch(
        self, text: str, runs: Callable[[int], list[tuple[Run, float]]]
    ) -> list[Mention]:
        units = pieces(text)
        if not units:
            return []
        with self._lock:
            self.model.set(features(units))
            scores = runs(len(units))
        return [
            Mention(
                units[run.first].start,
                units[run.last].end,
                run.label,
                float(min(max(round(score, DECIMALS), 0.0), 1.0)),
            )
            for run, score in scores
        ]

    def _best_runs(self, _length: int) -> list[tuple[Run, float]]:
        tags = self.model.tag()
        return [
            (run, min(self.model.marginal(tags[i], i) for i in range(run.first, run.last + 1)))
            for run in decode(tags)
        ]

    def _possible_runs(self, length: int) -> list[tuple[Run, float]]:
        known = set(self.model.labels())

        def marginal(tag: str, i: int) -> float:
            return self.model.marginal(tag, i) if tag in known else 0.0

        return list(possible_runs(marginal, length, self.labels))


def load_crf(rest: str | Path = "", *, name: str = "crf") -> Crf:
    """Read the weights of a folder, by default the shipped ones.

    Raises InputError that says what is wrong with which file, MissingDependencyError without
    CRFsuite.
    """
    folder = Path(rest or SHIPPED)
    facts = facts_of(folder)
    path = folder / WEIGHTS
    model = library().Tagger()
    try:
        digest = of_file(path)
        if digest != facts.get("content"):
            raise _damage_error(
                path, f"is not what was written: its SHA-256 differs from that in {FACTS}"
            )
        model.open(str(path))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise _damage_error(path, f"cannot be read ({reason})") from None
    return Crf(model, tuple(facts["labels"]), name, digest)


def load_crf_re(rest: str = "", *, name: str = "crf-re") -> Crf:
    """Read the weights of a folder, by default the shipped ones for the entities of relations."""
    return load_crf(rest or SHIPPED_RE, name=name)


def facts_of(folder: Path) -> dict[str, Any]:
    """Return the facts that lie with the weights of a folder; raises InputError if they do not."""
    path = folder / FACTS
    try:
        facts = parsed(regular_file(path, most=MOST_BYTES).read_text("utf-8"))
    except FileNotFoundError:
        raise InputError(
            f"{path}: no such file; give the folder that `tools/train_tagger.py` wrote, or `crf`"
            " for the shipped weights"
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise _damage_error(path, f"cannot be read ({type(error).__name__})") from None
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        raise _damage_error(path, f"is not of the format {FORMAT}")
    labels = facts.get("labels")
    if not isinstance(labels, list) or not all(isinstance(x, str) for x in labels):
        raise _damage_error(path, "does not list the labels")
    if facts.get("features") != VERSION:
        raise InputError(
            f"{path}: made for version {facts.get('features')!r} of the features, this is version"
            f" {VERSION}; train again with `tools/train_tagger.py`"
        )
    return facts


def library() -> Any:
    """Import CRFsuite."""
    try:
        import pycrfsuite
    except ImportError:
        raise MissingDependencyError("python-crfsuite", install_command()) from None
    return pycrfsuite


def _damage_error(path: Path, problem: str) -> InputError:
    return InputError(
        f"{path}: {problem}; restore the file, or train again with `tools/train_tagger.py`"
    )
