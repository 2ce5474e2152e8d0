"""The names that matter in wikitext, and the templates whose effect is plain text.

All other templates vanish. Template names are those of Korean Wikipedia, in small letters.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Any, Final

from mwparserfromhell.nodes import Template

Render = Callable[[Any], str]

_DATES: Final = re.compile(
    r"(출생|사망|시작|종료|창립|설립|개봉|발매|해산|폐지).*(일|날짜).*|날짜.*"
    r"|(birth|death|start|end|film|release).*date.*|생일.*|dts",
    re.IGNORECASE,
)
_LANGUAGE: Final = re.compile(r"l?lang-[a-z-]+")
_NUMBER: Final = re.compile(r"(\d{1,4}) ?[년월일]?")
_LONGEST_NAME: Final = 255
_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)


def _words(text: str, separator: str | None = None) -> frozenset[str]:
    return frozenset(word.strip() for word in text.split(separator) if word.strip())


#: Tags that vanish with their content.
GONE_TAGS: Final = _words("""
    ref references gallery math chem ce timeline score hiero graph imagemap inputbox source
    syntaxhighlight pre templatestyles templatedata categorytree section mapframe maplink
    table tr td th caption includeonly style script rt rp hr del
""")

#: HTML tags that begin and end a line.
BLOCK_TAGS: Final = _words("p div blockquote center poem ul ol dl li dd dt")

#: Namespaces of files and categories: a link to them shows no text in its place.
HIDDEN_SPACES: Final = _words("""
    파일 그림 이미지 미디어 file image media 분류 category
""")

#: Sister projects, whose prefix is not part of what a reader sees.
SISTERS: Final = _words("""
    w b n s q c d m v wikt wikipedia wiktionary wikinews wikisource wikiquote wikibooks
    commons meta 위키백과 위키낱말사전 위키문헌 위키뉴스
""")

#: Templates that show their first argument, besides {{lang-de|...}}.
SHOW_FIRST: Final = _words(
    """
    nihongo, small, 작게, 작은 글씨, big, nowrap, nobr, 줄바꿈 금지, unicode, 유니코드, url,
    웹사이트, 한자, ruby-ja, 루비, 윗주, center, nobold, tooltip, 툴팁, abbr, plainlist,
    flatlist
    """,
    ",",
)
#: Templates that show their second argument: {{lang|de|Berlin}}.
SHOW_SECOND: Final = _words("lang llang 언어")

#: Templates that show all their arguments as a list.
LISTS: Final = _words(
    """
    빈 줄 목록, 빈줄목록, unbulleted list, ubl, hlist, 가로 목록, 글머리 없는 목록, 줄 목록
    """,
    ",",
)
#: Templates that show a number and a unit.
QUANTITIES: Final = _words(
    """
    convert, 변환, 단위 변환
    """,
    ",",
)

#: Templates that show a flag with the country's name, which is the first argument and a link.
FLAGS: Final = _words("국기 국기나라 국기국가 flag flagcountry flagu")

#: Infoboxes that are not named so, many of them redirects to one that is.
INFOBOXES: Final = _words(
    """
    생물 분류, taxobox, chembox, drugbox, 약상자, 유기화합물, geobox, 인물데이터, 국가원수,
    공직자, 정치인, 공무원, 배우, 여성모델, 민족, 세계유산, 방송국, 브랜드, 조약, 무기,
    철도차량, 기관차, 기갑차량, 박물관, 학교법인, 음악 장르, 서킷, 탁구선수, 스노보드 선수,
    대한민국 대도시, 대한민국 시군구, 대한민국의 도, 일본 무사, 비주얼 노벨, 언어분류
    """,
    ",",
)

#: Countries by the code that names their flag template ({{KOR}}).
COUNTRIES: Final[dict[str, str]] = {
    code: name.replace("_", " ")
    for code, _, name in (
        pair.partition("=")
        for pair in _words("""
    ARG=아르헨티나 AUS=오스트레일리아 AUT=오스트리아 BEL=벨기에 BGR=불가리아 BRA=브라질
    BUL=불가리아 CAN=캐나다 CHE=스위스 CHI=칠레 CHL=칠레 CHN=중화인민공화국 CMR=카메룬
    COL=콜롬비아 CRO=크로아티아 CUB=쿠바 CZE=체코 DEN=덴마크 DEU=독일 DNK=덴마크 EGY=이집트
    ENG=잉글랜드 ESP=스페인 EST=에스토니아 FIN=핀란드 FRA=프랑스 GBR=영국 GER=독일 GHA=가나
    GRC=그리스 GRE=그리스 HKG=홍콩 HRV=크로아티아 HUN=헝가리 IDN=인도네시아 INA=인도네시아
    IND=인도 IRI=이란 IRL=아일랜드 IRN=이란 IRQ=이라크 ISL=아이슬란드 ISR=이스라엘
    ITA=이탈리아 JAM=자메이카 JPN=일본 KAZ=카자흐스탄 KEN=케냐 KOR=대한민국 LTU=리투아니아
    LVA=라트비아 MAC=마카오 MAR=모로코 MAS=말레이시아 MEX=멕시코 MNG=몽골 MYS=말레이시아
    NAM=나미비아 NED=네덜란드 NGA=나이지리아 NGR=나이지리아 NLD=네덜란드 NOR=노르웨이
    NZL=뉴질랜드 PAK=파키스탄 PAR=파라과이 PER=페루 PHI=필리핀 PHL=필리핀 POL=폴란드
    POR=포르투갈 PRK=조선민주주의인민공화국 PRT=포르투갈 ROC=중화민국 ROU=루마니아
    RSA=남아프리카_공화국 RUS=러시아 SAU=사우디아라비아 SCO=스코틀랜드 SEN=세네갈 SGP=싱가포르
    SRB=세르비아 SUI=스위스 SVK=슬로바키아 SVN=슬로베니아 SWE=스웨덴 THA=태국
    TPE=중화_타이베이 TUN=튀니지 TUR=튀르키예 TWN=중화민국 UKR=우크라이나 URS=소련
    URU=우루과이 URY=우루과이 USA=미국 UZB=우즈베키스탄 VEN=베네수엘라 VIE=베트남 VNM=베트남
    WAL=웨일스 ZAF=남아프리카_공화국
""")
    )
}


def name_of(template: Template) -> str:
    """Return a template's name without namespace, underscores and white space around.

    A name that is longer than MediaWiki allows is "".
    """
    name = _COMMENT.sub("", str(template.name)).replace("_", " ").strip()
    if len(name) > _LONGEST_NAME:
        return ""
    space, colon, rest = name.partition(":")
    return rest.strip() if colon and space.strip().lower() in ("틀", "template") else name


def visible(template: Template, render: Render, *, title: str, in_prose: bool) -> str:
    """Return the plain text that a template shows; "" for one that is not known.

    The items of a list are lines. In prose dates are written out, else they are ISO.
    """
    name = name_of(template)
    lower = name.lower()
    if lower in SHOW_SECOND:
        return argument(template, 2, render)
    if lower in SHOW_FIRST or _LANGUAGE.fullmatch(lower):
        return argument(template, 1, render)
    if lower in LISTS:
        return "\n".join(item for item in arguments(template, render) if item)
    if lower in QUANTITIES:
        return " ".join(arguments(template, render)[:2])
    if _DATES.fullmatch(name):
        return first_date(arguments(template, render), in_words=in_prose)
    return _variable(name, title)


def _variable(name: str, title: str) -> str:
    """Return the effect of a magic word in braces: {{PAGENAME}}, {{formatnum:1234}}."""
    if name in ("PAGENAME", "문서이름"):
        return title
    function, _, rest = name.partition(":")
    return rest.strip() if function.lower() == "formatnum" else ""


def country(template: Template, render: Render) -> str:
    """Return the country of a flag template: {{국기나라|독일}}, {{KOR}}; "" for any other."""
    name = name_of(template)
    if name.lower() in FLAGS:
        return argument(template, 1, render)
    return COUNTRIES.get(name, "")


def arguments(template: Template, render: Render) -> list[str]:
    """Return the positional arguments of a template, rendered, in order."""
    return [render(param.value).strip() for param in template.params if not param.showkey]


def argument(template: Template, number: int, render: Render) -> str:
    """Return one positional argument, also when it is given by its number; "" without."""
    for param in reversed(template.params):
        if str(param.name).strip() == str(number):
            return render(param.value).strip()
    return ""


def first_date(values: list[str], *, in_words: bool = False) -> str:
    """Return the first date of year, month and day arguments, as far as they go.

    ``1961-03-02``, ``1961-03``, ``1961``; in words ``1961년 3월 2일``. "" without a year.
    """
    numbers: list[int] = []
    for value in values[:3]:
        match = _NUMBER.fullmatch(value)
        if match is None:
            break
        numbers.append(int(match[1]))
    try:
        year, month, day = [*numbers, 1, 1][:3]
        date(year, month, day)
    except ValueError:
        return ""
    if in_words:
        return " ".join(f"{n}{unit}" for n, unit in zip(numbers, "년월일", strict=False))
    return "-".join(format(n, w) for n, w in zip(numbers, ("04d", "02d", "02d"), strict=False))
