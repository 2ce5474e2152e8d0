"""Texts to a tokenizer with its record: read once for their letters, and once for their words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple

from pipeline.core.files import refuse
from pipeline.core.io import Source
from pipeline.core.morphology import PACKAGES
from pipeline.core.pool import Workers
from pipeline.core.store import write_json
from pipeline.core.wordpiece import MIN_FREQUENCY, SPECIAL, framed
from pipeline.tokenization.algorithms import ALGORITHMS
from pipeline.tokenization.counting import WORDS, Counts, Survey, count_words
from pipeline.tokenization.recipes import LONGEST

#: Beside the files of the tokenizer: how it was made.
RECORD: Final = "tokenizer_record.json"
#: More pieces than any tokenizer in use has.
MOST_PIECES: Final = 2_000_000
#: The share of all letters of the texts that have pieces, the most frequent first, as in
#: sentencepiece (its `character_coverage`).
COVERAGE: Final = 0.9995


@dataclass(frozen=True)
class Settings:
    """A recipe, an algorithm, and the largest number of pieces, with the special tokens."""

    recipe: str
    algorithm: str
    vocabulary: int


class Trained(NamedTuple):
    """A tokenizer of transformers, and its record."""

    tokenizer: Any
    record: dict[str, Any]

    def save(self, folder: Path) -> None:
        """Write what `AutoTokenizer.from_pretrained` loads into a folder, and the record."""
        self.tokenizer.save_pretrained(folder)
        write_json(folder / RECORD, self.record)


def alphabet(counts: Mapping[str, int]) -> list[str]:
    """Return the fewest letters that make up COVERAGE of all, the most frequent first.

    Blanks are no letters. Of equally frequent letters the one with the lower code point is first.
    """
    letters = {letter: count for letter, count in counts.items() if not letter.isspace()}
    wanted, covered, chosen = COVERAGE * sum(letters.values()), 0, list[str]()
    for letter in sorted(letters, key=lambda letter: (-letters[letter], letter)):
        if covered >= wanted:
            break
        chosen.append(letter)
        covered += letters[letter]
    return chosen


def check_vocabulary(vocabulary: int, letters: Sequence[str]) -> None:
    """Raise InputError for a vocabulary without room for a piece of several letters, or huge.

    The trainers reserve memory for all pieces that they may take.
    """
    least = len(SPECIAL) + 2 * len(letters) + 1
    refuse(
        f"--vocabulary {vocabulary}",
        (
            vocabulary < least,
            f"is smaller than the alphabet: {len(letters):,} letters have two pieces each, beside"
            f" {len(SPECIAL)} special tokens; give at least {least}",
        ),
        (vocabulary > MOST_PIECES, f"is out of range; give at most {MOST_PIECES:,}"),
    )


def train(
    sources: Sequence[Source],
    *,
    settings: Settings,
    surveyed: Survey,
    folder: Path,
    workers: Workers,
    advance: Callable[[int], object] = lambda _: None,
) -> Trained:
    """Train a tokenizer on files that were surveyed; counts that take room lie in `folder`.

    The same texts give the same bytes, whatever their order, files, workers and threads. Raises
    InputError for a vocabulary smaller than the alphabet, before any text is cut.
    """
    letters = alphabet(surveyed.letters)
    check_vocabulary(settings.vocabulary, letters)
    counts = count_words(sources, settings.recipe, folder=folder, workers=workers, advance=advance)
    model = ALGORITHMS[settings.algorithm](counts.words, letters, settings.vocabulary)
    tokenizer = framed(model)
    record = asdict(settings) | {
        "pieces": len(tokenizer),
        "settings": {
            "coverage": COVERAGE,
            "longest_word": LONGEST,
            "most_words": WORDS,
            "least_frequency": MIN_FREQUENCY,
        },
        "input": _input(surveyed, counts, letters),
        "versions": {name: version(name) for name in _packages(settings)},
    }
    return Trained(tokenizer, record)


def _input(surveyed: Survey, counts: Counts, letters: Sequence[str]) -> dict[str, Any]:
    return {
        "digest": f"{surveyed.digest:064x}",
        "texts": surveyed.texts,
        "letters": len(surveyed.letters),
        "letters_with_pieces": len(letters),
        "words": counts.total,
        "different_words": counts.different,
        "words_left_out": counts.total - sum(counts.words.values()),
        "unreadable": dict(sorted(surveyed.unreadable.items())),
    }


def _packages(settings: Settings) -> list[str]:
    """Return the libraries that decide a tokenizer."""
    analyser = PACKAGES if settings.recipe != "plain" else ()
    trainer = ("sentencepiece",) if settings.algorithm == "unigram" else ()
    return ["tokenizers", "transformers", *analyser, *trainer]
