"""Mentions of accounts: @gildong."""

from __future__ import annotations

import re
from typing import Final

from pipeline.pii.rules.network import ENDINGS
from pipeline.pii.rules.rule import HIGH, LIKELY, Candidate, Rule, Verdict, exact, one_of, words

#: Annotations of programming languages and words that call everybody; no accounts.
_NOT_ACCOUNTS: Final = words("""
        abstract abstractmethod access account action admin after afterall aftereach alias all
        allargsconstructor androidentrypoint angular annually api_view app apply appstorage
        argument argv around article aspect assert async asynccontextmanager attribute auth
        author autoreleasepool autowired available avg aws-sdk babel bean before beforeall
        beforeeach bindable binding binds blade book boundscheck break brief btime builder cache
        cacheable cached_property cacheevict cacheput callback case channel charset classmethod
        click code code_warntype codecoverageignore colorint column command comment component
        componentscan composable conditional config configuration constant container
        contextmanager continue controller controlleradvice convert converter copydoc count
        counter-style covers createddate csrf csrf_exempt cython daily data data-test dataclass
        dataclass_transform datajpatest dataprovider dd debug default defgroup delete
        deletemapping depends deprecated description details disabled discardableresult
        displayname distributed document dump dynamiccallable dynamicmembercallable echo elseif
        email embeddable embedded emits emotion enableautoconfiguration enablejpaauditing end
        endcode endforeach endif endsection entity entitylistener enum enumerated env environment
        environmentobject error escaping event everyone everywhere example exceptionhandler
        expectedexception export export_ok exports extend extends external fetch_status
        fetchrequest file final fires fixture flow focusstate font-face font-feature-values
        font-palette-values foreach forelse forward frozen function functools fxml generated
        generatedvalue generator gesturestate get getmapping getter given global globalactor
        google-cloud group guest guvectorize handle here hidetree hiltviewmodel hourly ibaction
        ibdesignable ibinspectable iboutlet id identity ignore implementation implements import
        importresource inbook inbounds inc include includeif incollection info ingroup inheritdoc
        inject injectable inlinable inline inner inproceedings input instance interface internal
        isa isset jit joincolumn json jsoncreator jsonformat jsonignore jsoninclude jsonproperty
        jsx jsxfrag jvmfield jvmname jvmoverloads jvmstatic keep keyframes kind langid
        lastmodifieddate layer lazy lends license link listens livewire lob login_required
        lru_cache main mainactor mainpage mainthread manual manytomany manytoone mapper mark
        mastersthesis max max_connections media member memberof mention method midnight min misc
        mixes mixin mock mockbean mod model moderator modifying module monthly mui name namespace
        nested nestjs ngmodule nickname njit noargsconstructor noinline nonnull nospecialize
        notblank note notempty notnull nsapplicationmain nscopying nsmanaged nullable numba objc
        objcmembers observable observationignored observedobject off once onetomany onetoone
        online option optional order output overload override package page par param
        parameterizedtest parametrize params parcelize parent patch pathvariable pattern
        permission_required phdthesis php phpstan plugin pointcut positive post postmapping pre
        preamble preconcurrency preview primary prisma private proceedings profile prop property
        propertysource propertywrapper protected provides psalm public published push put
        putmapping pytest qualifier query react readonly reboot receiver reduxjs ref register
        relationship remark repository requestbody requestmapping require_post
        requiredargsconstructor requires requiresapi responsebody responsestatus responsive rest
        restcontroller restrictto resultbuilder return returns retval route rowcount
        runtime_checkable scenestorage scheduled scope screen section see selector sendable
        serializable servername service setter settings shared_task show simd since
        singledispatch singleton size slf4j spid springbootapplication springboottest spybean
        stack staff starting-style state stateobject static staticmethod stop storybook string
        stringres subsection sum summary supports suppresswarnings switch synchronized synthesize
        table tag tailwind tanstack targetapi task team techreport template test testable
        testing-library testset tf this threads throws time timeout todo torch total
        total_ordering tparam trancount transactional transient ts-expect-error ts-ignore
        ts-nocheck tutorial type typedef types uiapplicationmain uithread unchecked unpublished
        usablefrominline use user userid username utility valid validated value variable variants
        vectorize version view-transition viewbuilder viewchild viewport visiblefortesting
        volatile vue warn warning webmvctest weekly workerthread wraps yearly yield yields
        yourname
    """)
#: Words that stand for a name where somebody tells how to write one.
_PLACEHOLDERS: Final = words("""
        아이디 닉네임 이름 계정 사용자 상대방 친구 멘션 태그 모두 전체 여기 공지 질문 전원 채널
    """)
_UNITS: Final = one_of("""
    fps hz khz mhz ghz am pm p k x px mm cm km m kg g w v ma mah won krw usd atm bar rpm dpi ms s
    h
""")
#: The ending of a mail domain; and a quantity, such as 60fps, 3.6GHz, 7pm.
_NOT_A_NAME: Final = re.compile(rf"\.(?:{ENDINGS})$|^\d+(?:\.\d+)?(?:{_UNITS})$")
_PROVIDERS: Final = words("naver gmail daum hanmail kakao nate google hotmail outlook yahoo icloud")
_PLACES: Final = one_of("""
    역 관 홀 카페 공원 센터 경기장 구장 극장 호텔 대학교 광장 시장 빌딩 스튜디오
""")
#: `@강남역`, `12/24 @성수`: where something takes place.
_PLACE: Final = re.compile(rf"(?:{_PLACES})$")
_DATE: Final = re.compile(r"(?:\d{1,2}[/.:-]\d{1,2}|\d[월일시분])[)\]]? ?$")
_PROGRAMMING: Final = re.compile(
    one_of("""
    애너테이션 어노테이션 데코레이터 변수 함수 매크로 코틀린 자바 파이썬 루비 PHP 스프링 CSS 엑셀
    수식 글꼴 지시자 지시어 의존성 패키지 클래스 메서드 메소드 컴파일 스크립트 참고_문헌 항목
    키워드 문법 표_계산 템플릿 반복문 조건문 SQL Java Python
""")
)
#: What follows a name in code, and never an account: a call, a scope, a mask, a range, a value.
_CODE: Final = re.compile(r"\([\x21-\x7e]|[/*:-][^\s)]| ?=|[*]")
_QUOTED: Final = re.compile(r"[^@]{0,24}(?<![\s님,(])@")
_HONORIFIC: Final = re.compile(
    r"(?:님[가-힣]{0,4}|씨(?:가|는|를|의|도|에게)?|에게|한테|께서|이랑|에서|으로|입니다)$"
)


def _mention(candidate: Candidate) -> Verdict | None:
    handle = candidate.match.group()[1:].rstrip(".")
    end = candidate.start + 1 + len(handle)
    behind = candidate.text[end : end + 4]
    if _CODE.match(behind) or candidate.near(_PROGRAMMING, before=30, after=20):
        return None
    if "가" <= handle[0] <= "힣":
        return _korean_mention(candidate, handle)
    word = handle.lower()
    if word.split(".")[0] in _NOT_ACCOUNTS or not any(c.isalpha() for c in word):
        return None
    if len(handle) < 2 or _NOT_A_NAME.search(word) or word in _PROVIDERS:
        return None
    return Verdict(HIGH, (), (candidate.start, end))


def _korean_mention(candidate: Candidate, handle: str) -> Verdict | None:
    own = _HONORIFIC.sub("", handle)
    if candidate.before(1) == "[" and candidate.after(1) == "]":  # a tag of a bulletin board
        return None
    quoted = _QUOTED.match(candidate.after(28))  # @...@ is how some people set words apart
    if len(own) < 2 or own in _PLACEHOLDERS or quoted or re.search("[가-힣]$", candidate.before(1)):
        return None
    if _PLACE.search(own) or _DATE.search(candidate.before(10)):
        return None
    return Verdict(LIKELY, (), (candidate.start, candidate.start + 1 + len(own)))


RULES: Final = (
    Rule(
        "mention.handle@1",
        "mention",
        r"[@＠﹫][A-Za-z0-9_Ａ-Ｚａ-ｚ０-９＿가-힣]",
        exact(
            r"(?<![A-Za-z0-9._%+@/℃-])@(?:[A-Za-z0-9_](?:[A-Za-z0-9_.]|-(?=[A-Za-z0-9])){1,29}"
            r"|[가-힣][가-힣A-Za-z0-9_]{1,19})"
        ),
        _mention,
    ),
)
