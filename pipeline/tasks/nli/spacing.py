"""Blanks that are missing between words.

Reviews are typed in a hurry (볼게없고연기는 별로). Where a particle or an ending is followed by the
beginning of a content word without a blank, one is missing. mecab-ko also cuts names and compounds
so (더불어민주당, 가고시마), hence the exceptions. Of the official premises of formal sources 2 to
5 % have such a place, nearly all in names; these sources are edited, and need no such test.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from pipeline.core.morphology import Morpheme

#: Tags of the last part of a morpheme with which a word ends, and of the first part of a word.
_LAST: Final = ("EC", "EF", "ETM", "JKS", "JKC", "JKO", "JKB", "JX")
_FIRST: Final = ("NNG", "NNP", "NR", "NP", "VV", "VA", "VCN", "MAG", "MAJ", "XR", "MM")
_PREDICATES: Final = ("VV", "VA", "VCN")
#: The endings that join two verbs into one: 무너져내렸다, 타고났다.
_JOINING: Final = ("아", "어", "여", "고")
#: What many leave without a blank: 할수, 그시절, 잘봤다, 욕나온.
_LOOSE: Final = {
    "ETM": ("NNB",),
    "MM": ("NNG", "NNP", "NP"),
    "MAG": ("NNG", "NNP", "NP", "VV", "VA"),
    **dict.fromkeys(("NNG", "NNP", "NP", "NR", "XR", "SN"), ("VV", "VA", "MAG")),
}
#: A word that no morpheme explains, or a comma without a blank.
_RUN: Final = re.compile(r"\S{12}|[가-힣][,;][가-힣]")
_MOST: Final = 2


def lacks_blank(text: str, words: Sequence[Morpheme]) -> bool:
    """Tell whether words of a text, given with its morphemes, are written as one.

    Two places that are often written so count as much as one that is not.
    """
    joints = (pair for pair in pairwise(words) if pair[0].end == pair[1].start)
    return bool(_RUN.search(text)) or sum(_weight(text, *pair) for pair in joints) >= _MOST


def _weight(text: str, last: Morpheme, first: Morpheme) -> int:
    """Return 2 where a blank is missing between two morphemes, 1 where it often is, else 0."""
    left, right = last.tag.split("+")[-1], first.tag.split("+")[0]
    if right in _FIRST and (left in _LAST or (left == "MAG" and len(last.form) > 1)):
        is_verb = right in _PREDICATES
        is_compound = is_verb and last.parts[-1][0] in _JOINING
        is_name = len(last.form) == 1 and not text[: last.start][-1:].strip()  # 알파고, 준혁
        return 0 if is_compound or is_name or (len(first.form) == 1 and not is_verb) else _MOST
    return int(right in _LOOSE.get(left, ()))
