"""DP: sources keep their shares in every split (Section 3.6.1, Table 13)."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.release.splits.assignment import Assignment
from pipeline.release.splits.member import Group
from pipeline.tasks.dp.spec import SourceNumbers
from pipeline.tasks.kinds.split import draw_stratified


def split(groups: Sequence[Group], numbers: SourceNumbers, *, seed: int) -> Assignment:
    """Draw dev and test from each source in its share of the whole; the rest is train.

    Constraints: `size`, `whole_groups`, `kept`, and a `source_share` for each split and source
    unless `keep_source_shares` of the numbers is false.
    """
    keeps = numbers.keep_source_shares
    return draw_stratified(
        groups,
        numbers,
        lambda member: member.source if keeps else "",
        share="source_share" if keeps else None,
        seed=seed,
        purpose="split.dp",
    )
