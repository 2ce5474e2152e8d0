"""Pairs of checkpoints, one for gender bias and one for hate, as a detector names them."""

from __future__ import annotations

from typing import Final

from pipeline.core.errors import InputError

#: Pairs of models that have a name of their own: (gender bias, hate).
PAIRS: Final = {
    "koelectra": (
        "monologg/koelectra-base-v3-gender-bias",
        "monologg/koelectra-base-v3-hate-speech",
    )
}


def pair_of(models: str) -> tuple[str, str]:
    """Return the two models of ``BIAS_MODEL,HATE_MODEL`` or of a name in PAIRS.

    Raises InputError for any other number of them.
    """
    pair = PAIRS.get(models) or tuple(part.strip() for part in models.split(","))
    if len(pair) != 2 or not all(pair):
        raise InputError(
            f"transformers:{models}: needs two models, transformers:BIAS_MODEL,HATE_MODEL (each a"
            f" name or a folder), or one of: {', '.join(f'transformers:{p}' for p in PAIRS)}"
        )
    return pair[0], pair[1]
