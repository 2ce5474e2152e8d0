"""News boilerplate: what an article carries about its makers rather than its matter.

Five edits ``text -> (text, counts)``: copyright notices, press names, bylines, image credits and
source credits. Each is sought only where newsrooms put it: in brackets of its own, in front of the
text, behind its last sentence, or alone. A sentence that speaks of a reporter, a photograph or a
copyright is content. The blanks around what is cut are cut too; one stays between two words.
Source: KLUE, section 2.3 ("information about reporters and press, images, source tags as well as
copyright tags").
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final

from pipeline.corpus.rules.noise import Edit

_OPEN, _SHUT = r"[\[(【〔<＜〈]", r"[\])】〕>＞〉]"
_INSIDE: Final = r"(?:[^\[\]()【】〔〕<>＜＞〈〉]|\([^()\[\]<>]{0,30}\))"
#: In front of what is cut: nothing, or the end of a sentence (with its closing quotation mark).
_FRONT: Final = r"(?:^\s*|(?<=[.?!…])\s*|(?<=[.?!…][\"'”’)\]])\s*)"
#: Anything to the end of the text that does not run over the end of a sentence.
_REST: Final = r"(?:(?!(?:[다요죠까음임함]\.|[?!]))[^\n]){0,100}$"
_EMAIL: Final = r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{2,63}){1,4}"

# --- names of newsrooms and people ---------------------------------------------------------------

_CAPITALS: Final = (
    "AFP|AP|BBC|CBS|CNN|EBS|EPA|JTBC|KBS|KTV|MBC|MBN|NHK|OBS|OSEN|SBS|TBS|TV조선|UPI|YTN|채널A"
)
_SURE: Final = (
    r"일보|신문|뉴스\d?|타임[스즈]|저널|투데이|데일리|헤럴드|닷컴|매거진|위키트리|뉴시스|한겨레"
    r"|프레시안|파이낸셜|(?:매일|한국|서울|아시아|헤럴드)경제|스포츠(?:서울|조선|동아|경향|한국)"
)
_LIKELY: Final = rf"{_SURE}|통신|방송|경제|미디어|스포츠|아시아|코리아|포스트|프레스|비즈|TV"
#: Head tags that end like a newspaper's name; they say what a headline is and stay.
_HEAD_TAG: Final = (
    r"(?:가짜|간추린|그래픽|날씨|뉴스|단독|밤|사진|생활|속보|아침|영상|오늘의?|이슈|인물|저녁|종합|주요"
    r"|카드|포토|한줄|핫|화제)\s?뉴스"
)
_PRESS_SURE: Final = rf"(?!{_HEAD_TAG})(?:[가-힣A-Za-z0-9]{{0,8}}?(?:{_SURE})|{_CAPITALS})"
_PRESS: Final = rf"(?:[가-힣A-Za-z0-9&.]{{1,10}}?(?:{_LIKELY})|{_SURE}|{_CAPITALS}|연합)"

_SURNAME: Final = (
    "강견경계고곽공구국권금기길김나남노도동라류마맹명모목문민박반방배백범변복봉부빈사서석선설성소손"
    "송신심안양어엄여연염예오옥온왕용우원위유육윤은음이인임장전정제조좌주지진차채천최추탁태편표피하"
    "한함허현형호홍황"
)
#: Two or three syllables that look like a name in front of 기자 and are none.
_NO_NAME: Final = (
    "강성|경기|공부|공연|경제|경찰|고참|구독|국내|국제|국회|기성|남성|남자|노련|동료|명예|모든|문화|미국|민간|민완"
    "|방송|부산|사진|사회|서울|선배|선임|성실|소속|송고|수습|신문|신임|신입|어느|어떤|여성|여자|여기|연구"
    "|연예|영국|영상|예비|우리|유능|유명|의학|이런|인기|인천|인턴|전문|전업|전임|전쟁|전직|정규|정보|정식"
    "|정치|제주|조선|종군|주간|주말|주재|지방|지역|차기|초보|편집|평생|표지|학생|한국|해외|해직|현역|현장"
    "|현지|현직|홍콩|하노이|마닐라|(?:경제|국제|문화|사회|연예|정치)부|방송[국사]|신문사|잡지사|통신사"
)
_NAME: Final = (
    rf"(?<![가-힣A-Za-z])(?!(?:{_NO_NAME})\s)"
    rf"(?:(?:남궁|황보|제갈|선우|독고|사공|서문)[가-힣]{{1,2}}|[{_SURNAME}][가-힣]{{1,2}})"
)
_TITLE: Final = (
    r"(?:(?:(?:인턴|수습|선임|전문|객원|사진|영상|촬영|취재|온라인|시민|명예|학생|[가-힣]{1,6}전문)\s?)?"
    r"기자|(?:순회)?특파원|통신원|(?:객원)?논설위원|편집위원|리포터|에디터)(?![가-힣])"
)
_PLACE: Final = r"(?:(?!사진|자료|출처)[가-힣A-Za-z·ㆍ]{1,12}\s?=\s?)?"
_PERSON: Final = rf"{_PLACE}(?:[가-힣A-Za-z]{{1,8}}\s?공동취재단|{_NAME})"
_SIGNED: Final = (
    rf"{_PERSON}(?:\s{{0,2}}[/·ㆍ,]\s?{_PERSON}){{0,8}}(?:\s{{1,2}}(?:{_PRESS}|[가-힣]{{1,4}}[팀부])){{0,2}}"
    rf"(?P<gap>){_TITLE}"
)
_TEAM: Final = (
    rf"(?:{_PRESS}\s?)?(?:(?:온라인|디지털|연예|스포츠|인터넷|모바일|이슈|영상|사회|경제)\s?)?"
    r"(?:뉴스팀|뉴스부|뉴스룸|뉴스국|편집국|편집부|취재팀|이슈팀|기획취재부)"
)


def _byline(*, gap: str) -> str:
    """Compose names, newsroom and title; `gap` is what stands between name and title."""
    signed = _SIGNED.replace("(?P<gap>)", gap)
    return rf"(?:{_PRESS}\s{{1,2}})?{signed}(?:\s?[/·,]\s?{signed}){{0,4}}"


_LOOSE: Final = _byline(gap=r"\s{0,2}")
_STRICT: Final = _byline(gap=r"\s{1,2}")
_MAILS: Final = rf"(?:[\s,/(]*{_EMAIL}\)?){{1,3}}"

# --- the five rules ------------------------------------------------------------------------------

_PICTURE: Final = r"(?:자료\s?)?(?:사진|이미지|그래픽|캡[처쳐]|동영상|영상|일러스트|삽화)"
_CREDIT: Final = rf"{_PICTURE}\s?(?:제공|출처|캡[처쳐]|촬영)?"
_ORIGIN: Final = r"(?:자료\s?(?:제공|출처)?|출처|통계\s?출처|제공)"
_SIGN: Final = r"(?:ⓒ(?![ⓐ-ⓩ])|©|\([cC]\))"
_NOTICE: Final = (
    r"(?:무단\s?(?:전재|복제|배포|사용|도용)[^.!?다]{0,20}금지|재배포\s?금지|[Aa]ll\s?[Rr]ights\s?[Rr]eserved"
    r"|ALL\s?RIGHTS\s?RESERVED)"
)
_AFTER_NOTICE: Final = r"(?:[\s.,\])>】·]|(?:합니다|됩니다)\.?)*$"
_COPY_WORD: Final = rf"(?:[Cc]opyrights?|COPYRIGHTS?)\s?(?:by\s?|BY\s?)?{_SIGN}"
COPYRIGHT: Final = (
    rf"{_OPEN}\s*(?:저작권자\s?)?(?:[Cc]opyrights?\s?|COPYRIGHTS?\s?)?(?:by\s?)?{_SIGN}"
    rf"\s*[^\s\])】>]{_INSIDE}{{0,150}}{_SHUT}",
    rf"{_OPEN}{_INSIDE}{{0,100}}{_NOTICE}{_INSIDE}{{0,20}}{_SHUT}",
    rf"(?:^|\s|(?<=[.?!…\"'”’)\]]))(?:저작권자|{_COPY_WORD}|{_SIGN})(?:(?!다\.)[^\n]){{0,120}}?"
    rf"{_NOTICE}{_AFTER_NOTICE}",
    rf"{_FRONT}(?:[※▶*]\s?)?(?:(?:본|이)\s?(?:기사|콘텐츠|저작물)[^.\n]{{0,40}})?{_NOTICE}{_AFTER_NOTICE}",
    rf"{_FRONT}{_COPY_WORD}{_REST}|{_COPY_WORD}\s*$",
    rf"{_FRONT}(?:저작권자\s?)?(?!\([cC]){_SIGN}\s?\S[^.?!\n]{{0,40}}$",
    rf"(?:^|\s)(?!\([cC]){_SIGN}\s?{_PRESS}[\s,]*$",
)
_PAGES: Final = r"[A-Z]?\d{1,2}(?:\s?[,·~]\s?[A-Z]?\d{1,2}){0,9}\s?면"
PRESS: Final = (
    rf"^\s*{_OPEN}\s*(?:[^=\[\]()<>]{{0,20}}=\s?)?{_PRESS}(?:\s?[/·,]\s?{_PRESS})?(?:\s?=[^=\[\]()<>]{{1,20}})"
    rf"{_SHUT}",
    rf"^\s*{_OPEN}\s*(?!{_CREDIT}\s?=|{_ORIGIN}\s?=)[^=\[\]()<>]{{1,20}}=\s?{_PRESS}(?:\s?[/·,]\s?{_PRESS})?"
    rf"\s*{_SHUT}(?:\s?{_NAME}\s*$)?",  # kss cuts a byline of two names between them
    rf"^\s*[\[(【]\s?{_PRESS_SURE}\s?[\])】](?=\s|$|{_LOOSE})",
    rf"{_FRONT}[\[(【]\s?{_PRESS_SURE}\s?[\])】]\s*$",
    rf"{_FRONT}[▶▷☞◆■※►]\s?(?:기사\s?제보|보도\s?자료|제보(?:하기|는)|{_PRESS_SURE}\s?(?:구독|바로\s?가기|앱))"
    rf"{_REST}",
    rf"[▶▷☞]\s?(?:관련\s?(?:기사|시리즈|인터뷰|사설|칼럼)\s{{0,2}}(?:{_PAGES})?|{_PAGES}\s?참조"
    rf"|본지\s{{0,2}}(?:\d{{1,2}}월\s?)?\d{{1,2}}일\s?자\s{{0,2}}{_PAGES}\s?참조)",
    r"^\s*[A-Z]?\d{1,2}면에\s계속(?=\s|$)",
)
REPORTER: Final = (
    rf"^\s*(?:[·ㆍ/,]\s?)?{_LOOSE}\s?=(?!\s?=)",
    rf"(?:{_FRONT}|(?<=\s)){_OPEN}\s?(?:{_PRESS}\s?[=|/]?\s?)?{_LOOSE}(?:{_MAILS})?\s?{_SHUT}(?:\s?=|(?=\s|$))",
    rf"{_FRONT}{_OPEN}?{_LOOSE}{_MAILS}\s?{_SHUT}?,?(?=\s|$)",
    rf"(?<![은는이가을를에로와과의])\s(?:/\s?)?{_LOOSE}{_MAILS}\s*$",
    rf"{_FRONT}{_STRICT}\s?/?\s*$",
    rf"^\s*{_NAME}(?<!연){_TITLE}\s?/?\s*$",
    rf"\s{{0,4}}/\s?{_STRICT}(?:{_MAILS})?\s*$",
    rf"{_FRONT}{_TEAM}(?:\s{_STRICT})?(?:{_MAILS})?\s*$",
    rf"{_FRONT}{_OPEN}?{_MAILS}[\s\])】]*$",
)
#: Behind a headline, which no sentence end shows: not behind a particle or a word that describes.
HEADLINE: Final = (
    rf"\s*{_OPEN}\s?(?:[가-힣A-Za-z0-9·]{{1,12}}\s?[=|/]?\s?)?{_LOOSE}(?:{_MAILS})?\s?{_SHUT}\s*$",
    rf"(?<=[가-힣A-Za-z0-9\"'”’…)\]])(?<![은는이가을를에로와과의서인한된던른간온준난낸쓴운할도며])(?<!뉴스|일보|신문|방송|겨레)"
    rf"\s{{1,3}}{_STRICT}(?:{_MAILS})?\s*$",
)
IMAGE: Final = (
    rf"[\[(【]\s?사진(?:제공|출처)\s(?!거부|요[구청]|중단|여부|불가){_INSIDE}{{1,40}}[\])】]",
    rf"{_OPEN}\s?[▲△]?\s?(?:글\s?[·/,&]\s?)?{_CREDIT}\s?(?:[=:|/]|{_SIGN}){_INSIDE}{{1,60}}{_SHUT}",
    r"[\[(【]\s?(?:자료\s?사진|사진\s?(?:자료|설명|제공)|사진)\s?[\])】]",
    rf"(?:^\s*|(?<=[.?!…])\s*|(?<=[.?!…][\"'”’)\]])\s*|\s{{0,4}}/)[▲△]?\s?(?:글\s?[·/,&]\s?)?{_CREDIT}\s?[=|]"
    rf"\s?\S{_REST}",
    rf"(?<=\s)[▲△]?\s?{_CREDIT}\s?[=|]\s?(?:{_PRESS}|{_LOOSE}|{_NAME}|\S{{1,12}}\s제공)\s*$",
    rf"{_FRONT}[▲△]?\s?{_PICTURE}\s?(?:제공|출처)\s?:\s?\S{_REST}",
    rf"^\s*[▲△]?\s?{_PICTURE}\s?[:/]\s?(?:{_PRESS}|{_LOOSE}|{_NAME})\s*$",
)
SOURCE: Final = (
    rf"{_OPEN}\s?[※▲△*]?\s?{_ORIGIN}\s?[=:|]{_INSIDE}{{1,80}}{_SHUT}",
    r"\[\s?출처\s?(?:필요|불명)?\s?\]",
    rf"{_FRONT}[※▲△*]?\s?(?:{_ORIGIN}\s?=|(?:자료\s?(?:제공|출처)|통계\s?출처|출처)\s?:)\s?\S{_REST}",
    rf"(?<=\s)[※▲△*]\s?{_ORIGIN}\s?[=:]\s?\S{_REST}",
)


def _cut(text: str, pattern: re.Pattern[str]) -> tuple[str, int]:
    """Cut every match, joining what stood around it with the blank that belongs there."""
    result, position, count = "", 0, 0
    for match in pattern.finditer(text):
        piece = text[position : match.start()]
        result = _join(result, piece) if count else piece
        position, count = match.end(), count + 1
    return (_join(result, text[position:]), count) if count else (text, 0)


def _join(left: str, right: str) -> str:
    head, tail = left.rstrip(), right.lstrip()
    if not head or not tail or tail[0] in ".,!?)]":
        return head + tail
    ended = head[-1] in ".?!…\"'”’)]>"
    blank = tail != right or (ended and (head != left or head[-1] in ".?!…"))
    return f"{head} {tail}" if blank else head + tail


def _edit(kind: str, sources: tuple[str, ...], words: str) -> Callable[[str], Edit]:
    needed = re.compile(words)

    @cache
    def patterns() -> list[re.Pattern[str]]:  # a third of a second to compile: when needed
        return [re.compile(source) for source in sources]

    def edit(text: str) -> Edit:
        total = 0
        for pattern in patterns() if needed.search(text) else ():
            text, count = _cut(text, pattern)
            total += count
        return text, (((kind, total),) if total else ())

    return edit


#: What a text must hold (for RE2 and for `re`) before a rule looks closer.
GATES: Final[dict[str, str]] = {
    "copyright": r"ⓒ|©|\([cC]\)|무단|재배포|[Rr]ights|RIGHTS",
    "press": r"[=\[(【〔<＜〈▶▷☞◆■※►]|면에",
    "reporter": r"기자|특파원|통신원|논설위원|편집위원|리포터|에디터|뉴스[팀부룸국]"
    r"|편집[국부]|취재|이슈팀|@",
    "image": r"사진|이미지|그래픽|캡[처쳐]|영상|일러스트|삽화",
    "source": r"자료|출처|제공",
}

remove_copyright = _edit("notice", COPYRIGHT, GATES["copyright"])
remove_press = _edit("press", PRESS, GATES["press"])
remove_reporter = _edit("byline", REPORTER, GATES["reporter"])
remove_headline_byline = _edit("byline", HEADLINE, GATES["reporter"])
remove_image = _edit("credit", IMAGE, GATES["image"])
remove_source = _edit("source", SOURCE, GATES["source"])
