"""The `crf` tagger: a linear-chain conditional random field over morphemes.

Source: Lafferty, McCallum and Pereira 2001, "Conditional Random Fields"; the implementation is
CRFsuite. The folder of a model holds the weights as CRFsuite writes them, the facts of their making
(JSON), and a card made of these.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pipeline.core.errors import InputError, MissingDependencyError
from pipeline.core.fingerprint import ROOT, of_file
from pipeline.core.jsontext import parsed
from pipeline.sampling.tagging import features, scheme
from pipeline.sampling.tagging.folding import fold
from pipeline.sampling.tagging.pieces import pieces
from pipeline.sampling.tagging.protocol import DECIMALS, Mention

#: The weights that come with the project.
SHIPPED: Final = ROOT / "data" / "models" / "ner-crf"
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
        return [self._tag(text) for text in texts]

    def _tag(self, text: str) -> list[Mention]:
        folded = fold(text)
        found = pieces(folded.text)
        if not found:
            return []
        with self._lock:
            self.model.set(features.features(found))
            tags = self.model.tag()
            runs = scheme.runs(tags)
            scores = [self._score(tags, run) for run in runs]
        places = (folded.original(found[r.first].start, found[r.last].end) for r in runs)
        return [
            Mention(start, end, run.label, score)
            for (start, end), run, score in zip(places, runs, scores, strict=True)
        ]

    def _score(self, tags: Sequence[str], run: scheme.Run) -> float:
        inside = range(run.first, run.last + 1)
        least = min(self.model.marginal(tags[i], i) for i in inside)
        return float(min(max(round(least, DECIMALS), 0.0), 1.0))


def load_crf(folder: Path, *, name: str = "crf") -> Crf:
    """Read the weights of a folder.

    Raises InputError that says what is wrong with which file, MissingDependencyError without
    CRFsuite.
    """
    facts = facts_of(folder)
    path = folder / WEIGHTS
    digest = _checked(path, facts)
    model = library().Tagger()
    try:
        model.open(str(path))
    except ValueError as error:
        raise _damaged(path, f"cannot be read ({error})") from None
    return Crf(model, tuple(facts["labels"]), name, digest)


def facts_of(folder: Path) -> dict[str, Any]:
    """Return the facts that lie with the weights of a folder; raises InputError if they do not."""
    path = folder / FACTS
    try:
        facts = parsed(path.read_text("utf-8"))
    except FileNotFoundError:
        raise InputError(
            f"{path}: no such file; give the folder that `klue tagger train --out` wrote, or `crf`"
            " for the shipped weights"
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise _damaged(path, f"cannot be read ({type(error).__name__})") from None
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        raise _damaged(path, f"is not of the format {FORMAT}")
    labels = facts.get("labels")
    if not isinstance(labels, list) or not all(isinstance(one, str) for one in labels):
        raise _damaged(path, "does not list the labels")
    if facts.get("features") != features.VERSION:
        raise InputError(
            f"{path}: made for version {facts.get('features')!r} of the features, this is version"
            f" {features.VERSION}; train again with `klue tagger train`"
        )
    return facts


def save_facts(folder: Path, facts: dict[str, Any], labels: Sequence[str]) -> dict[str, Any]:
    """Write the facts of weights that lie in a folder, with a digest that ties the two together."""
    own = {"format": FORMAT, "features": features.VERSION, "labels": list(labels)}
    told = {**facts, **own, "content": of_file(folder / WEIGHTS)}
    text = json.dumps(told, ensure_ascii=False, indent=1) + "\n"
    (folder / FACTS).write_text(text, "utf-8", newline="\n")
    return told


def library() -> Any:
    """Import CRFsuite."""
    try:
        import pycrfsuite
    except ImportError:
        raise MissingDependencyError(
            "python-crfsuite", "pip install -c constraints.txt python-crfsuite"
        ) from None
    return pycrfsuite


def _checked(path: Path, facts: dict[str, Any]) -> str:
    """Return the digest of weights that are those that were written."""
    try:
        digest = of_file(path)
    except OSError as error:
        raise _damaged(path, f"cannot be read ({error.strerror})") from None
    if digest != facts.get("content"):
        raise _damaged(path, f"is not what was written: its SHA-256 differs from that in {FACTS}")
    return digest


def _damaged(path: Path, what: str) -> InputError:
    return InputError(f"{path}: {what}; restore the file, or train again with `klue tagger train`")
