"""Where a text stands that does not stand at its offset."""

from __future__ import annotations

import re


def nearest(text: str, part: str, start: int) -> tuple[int, str] | None:
    """Return the place of `part` that `start` means, and the reason; None if there is none.

    It is the place from which `start` is as far as line ends stand before it (most offsets of
    KLUE-MRC that are wrong count them twice), else the next one. None too where `part` does stand
    at `start`.
    """
    if not part or (start >= 0 and text.startswith(part, start)):
        return None
    places = [match.start() for match in re.finditer(f"(?={re.escape(part)})", text)]
    if not places:
        return None
    twice = [at for at in places if start - at == text.count("\n", 0, at)]
    place = twice[0] if twice else min(places, key=lambda at: (abs(at - start), at))
    where = (
        f"once, at {place}" if len(places) == 1 else f"{len(places)} times, likeliest at {place}"
    )
    if twice:
        where += ", which is the offset if line ends before it count twice"
    return place, f"the text does not stand at {start} but {where}"
