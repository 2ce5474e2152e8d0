"""What a toxicity detector is, how one is named, loaded, and identified by its digest.

linear                      the shipped weights
linear:DIR                  weights that `tools/train_toxicity.py` wrote
transformers:koelectra      the two models of the paper
transformers:BIAS,HATE      two checkpoints, each the name of a model or the path of a folder
lexicon                     the shipped word list
lexicon:FILE                another word list, YAML or TXT

A detector reads Korean: a text without Hangul, or with a smaller share of it among its letters than
MIN_HANGUL, has no score (null), and so is never dropped for one.

Stage `score`: gender bias and hate scores beside the units, kept apart from any threshold.

`call.params` hold the kind and the digest of the detector, and `call.arguments` its spec, as
`detector`: where its files lie decides no score.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.core import schemas, store
from pipeline.core.errors import StoreError
from pipeline.core.registry import Models
from pipeline.core.stage import Call, Outcome, Shard, Stage, own_shards

COLUMNS: Final = ("gender_bias", "hate")
#: Decimals of a score: fine enough for any threshold, coarse enough to be the same everywhere.
DECIMALS: Final = 6
#: The least share of Hangul, syllables and single letters, among the letters of a Korean text.
MIN_HANGUL: Final = 0.3


class Detector(Protocol):
    """What scores texts for gender bias and hate speech."""

    @property
    def name(self) -> str:
        """The detector as it was asked for."""

    @property
    def digest(self) -> str:
        """The SHA-256 of what decides its scores besides code; enters fingerprints."""

    def score(self, texts: pa.Array) -> pa.Table:
        """Score texts: columns gender_bias and hate, float64 in [0, 1], rounded to 1e-6, in order.

        A score depends on its own text alone, never on batches, threads or the kind of processor.
        """


def as_table(gender_bias: np.ndarray[Any, Any], hate: np.ndarray[Any, Any]) -> pa.Table:
    """Make the table of scores, rounded."""
    columns = (np.round(values.astype(np.float64), DECIMALS) for values in (gender_bias, hate))
    return pa.table([pa.array(values) for values in columns], names=list(COLUMNS))


def judge(detector: Detector, texts: pa.Array) -> pa.Table:
    """Score texts as `Detector.score` does, but with null for those that are not Korean."""
    scores, korean = detector.score(texts), is_korean(texts)
    columns = [pc.if_else(korean, column, None) for column in scores.columns]
    return pa.table(columns, names=scores.column_names)


def is_korean(texts: pa.Array) -> pa.Array:
    """Return whether enough of each text's letters are Hangul; null and no letters are not."""
    plain = pc.fill_null(texts, "")
    length = pc.utf8_length(plain)
    hangul = _count(plain, r"\p{Hangul}")
    korean = pc.and_(pc.greater(hangul, 0), _is_share(hangul, length))
    doubtful = pc.and_(pc.greater(hangul, 0), pc.invert(korean))  # only these need their letters
    letters = _count(plain.filter(doubtful), r"\pL")
    return pc.replace_with_mask(korean, doubtful, _is_share(hangul.filter(doubtful), letters))


def _count(texts: pa.Array, kind: str) -> pa.Array:
    """Return how many characters of a kind each text has; a pattern of runs matches less often."""
    without = pc.replace_substring_regex(texts, f"{kind}+", "")
    return pc.subtract(pc.utf8_length(texts), pc.utf8_length(without))


def _is_share(hangul: pa.Array, letters: pa.Array) -> pa.Array:
    return pc.greater_equal(hangul, pc.multiply(letters, MIN_HANGUL))


DETECTORS: Final[Models[Detector]] = Models(
    "detector",
    {
        "linear": "pipeline.corpus.toxicity.linear:load_linear",
        "transformers": "pipeline.corpus.toxicity.transformer:load_transformer",
        "lexicon": "pipeline.corpus.toxicity.lexicon:load_lexicon",
    },
    forms=(
        "linear",
        "linear:DIR",
        "transformers:koelectra",
        "transformers:BIAS_MODEL,HATE_MODEL",
        "lexicon",
        "lexicon:FILE",
    ),
    digests={"transformers": "pipeline.corpus.toxicity.transformer:digest_of"},
)
load: Final = DETECTORS.load
digest_of: Final = DETECTORS.digest_of
_detector = lru_cache(maxsize=1)(load)


def _run(call: Call, shard: Shard) -> Outcome:
    units = store.read_table(shard.payload, "units")
    spec, digest = call.arguments["detector"], call.params["digest"]
    detector = _detector(spec)
    if detector.digest != digest:
        raise StoreError(
            f"detector {spec}: this process finds weights with the digest {detector.digest[:12]},"
            f" the plan was made with {digest[:12]}; give all workers the same files and run again"
        )
    scores = judge(detector, units.column("text").combine_chunks())
    columns = {
        "unit": units.column("id"),
        "source": units.column("source"),
        **{name: scores.column(name) for name in COLUMNS},
    }
    table = pa.table(columns, schema=schemas.SCORES)
    return Outcome(units.num_rows, {"scores": table, "ledger": schemas.empty("ledger")})


STAGE = Stage(
    name="score",
    main="scores",
    invariant="mark",
    shards=lambda call: own_shards(call, "units"),
    run=_run,
    distributions=("numpy", "pyarrow"),
)
