"""What a tagger of named entities is, how one is named and loaded, and how its output is checked.

crf                 the shipped weights for the types of KLUE-NER
crf-re              the shipped weights for the types of KLUE-RE
crf:DIR             weights that `tools/train_tagger.py` wrote
transformers:PATH   a checkpoint for token classification: a folder, or a model in the hub's cache

A tagger may be anybody's: its mentions may overlap, be empty, lie outside the text or have a type
that is not asked for. `tag_checked` is the one place where they are checked before anything
relies on them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple, Protocol

from pipeline.contracts.build_inputs import Resources
from pipeline.core.errors import InputError
from pipeline.core.paths import ModelName
from pipeline.core.registry import Models
from pipeline.core.specs import Spec
from pipeline.sampling.draft import Draft

#: The six types of KLUE-NER (Section 3.4.1), which the taggers that come with the project give.
TYPES: Final = ("PS", "LC", "OG", "DT", "TI", "QT")
#: Decimals of a score.
DECIMALS: Final = 6


def sort_types(types: Collection[str]) -> list[str]:
    """Sort types of entities: those of KLUE-NER in its order, then others."""
    return [name for name in TYPES if name in types] + sorted(set(types) - set(TYPES))


class Mention(NamedTuple):
    """A named entity in a text: code points, end exclusive; its type; a score in [0, 1]."""

    start: int
    end: int
    label: str
    score: float


class TaggerKeys(Spec):
    """The keys of a build file for tasks that need a tagger; without one each takes its own."""

    tagger: ModelName | None = None


class Tagger(Protocol):
    """What finds named entities in texts."""

    @property
    def name(self) -> str:
        """The tagger as it was asked for."""

    @property
    def digest(self) -> str:
        """The SHA-256 of what decides its mentions besides code; enters fingerprints."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The types it may give."""

    def tag(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Return the mentions of every text, in order: sorted, without overlap, as it is written.

        They depend on the text alone, never on what stands beside it. Scores are rounded to 1e-6.
        Callers ask through `tag_checked`, which trusts none of this.
        """


Why = Literal["empty", "outside", "label", "overlap"]
#: What a reason means, for ledger rows and messages.
REASONS: Final[dict[Why, str]] = {
    "empty": "a mention is empty",
    "outside": "a mention lies outside the text",
    "label": "a mention has a type that is not asked for",
    "overlap": "a mention overlaps a better one",
}


class Checked(NamedTuple):
    """The mentions of a text, sorted and without overlap, and those left out, each with why."""

    mentions: tuple[Mention, ...]
    left_out: tuple[tuple[Mention, Why], ...] = ()


def note_left_out(checked: Checked, draft: Draft, unit: str) -> None:
    """Note in the ledger of a draft why mentions of a unit were left out, and how many."""
    for why, n in sorted(Counter(why for _, why in checked.left_out).items()):
        draft.edit(unit, f"{draft.task}.mention@1", f"{REASONS[why]} (left out)", score=n)


def tag_checked(tagger: Tagger, texts: Sequence[str], *, labels: Collection[str]) -> list[Checked]:
    """Tag texts and keep of each what is well formed and of one of `labels`.

    Of mentions that overlap the one with the higher score stays, then the longer, then the earlier,
    then the one whose label comes first. Raises InputError when the tagger does not give one list
    for every text, or gives what is no mention.
    """
    tagged = tagger.tag(texts)
    if len(tagged) != len(texts):
        raise InputError(
            f"tagger {tagger.name}: gave {len(tagged)} lists of mentions for {len(texts)} texts;"
            " it must give one for each"
        )
    allowed = frozenset(labels)
    return [
        resolve(mentions, len(text), allowed) for text, mentions in zip(texts, tagged, strict=True)
    ]


def resolve(mentions: Sequence[Mention], length: int, labels: Collection[str]) -> Checked:
    """Check the mentions of one text of `length` code points; see `tag_checked`."""
    accepted: list[Mention] = []
    left_out: list[tuple[Mention, Why]] = []
    for mention in sorted(mentions, key=lambda m: (-m.score, m.start - m.end, m.start, m.label)):
        start, end, label, _ = mention
        if start >= end:
            left_out.append((mention, "empty"))
        elif start < 0 or end > length:
            left_out.append((mention, "outside"))
        elif label not in labels:
            left_out.append((mention, "label"))
        elif any(start < other.end and other.start < end for other in accepted):
            left_out.append((mention, "overlap"))
        else:
            accepted.append(mention)
    return Checked(tuple(sorted(accepted)), tuple(sorted(left_out)))


TAGGERS: Final[Models[Tagger]] = Models(
    "tagger",
    {
        "crf": "pipeline.sampling.tagging.crf:load_crf",
        "crf-re": "pipeline.sampling.tagging.crf:load_crf_re",
        "transformers": "pipeline.sampling.tagging.transformer:load_transformer",
    },
    forms=("crf", "crf-re", "crf:DIR", "transformers:PATH"),
    digests={"transformers": "pipeline.core.checkpoint:digest_of"},
)
load: Final = TAGGERS.load
digest_of: Final = TAGGERS.digest_of


@lru_cache(maxsize=2)
def load_planned(spec: str, digest: str) -> Tagger:
    """Return the tagger of that name that a plan saw with this digest; loaded once per process.

    Raises what `load` raises, and InputError when it has changed since.
    """
    tagger = load(spec)
    if tagger.digest != digest:
        raise InputError(f"tagger {spec}: changed since the build was planned; run the build again")
    return tagger


def resources_of(spec: str) -> Resources:
    """Return how the tagger that a build file names enters a call; raises InputError."""
    try:
        digest = _digest_of(spec)
    except InputError as error:
        raise InputError(f"candidates.tagger: {error}") from None
    kind = spec.partition(":")[0]
    return Resources(
        {"tagger": {"name": kind, "digest": digest}},
        {"tagger": spec},
        code=(TAGGERS.module(kind),),
    )


_digest_of = lru_cache(maxsize=2)(digest_of)
