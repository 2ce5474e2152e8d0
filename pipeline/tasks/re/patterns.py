"""Entities by their form: titles in brackets, names in parentheses, rulers, institutions.

They are common in an encyclopedia and rare in the news that taggers learn from. The rules were set
on the tuning half of the official sentences (`tools/relation_items.py`);
docs/results/candidates.md has their figures on the other half.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple


class Form(NamedTuple):
    """A span of a text (code points, end exclusive) and its type.

    `after` is the end of a name that it depends on, or -1. The type is empty where it is that of
    this name, and a ruler begins where the name does, at the latest at `start`.
    """

    start: int
    end: int
    type: str
    after: int = -1
    is_ruler: bool = False


#: A particle, or nothing, and then the end of a word.
_WORD_END: Final = (
    r"(?=(?:은|는|이|가|을|를|의|에|도|과|와|로|으로|에서|에게|부터|까지|보다|처럼)?(?:$|[^\w]))"
)
_OFFICES: Final = (
    "시장|군수|구청장|지사|도지사|사장|대표|대표이사|총장|학장|교장|회장|위원장|원장|관장|이사장|청장"
    "|장관|의장|본부장|단장|교육감|감독|서장|소장|처장"
)
#: Ends of names of institutions; ministries are listed, as their end (부) says too little.
_INSTITUTIONS: Final = (
    "대학교|고등학교|중학교|초등학교|위원회|협회|연합회|협의회|연맹|재단|은행|공사|공단|연구원|연구소|그룹"
    "|엔터테인먼트|홀딩스|경찰서|소방서|검찰청|교육청|시청|도청|군청|구청|박물관|미술관|일보|노동당|공산당"
    "|민주당|왕조|공화국|대책본부"
)
_MINISTRIES: Final = (
    "기획재정부|보건복지부|고용노동부|여성가족부|국토교통부|해양수산부|문화체육관광부|산업통상자원부"
    "|농림축산식품부|행정안전부|중소벤처기업부|식품의약품안전처|국가보훈처"
)
_LANGUAGES: Final = "영어|일본어|프랑스어|독일어|스페인어|이탈리아어|러시아어|중국어|한자|라틴어"

_TITLE: Final = re.compile(
    "《([^《》]{2,40})》|〈([^〈〉]{2,40})〉|『([^『』]{2,40})』|「([^「」]{2,40})」"
)
#: A name and a number that is no age.
_RULER: Final = re.compile(
    r"(?<!\w)([가-힣]{2,}) (?:1\d|[1-9])세(?!기|대|의? ?(?:나이|때|시절|이상|이하|미만))"
)
#: The same name in other letters.
_ORIGINAL: Final = re.compile(
    rf"(?<=\w)\((?:(?:{_LANGUAGES}) ?: ?)?"
    r"([A-Za-zÀ-ɏ][\w.&'’ \-]{1,60}|[㐀-鿿]{2,12})(?=[,;)])"
)
#: The name by which a text goes on.
_SHORT: Final = re.compile(
    r"(?<=\w)\((?:이하|약칭|본명|일명)(?:은|는)?(?: ?[:,] ?| |(?=['‘\"“]))"
    r"['‘\"“]?([\w·&.]{2,20}(?: [\w·&.]{2,20})?)['’\"”]?\)"
)
#: Who holds an office, in parentheses behind the institution.
_HOLDER: Final = re.compile(rf"\([가-힣]{{0,6}}(?:{_OFFICES}) ?:? ?([가-힣]{{2,4}})(?=[),])")
#: A person that a sentence begins with, and in parentheses when they lived.
_LEAD: Final = re.compile(
    r"([^\W\d][\w.\-·]*(?: [\w.\-·]+){0,3}) ?\((?:[^()]*\d년[^()]*~|[^()]*~ ?[^()]*\d년)"
)
#: A word that ends so goes on: what stands before the parenthesis is more than a name.
_GOES_ON: Final = re.compile(
    "(?:[은는이을를의에과와인한된던후때]|에서|에는|으로|당시|특히|그러나|이어|이후|그리고|또한) "
)
_INSTITUTION: Final = re.compile(
    rf"(?<!\w)(?:[\w&]{{2,20}}(?:{_INSTITUTIONS}|{_MINISTRIES})|{_MINISTRIES})" + _WORD_END
)
#: Words with such an end that are no names.
_COMMON: Final = re.compile(
    "(?:보이|걸|아이돌|신인|추진|운영|준비|조직|비상대책|심사|상임|특별|공립|사립|국립|시립|공영|민간|시중"
    f"|저축|지방|중앙|해당|관련|국책|산하)(?:{_INSTITUTIONS})"
)


def find_forms(text: str) -> Iterator[Form]:
    """Yield the entities of a text by their form; they may overlap."""
    for match in _TITLE.finditer(text):
        yield Form(*match.span(match.lastindex or 0), "POH")
    for match in _RULER.finditer(text):
        yield Form(*match.span(), "PER", after=match.end(1), is_ruler=True)
    for pattern in (_ORIGINAL, _SHORT):
        for match in pattern.finditer(text):
            yield Form(*match.span(1), "", after=match.start())
    for match in _HOLDER.finditer(text):
        yield Form(*match.span(1), "PER")
    for match in _INSTITUTION.finditer(text):
        if not _COMMON.fullmatch(match[0]):
            yield Form(*match.span(), "ORG")
    if (lead := _LEAD.match(text)) and not _GOES_ON.search(lead[1]):
        yield Form(*lead.span(1), "PER")
