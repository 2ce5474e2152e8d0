"""DP: every split has the sources in the shares of the whole (paper 3.6.1, Table 13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from pipeline.release.splits.chosen import Chosen, require_all, told_shares, told_sizes
from pipeline.release.splits.member import Group
from pipeline.release.splits.sizes import apportioned, parted
from pipeline.tasks.dp.spec import SourceNumbers

TASK: Final = "dp"


def split(groups: Sequence[Group], numbers: SourceNumbers, *, seed: int) -> Chosen:
    """Draw dev and test from each source in its share of the whole; the rest is train.

    Constraints: `size`, `whole_groups`, `kept`, and with `keep_source_shares` a `source_share` for
    each split and source. Raises InputError when a split gets no example.
    """
    wanted = apportioned(numbers.sizes, sum(map(len, groups)))
    sources = {one.id: _source(one) if numbers.keep_source_shares else "" for one in groups}
    placed = parted(groups, wanted, lambda one: sources[one.id], seed=seed, purpose="split.dp")
    chosen = Chosen()
    for one in groups:
        chosen.put(one.members, placed[one.id])
    chosen.constraints += told_sizes(chosen, groups, wanted)
    if numbers.keep_source_shares:
        members = [each for one in groups for each in one.members]
        chosen.constraints += told_shares(chosen, members, "source_share", lambda one: one.source)
    require_all(TASK, chosen)
    return chosen


def _source(group: Group) -> str:
    """Return the source that most of its members have, the first by name of several."""
    counts = Counter(one.source for one in group.members)
    return min(counts, key=lambda name: (-counts[name], name))
