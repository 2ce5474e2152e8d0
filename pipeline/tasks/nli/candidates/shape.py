"""What a premise must not look like: a formula, a list, a torn quote, chat (Section 3.3.1).

The paper leaves out formulas and lists. This project also leaves out torn quotes and brackets, and
the marks of chat inside a sentence: none of the 9,387 different premises of the official train and
dev files has either. A second sentence inside (three of them) leaves too.
"""

from __future__ import annotations

import re
from typing import Final

#: Signs of mathematics, LaTeX commands, and operators between Latin letters or digits.
_FORMULA: Final = re.compile(
    r"(?<![가-힣])=|=(?![가-힣])|[≠≤≥±×÷√∑∏∫∂∞∝≈≡⇒⇔∀∃∈⊂∪∩]|\\[A-Za-z]+|[A-Za-z0-9)]\s*[+*^]\s*[A-Za-z0-9(]"
)
#: Bullets and numbers of items at the beginning; signs of rows and steps anywhere.
_ITEM: Final = re.compile(
    r"\s*([-–—*•·∙‣▪▶►▷▲△◆◇■□●○◎★☆※➜➤✔]|[0-9]{1,2}[.)]\s|[가-하A-Za-z][.)]\s|\([0-9가-하]\))"
)
_ROWS: Final = re.compile(
    r"[\n\r\t|①-⑳❶-❿▶►▷▲△◆◇■□●○◎※→⇨➜➤]|->|;.*;|[0-9]\)\s.*[0-9]\)\s|(\s[-–—]\s.*){3}"
)
#: Lone letters (ㅋㅋ; ㆍ is a middle dot), lines of dots, signs and emoji, a drawn-out ~.
_CHAT: Final = re.compile("[\u3131-\u318c]|\\.\\.|…|[♥♡★☆♪\U0001f300-\U0001faff]|~~|[다요음네죠]~")
#: The end of another sentence inside: a syllable, a stop, and something that closes nothing.
_STOP: Final = re.compile(r"[가-힣][.!?]+\s*[^\s.!?)\]”’\"'》〉」』】]")
_QUOTED: Final = re.compile(r"[\"“‘'「『《〈][^\"”’'」』》〉]*[\"”’'」』》〉]")
_PAIRS: Final = dict(zip(")]}>”’》〉」』】", "([{<“‘《〈「『【", strict=True))
#: An apostrophe, or the single quote that shortens a year ('90s), pairs with nothing.
_APOSTROPHE: Final = re.compile(r"(?<=[A-Za-z])['’](?=[A-Za-z]|\s|$)|['’](?=[0-9]{2}(?:s|\b))")


def is_formula(text: str) -> bool:
    """Tell whether a text holds mathematical notation."""
    return _FORMULA.search(text) is not None


def is_list(text: str) -> bool:
    """Tell whether a text is an item of a list, a row of a table, or several of them.

    Commas make no list: official premises count up to ten things in one sentence.
    """
    return _ITEM.match(text) is not None or _ROWS.search(text) is not None


def is_balanced(text: str) -> bool:
    """Tell whether every bracket and quote that opens is closed, in order."""
    clean = _APOSTROPHE.sub("", text)
    if clean.count('"') % 2 or clean.count("'") % 2:
        return False
    waiting: list[str] = []
    for letter in clean:
        if letter in _PAIRS.values():
            waiting.append(letter)
        elif letter in _PAIRS and (not waiting or waiting.pop() != _PAIRS[letter]):
            return False
    return not waiting


def is_chat(text: str) -> bool:
    """Tell whether a text, its end apart, holds laughter, lines of dots, emoji or drawn-out ~."""
    return _CHAT.search(text) is not None


def asks(text: str) -> bool:
    """Tell whether a text holds a question mark outside of what it quotes."""
    return "?" in _QUOTED.sub("", text)


def is_several(text: str) -> bool:
    """Tell whether another sentence ends inside a text, outside of what it quotes."""
    return _STOP.search(_QUOTED.sub("", text)) is not None
