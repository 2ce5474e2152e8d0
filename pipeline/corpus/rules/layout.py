"""Layout: the marks by which a page shows where an item or a sentence begins.

`BREAKS` are the places where text breaks besides line breaks; the edits cut what is left of such
marks at the head of a sentence. They serve sources of one's own. KLUE's are cut as in the paper.
"""

from __future__ import annotations

import re
from typing import Final

from pipeline.corpus.rules.noise import BLANKS, Edit

#: The share of Chinese and Japanese characters among the letters up to which more than the paper's
#: ten may stand in a sentence: glosses and quotations in Korean text have up to 0.3.
FOREIGN_SHARE: Final = 0.4
#: Marks of items; the second kind also masks names (``○○시``), unless a blank follows.
_BULLETS: Final = "■●▶▷◆▣▪•◦❍◎❏➤◈⚫⦁∙※☞☛❖🔹🔸"
_MASKS: Final = "○□◇★☆"
_BULLET: Final = rf"(?:[{_BULLETS}]\ufe0f?(?![{_BULLETS}{_MASKS}])|[{_MASKS}](?=[{BLANKS}]))"
_LETTER: Final = "가나다라마바사아자차카타파하"
#: ``1.``, ``(2)``, ``①`` and ``가.`` but no date, decimal or time.
_NUMBER: Final = (
    r"(?:(?:[0-9]{1,2}[.)]|\([0-9]{1,2}\)|[①-⑳])"
    rf"(?=[{BLANKS}]?[^{BLANKS}0-9.,)])|[{_LETTER}]\.(?=[{BLANKS}]))"
)
_PARTICLE: Final = (
    r"(?:(?:에|로|를|을|은|는|의|이|가|와|과|도)(?![가-힣])"
    "|에서|에는|으로|라는|이라|이며|입니|참[조고])"
)
#: The blanks behind web addresses at the head of a line or sentence, or behind a colon or arrow:
#: what follows is a sentence of its own, unless it goes on with a particle.
_BEHIND_ADDRESS: Final = (
    rf"(?:(?<![^\n])|(?<=[:>=.?!\])][{BLANKS}])|(?<=[:>=]))"
    rf"(?:(?:https?://|www\.)[^{BLANKS}가-힣]{{1,1000}}+(?P<behind>[{BLANKS}]++)){{1,9}}+"
    rf"(?=[가-힣\"'“‘\[<(「『])(?!{_PARTICLE})"
)
#: A tab, line breaks written as ``\n``, and in front of a bullet behind a blank or the end of
#: a sentence, in front of a number behind such an end, and behind web addresses, where the group
#: ``behind`` is the place.
BREAKS: Final = (
    rf"\t|\\[nrt](?![A-Za-z])|(?<=[{BLANKS}.?!…다요까죠음임함됨])(?={_BULLET}[{BLANKS}]?[^{BLANKS}])"
    rf"|(?<=[^0-9A-Za-z][.?!…:])[{BLANKS}]*(?={_NUMBER})"
    rf"|(?<=[가-힣][다요음임함됨])[{BLANKS}]+(?={_NUMBER})|{_BEHIND_ADDRESS}"
)
_MARKS: Final = re.compile(
    rf"^[{BLANKS}]*(?:(?:{_NUMBER}|{_BULLET}|[-–—]+>?(?![0-9])|[*·ㆍ․>](?=[{BLANKS}]))[{BLANKS}]*)+"
    r"(?=[^\s])"
)
#: What a text must begin with (for RE2 and for `re`) before a rule looks closer.
GATES: Final[dict[str, str]] = {
    "mark": rf"^[{BLANKS}]*[0-9(①-⑳{_LETTER}{_BULLETS}{_MASKS}\-–—*·ㆍ․>]",
    "quote": r"^[\"'“”‘’」』]",
}
_STRAY: Final = re.compile(
    r"^(?:[”’」』](?![0-9])|\"(?!.*[\"”])|“(?!.*[\"”])|['‘](?![0-9])(?!.*['’]))+", re.DOTALL
)


def remove_marks(text: str) -> Edit:
    """Cut numbers, bullets and dashes at the head of a sentence that goes on behind them."""
    cleaned, count = _MARKS.subn("", text)
    return cleaned, ((("mark", count),) if count else ())


def remove_quotes(text: str) -> Edit:
    """Cut a quotation mark at the head whose other half is not in the sentence."""
    cleaned, count = _STRAY.subn("", text)
    return cleaned, ((("quotation mark", count),) if count else ())
