"""How a Korean sentence ends: whether it states something, and in which form.

Korean marks mood at the end of the last predicate (Sohn, "The Korean Language", 1999, ch. 8). Speech
also ends in forms that are no sentence in writing: 는데 left hanging, 음 and 함, a noun whose copula
is not said. They are told apart here; which of them are premises is for the spec to say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from pipeline.sampling.morphology import Morpheme

#: final: a declarative ending. suspended: a clause in 는데 that stands for a sentence. nominalised:
#: 음, ㅁ or 듯 in place of an ending. copula_less: a subject, and a noun said of it. phrase: nouns
#: and what modifies them. The others state nothing.
Kind = Literal[
    "final",
    "suspended",
    "nominalised",
    "copula_less",
    "phrase",
    "question",
    "imperative",
    "propositive",
    "exclamation",
    "unfinished",
]


class Ending(NamedTuple):
    """The kind of an ending, and its form: the last morpheme as it stands."""

    kind: Kind
    form: str


_AFTER: Final = re.compile(r"[^\uac00-\ud7a3A-Za-z0-9%)\]}>”’\"'》〉」』】]+$")
_NOUNS: Final = ("NNG", "NNP", "NNB", "NNBC", "NR", "NP", "XSN", "SN", "SL", "XR")
_QUESTION: Final = re.compile(
    r"(까|까요|나요|나|[은는던인한런된할일을길운된찮같]가|[가-힣]가요|냐|냐고|니|냐구|노"
    r"|[가-힣]지)$"
)
_ASKING: Final = frozenset(
    "왜 뭐 뭘 무엇 무슨 누구 누가 어디 어떻게 어째서 얼마나 대체 도대체 웬".split()
)
#: After one of these a word that asks is an indefinite one: 누구나, 어디든, 뭔가.
_INDEFINITE: Final = frozenset("나 든 든지 도 라도 이나 ᆫ가 ㄴ가 인가 인지 ᆫ지 ㄴ지".split())


def bare(text: str) -> str:
    """Return a text without the marks, laughter (ㅋㅋ) and emoji that follow its last word."""
    return _AFTER.sub("", text.strip())
