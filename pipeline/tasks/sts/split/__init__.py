"""STS: dev and test uniform over the scores, against word overlap (paper 3.2.1, Table 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from pipeline.contracts.splits import Split
from pipeline.release.splits.chosen import (
    Chosen,
    require_all,
    told_shares,
    told_sizes,
)
from pipeline.release.splits.member import Group
from pipeline.release.splits.sizes import apportioned
from pipeline.tasks.sts.spec import ScoreNumbers
from pipeline.tasks.sts.split.bins import evenly
from pipeline.tasks.sts.split.choice import for_dev, taken
from pipeline.tasks.sts.split.constraints import told
from pipeline.tasks.sts.split.pairs import Pair, Pool, by_bin, by_source, pairs

TASK: Final = "sts"


def split(groups: Sequence[Group], numbers: ScoreNumbers, *, seed: int) -> Chosen:
    """Fill dev and test evenly over the bins of scores; the rest is train.

    Within a bin, pairs with the least word overlap go first from `least_overlap_from` on, with the
    most below it; the sources have the shares of the whole as nearly as the bins allow. Of bins and
    sources alike, dev and test get their parts. Groups of several pairs are for train.

    Constraints: `size`, `kept`, `whole_groups`, `parts`, `uniform_bins`, `full_bins`, `lone_pairs`,
    `least_overlap`, `most_overlap`, `source_share`. Raises InputError when a split gets no example.
    """
    pool = _pooled(groups, numbers)
    wanted = apportioned(numbers.sizes, len(pool.every))
    new = _new(pool, wanted["dev"] + wanted["test"], numbers, seed=seed)
    evaluation = [*pool.held, *new]
    whole = numbers.dev_parts + numbers.test_parts
    dev = _dev(evaluation, numbers)
    in_dev = for_dev(evaluation, dev, parts=numbers.dev_parts, whole=whole, seed=seed)
    chosen = Chosen()
    chosen.put((one.member for one in pool.every), "train")
    chosen.put((one.member for one in evaluation), "test")
    chosen.put((one.member for one in in_dev), "dev")
    chosen.constraints += told_sizes(chosen, groups, wanted)
    chosen.constraints += told(pool, new, len(in_dev), wanted, numbers)
    if numbers.keep_source_shares:
        members = [one.member for one in pool.every]
        chosen.constraints += told_shares(chosen, members, "source_share", lambda one: one.source)
    require_all(TASK, chosen)
    return chosen


def _pooled(groups: Sequence[Group], numbers: ScoreNumbers) -> Pool:
    pool = Pool([], [], [], [])
    for one in sorted(groups, key=lambda each: each.id):
        found = pairs(one, numbers)
        if one.kept is not None:
            (pool.train if one.kept == "train" else pool.held).extend(found)
        else:
            (pool.free if len(one) == 1 else pool.tied).extend(found)
    return pool


def _new(pool: Pool, room: int, numbers: ScoreNumbers, *, seed: int) -> list[Pair]:
    """Return the free pairs that join those held in dev and test."""
    held = by_bin(pool.held)
    quotas = evenly(held, held + by_bin(pool.free), room, seed=seed)
    need = {place: quotas[place] - held[place] for place in sorted(quotas)}
    if not numbers.keep_source_shares:
        return taken(pool.free, need, None, seed=seed)
    shares = apportioned(by_source(pool.every), sum(quotas.values()))
    there = by_source(pool.held)
    targets = {name: shares[name] - there[name] for name in shares}
    return taken(pool.free, need, targets, seed=seed)


def _dev(evaluation: Sequence[Pair], numbers: ScoreNumbers) -> int:
    """Return how many pairs are for dev: its parts, or what earlier versions leave of them."""
    parts: dict[Split, int] = {"dev": numbers.dev_parts, "test": numbers.test_parts}
    kept = Counter(one.kept for one in evaluation)
    due = apportioned(parts, len(evaluation))["dev"]
    return min(max(due, kept["dev"]), len(evaluation) - kept["test"])
