"""From text files to sequences on disk, in the folder of a run; kept until the run has ended.

DATA/train/, DATA/held_out/   arrays of tokens and sequences, see tokenised.py and sequences.py
DATA/prepared.json            what is in them, written last
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np

from pipeline.core.errors import InputError
from pipeline.core.store import write_json
from pipeline.core.wording import count
from pipeline.training.batches import check_stop
from pipeline.training.preparing import Stop
from pipeline.training.pretraining.job import PretrainingJob
from pipeline.training.pretraining.next_sentence import Pairs
from pipeline.training.pretraining.packing import FRAME, NO_LABEL, Sequence, pack
from pipeline.training.pretraining.sequences import Sequences, read_sequences, write_sequences
from pipeline.training.pretraining.shards import sentences
from pipeline.training.pretraining.tokenised import SIDES, Tokenised, tokenise

_RECORD: Final = "prepared.json"
TRAIN, HELD_OUT = SIDES
#: Sentences between two looks at whether to stop.
_LOOK: Final = 10_000
#: A larger share of unknown tokens is told.
_UNKNOWN: Final = 0.05


@dataclass(frozen=True)
class Corpus:
    """The sequences of a text, and what is to be told of it."""

    train: Sequences
    held_out: Sequences
    record: dict[str, Any]

    @property
    def pairs(self) -> bool:
        """Tell whether there is a pair to learn from."""
        return bool(self.record["sequences"]["pairs"])


def prepare(
    job: PretrainingJob, folder: Path, fingerprint: str, *, documents: bool, stop: Stop
) -> None:
    """Write the sequences of a job's text into a folder, unless it holds them already.

    Without `documents`, every line of the text is one.

    Raises InputError for text that is not enough for one sequence, KeyboardInterrupt if asked to
    stop.
    """
    if _read(folder).get("fingerprint") == fingerprint:
        return
    partial = folder.with_name(f"{folder.name}.partial")
    for place in (partial, folder):
        shutil.rmtree(place, ignore_errors=True)
    counts = tokenise(
        _watched(sentences(job.files, documents=documents), stop),
        job.tokens,
        partial,
        longest=job.recipe.max_length - FRAME,
        held_out=job.recipe.held_out,
    )
    for side in SIDES:
        write_sequences(partial / side, _sequences(job, partial / side, side))
    record = {
        "fingerprint": fingerprint,
        "documents": documents,
        "counts": {side: asdict(counts[side]) for side in SIDES},
    }
    made = _open(job, partial, {})
    if not len(made.train):
        raise InputError(
            "TEXT: no sentence is left to learn from; give more text, or hold out less (held_out)"
        )
    write_json(partial / _RECORD, {**record, "sequences": _count(made)})
    partial.rename(folder)


def read_corpus(job: PretrainingJob, folder: Path) -> Corpus:
    """Return what `prepare` wrote."""
    return _open(job, folder, _read(folder))


def notes(job: PretrainingJob, record: dict[str, Any]) -> list[str]:
    """Return what was done with a text that its owner may not expect."""
    counts, sequences = record["counts"], record["sequences"]
    train = counts[TRAIN]
    result = [_documents_note(job, record)]
    if not sequences["held_out"]:
        result.append("no document was held out: there is no loss on text that is not learnt from")
    if train["cut"]:
        result.append(f"{count(train['cut'], 'sentence')} longer than a sequence: cut into several")
    if train["unknown"] > _UNKNOWN * train["tokens"]:
        share = train["unknown"] / train["tokens"]
        result.append(f"{share:.0%} of the tokens are unknown: the tokenizer is for other texts")
    return result


def _documents_note(job: PretrainingJob, record: dict[str, Any]) -> str:
    pairs, packed = record["sequences"]["pairs"], record["sequences"]["packed"]
    if not record["documents"]:
        kind = "no blank line divides documents: each line is one"
    else:
        documents = record["counts"][TRAIN]["documents"]
        kind = f"{count(documents, 'document')}, divided by blank lines"
    if not job.recipe.next_sentence:
        return f"{kind}; no next sentence prediction, as the recipe says"
    if not pairs:
        return f"{kind}; no next sentence prediction: no document has a next sentence"
    without = count(packed, "sequence")
    return f"{kind}; next sentence prediction on {count(pairs, 'pair')}, and {without} without"


def _sequences(job: PretrainingJob, folder: Path, side: str) -> Iterator[Sequence]:
    text = Tokenised.open(folder, len(job.tokens.tokenizer))
    longest, between = job.recipe.max_length, 2 if job.recipe.packing == "blocks" else 1
    if job.recipe.next_sentence:
        seed = job.seed if side == TRAIN else 0  # what is held out is the same for all seeds
        pairs = Pairs(text.sentences, text.documents, longest, seed)
        return pairs.sequences(between=between)
    return pack(text.bounds(), longest=longest, between=between)


def _open(job: PretrainingJob, folder: Path, record: dict[str, Any]) -> Corpus:
    vocabulary, blocks = len(job.tokens.tokenizer), job.recipe.packing == "blocks"
    train, held_out = (
        read_sequences(folder / side, vocabulary, job.special, blocks=blocks) for side in SIDES
    )
    return Corpus(train, held_out, record)


def _count(corpus: Corpus) -> dict[str, int]:
    pairs = int(np.count_nonzero(corpus.train.labels != NO_LABEL))
    return {
        TRAIN: len(corpus.train),
        HELD_OUT: len(corpus.held_out),
        "pairs": pairs,
        "packed": len(corpus.train) - pairs,
        "tokens": int(corpus.train.lengths.sum()),
    }


def _read(folder: Path) -> dict[str, Any]:
    try:
        return dict(json.loads((folder / _RECORD).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


def _watched(source: Iterator[tuple[bool, str]], stop: Stop) -> Iterator[tuple[bool, str]]:
    while block := list(islice(source, _LOOK)):
        check_stop(stop)
        yield from block
