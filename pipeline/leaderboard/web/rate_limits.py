"""Limits of requests in memory: of an address, of a submitter, of failed log-ins."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pipeline.leaderboard.records import RefusedError


@dataclass(frozen=True)
class Limit:
    """A burst of requests, and how many come back a second."""

    name: str
    burst: int
    a_second: float


#: Requests of one address; those of a submitter who sent a token or is logged in; tokens that are
#: not valid, from one address. Valid tokens are never held up by the wrong ones of others.
ADDRESS: Final = Limit("address", 600, 20.0)
SUBMITTER: Final = Limit("submitter", 120, 4.0)
FAILURES: Final = Limit("failures", 10, 1 / 60)
#: So many subjects are remembered; the one that was seen least recently is forgotten first.
MOST: Final = 20_000


class RateLimits:
    """Token buckets by limit and subject, at most `most` of them."""

    def __init__(self, clock: Callable[[], int], *, most: int = MOST) -> None:
        self._clock = clock
        self._most = most
        self._buckets: OrderedDict[tuple[str, str], tuple[float, int]] = OrderedDict()

    def take(self, limit: Limit, subject: str) -> None:
        """Count a request; raises RefusedError (429) with the seconds to wait if it is too many."""
        now, key = self._clock(), (limit.name, subject)
        left, then = self._buckets.pop(key, (float(limit.burst), now))
        left = min(float(limit.burst), left + max(0, now - then) * limit.a_second)
        self._buckets[key] = (left - 1 if left >= 1 else left, now)
        while len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        if left < 1:
            wait = max(1, math.ceil((1 - left) / limit.a_second))
            raise RefusedError(
                429, f"too many requests; wait {wait:,} s, then go on slower", retry_after=wait
            )

    def __len__(self) -> int:
        return len(self._buckets)
