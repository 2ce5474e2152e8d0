"""What a matching is: pairs in the order in which they were drawn, and how scores are compared."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

Algorithm = Literal["anchors", "global"]
Rouge = Literal["rouge1", "rougeL"]

#: Scores are compared in millionths: two fractions of up to 1,000 tokens that differ do so by more,
#: and two that are equal differ by less when their floats do.
MILLION: Final = 1_000_000


class Match(NamedTuple):
    """Two sentences by their places, and their ROUGE F-measure in millionths.

    Under `anchors` `first` is the anchor; under `global` it is the smaller of the two.
    """

    first: int
    second: int
    millionths: int
