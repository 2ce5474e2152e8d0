"""Parts of speech to begin from: mecab-ko's analysis in the tags and base forms of KLUE-DP.

The annotators of the first round correct it. Source: the TTA guideline that Section 3.6.1 names,
and the conventions of the released data where it is silent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import Final

from pipeline.core.morphology import Morpheme, morphemes

#: A base form and its tag.
Part = tuple[str, str]

_WORD: Final = re.compile(r"\S+")
_BLANK: Final = re.compile(r"\s")
#: Conjoining jamo, as mecab-ko-dic writes them, and the letters that stand for them.
_JAMO: Final = str.maketrans("\u11ab\u11af\u11b7\u11b8\u11bb\u1102\u1106\u1107", "ㄴㄹㅁㅂㅆㄴㅁㅂ")
#: mecab knows nothing of what is UNKNOWN; in Korean text that is mostly a name or a coinage.
_RENAMED: Final = {
    "NNBC": "NNB",
    "SSO": "SS",
    "SSC": "SS",
    "SC": "SP",
    "UNKNOWN": "NF",
    "UNA": "NA",
}
_SIGNS: Final = {
    **dict.fromkeys("'\"`‘’“”<>〈〉《》「」『』()[]{}-–—―", "SS"),
    **dict.fromkeys(",·ㆍ・:;/.", "SP"),
    **dict.fromkeys("~∼～", "SO"),
}
#: Adnouns that count and that point; all others describe.
_COUNTING: Final = "한|두|세|네|석|넉|서|너|첫|총|여러|모든|몇|몇몇|양|수|온갖|수백|수천|두세|서너"
_POINTING: Final = "이|그|저|이런|그런|저런|어떤|어느|무슨|아무|모|올|현|본|타|전|오른|왼|다른"
_ADNOUNS: Final = {
    **dict.fromkeys(_COUNTING.split("|"), "MMN"),
    **dict.fromkeys(_POINTING.split("|"), "MMD"),
}
#: Adverbs that mecab takes for conjunctions, and loanwords that it takes for names.
_OTHERWISE: Final = {
    **dict.fromkeys(["및", "다만", "또는", "또한", "역시", "이른바", "한편", "혹은"], "MAG"),
    **dict.fromkeys(["호스트", "뷰", "트램", "모바일", "포털", "샵"], "NNG"),
}
#: Words of two that mecab takes for one.
_DIVIDED: Final = {
    "이날": [("이", "MMD"), ("날", "NNG")],
    "지난해": [("지나", "VV"), ("ㄴ", "ETM"), ("해", "NNG")],
    "지난달": [("지나", "VV"), ("ㄴ", "ETM"), ("달", "NNG")],
}
_VERBAL: Final = ("VV", "VA", "VX", "XSV", "XSA")
_NOUNS: Final = ("NNG", "NNP")


def suggestion(text: str) -> dict[str, list[str]]:
    """Return base forms and tags of a sentence, one entry a word: an answer of the round `pos`."""
    every = morphemes(_BLANK.sub(" ", text))  # mecab joins signs over other blanks
    words = [
        _word([m for m in every if match.start() <= m.start < match.end()])
        or [(match.group(), "NA")]
        for match in _WORD.finditer(text)
    ]
    for here, after in pairwise(words):
        if here[-1][1] in ("JKS", "JKC"):  # a complement only before 되다 and 아니다
            here[-1] = (here[-1][0], "JKC" if after[0][0] in ("되", "아니") else "JKS")
    return {
        "lemmas": [" ".join(form for form, _ in word) for word in words],
        "pos": ["+".join(tag for _, tag in word) for word in words],
    }


def _word(own: Sequence[Morpheme]) -> list[Part]:
    word: list[Part] = []
    parts = [part for morpheme in own for part in morpheme.parts if part[0].strip()]
    for form, tag in _join_names((form.translate(_JAMO), tag) for form, tag in parts):
        if tag == "XSA" and word and word[-1][1] == "XR":
            word[-1] = (word[-1][0] + form, "VA")  # a root that never stands alone
        elif form in _DIVIDED and tag == "NNG":
            word += _DIVIDED[form]
        else:
            word.append(_part(form, tag, word[-1] if word else ("", "")))
    if len(word) > 1 and word[1][0] == "씨" and len(word[0][0]) == 1 and word[0][1] != "SL":
        word[:2] = [(word[0][0], "NNP"), ("씨", "NNB")]  # a surname
    return word


def _join_names(parts: Iterable[Part]) -> Iterator[Part]:
    """Join nouns in a row, one of them a name, to one name: 한국 + 도로공사."""
    for is_noun, group in groupby(parts, key=lambda part: part[1] in _NOUNS):
        run = [(form, _OTHERWISE.get(form, tag) if is_noun else tag) for form, tag in group]
        if is_noun and len(run) > 1 and "NNP" in [tag for _, tag in run]:
            yield "".join(form for form, _ in run), "NNP"
        else:
            yield from run


def _part(form: str, tag: str, before: Part) -> Part:
    """Return one part in the conventions of the release; `before` is the one to its left."""
    if before[0].endswith("하") and before[1] in _VERBAL and tag in ("EP", "EC"):
        form = {"아": "여", "았": "였"}.get(form[:1], form[:1]) + form[1:]
    if tag == "MM":
        return form, _ADNOUNS.get(form, "MMA")
    if tag == "SY":
        return form, _SIGNS.get(form[:1], "SW")
    return form, _OTHERWISE.get(form, tag) if tag == "MAJ" else _RENAMED.get(tag, tag)
