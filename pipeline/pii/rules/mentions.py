"""Mentions of accounts: @gildong, and names behind a service: 카톡 gildong_1."""

from __future__ import annotations

import re
from typing import Final

from pipeline.pii.normal import spellings
from pipeline.pii.rules.network import ENDINGS
from pipeline.pii.rules.rule import (
    FAIR,
    HIGH,
    LIKELY,
    LOW,
    Candidate,
    D,
    Rule,
    Verdict,
    any_width,
    exact,
    one_of,
    words,
)

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
#: Beside an account in Hangul, which mostly stands at the head of a text.
_FOLLOWED: Final = re.compile(
    one_of("""
    인스타 트위터 유튜브 텔레 카톡 디코 계정 팔로 구독 태그 멘션 디엠 DM 댓글 답글 아이디 닉네임 님
    고마 덕분 소환 호출 쪽지 의뢰 에게 한테
""")
)
_HONORIFIC: Final = re.compile(
    r"(?:님[가-힣]{0,4}|씨(?:가|는|를|의|도|에게)?|에게|한테|께서|이랑|에서|으로|입니다)$"
)


def _mention(candidate: Candidate) -> Verdict | None:
    handle = candidate.match.group()[1:].rstrip(".")
    end = candidate.start + 1 + len(handle)
    behind = candidate.text[end : end + 4]
    if (
        _CODE.match(behind)
        or behind[:1] == "@"
        or candidate.near(_PROGRAMMING, before=30, after=20)
    ):
        return None
    if "가" <= handle[0] <= "힣":
        return _korean_mention(candidate, handle)
    word = handle.lower()
    if word.split(".")[0] in _NOT_ACCOUNTS or not any(c.isalpha() for c in word):
        return None
    if (
        len(handle) < 2
        or re.fullmatch("[A-Z]{2,4}", handle)
        or _NOT_A_NAME.search(word)
        or word in _PROVIDERS
    ):
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
    span = (candidate.start, candidate.start + 1 + len(own))
    if own != handle or candidate.near(_FOLLOWED, before=20, after=20):
        return Verdict(LIKELY, (), span)
    alone = candidate.start == 0 or re.search("[0-9_A-Za-z]", own)
    return Verdict(FAIR if alone else LOW, (), span)  # `. @` is a bullet more often


_KOREAN: Final = one_of("""
    카카오톡 카톡 까톡 카똑 ㅋㅌ 카카오 텔레그램 텔레그렘 텔레 텔그 인스타그램 인스타 인별그램 인별
    트위터 페이스북 페북 페메 디스코드 디코 위챗 왓츠앱 스카이프 틱톡 에스크 스레드 트위치 유튜브
    카스 스냅챗
    네이트온 메신저 플친 트윗 오픈채팅 옾챗 블로그 톡
""")
#: Services whose names end other words: 온라인, 헤어밴드.
_ALONE: Final = one_of("라인 밴드 시그널 스팀 당근")
_LATIN: Final = "kakaotalk|kakao|telegram|instagram|insta|ig|twitter|discord|line|wechat|skype"
_SERVICE: Final = f"(?:{_KOREAN}|(?<![가-힣])(?:{_ALONE})|(?<![A-Za-z/])(?i:{_LATIN})(?![A-Za-z_]))"
_ID: Final = (
    r"(?:아이디|아뒤|계정|닉네임|닉|주소|친추|디엠|친구 ?추가|추가|검색|문의|상담|주세요|본계|부계"
    r"|방장|(?i:id|dm))"
)
_LETTER: Final = "[A-Za-zＡ-Ｚａ-ｚ]"
_WORD: Final = f"[A-Za-zＡ-Ｚａ-ｚ0-9_＿０-９{spellings('-.')}]"
_HANDLE: Final = (
    r"(?P<handle>_{0,2}[A-Za-z0-9](?:[A-Za-z0-9_.]|-(?=[A-Za-z0-9])){3,29}(?:#\d{4})?"
    r"|[가-힣A-Za-z0-9_]{2,16}#\d{4})"
)
#: Names of networks and games' machines, and what stands for a name.
_NOT_OF_PEOPLE: Final = re.compile(
    r"와이파이|[Ww]i-?[Ff]i|공유기|문서|상품|기기|장비|앱|게시물|영상 ?$"
)

_CALLED: Final = re.compile(
    r"(?:으?로)? ?(?:추가|검색|디엠|DM|팔로|문의|연락|친추|톡|남겨|보내|멘션)"
)
_FILE: Final = re.compile(
    r"\.(?:jpe?g|png|gif|pdf|hwp|docx?|xlsx?|pptx?|zip|mp[34]|txt|py|js|html?|exe)$"
)


def _handle(candidate: Candidate) -> Verdict | None:
    """Judge a name in Latin letters that a service or the word for an account announces."""
    group = "name" if candidate.match.group("name") else "handle"
    handle = candidate.match.group(group).rstrip(".")
    start = candidate.match.start(group)
    behind = candidate.text[start + len(handle) : start + len(handle) + 4]
    word = handle.lower()
    if word in _NOT_ACCOUNTS or not any(c.isalpha() for c in word) or _NOT_A_NAME.search(word):
        return None
    span = (start, start + len(handle))
    if group == "name":
        telling = re.search("[0-9_.]", word) and not _FILE.search(word)
        return Verdict(LIKELY, ("context",), span) if telling else None
    if (
        re.fullmatch(r"v?[0-9]+(?:\.[0-9]+)*", word)  # a version
        or _CODE.match(behind)
        or re.match("@| [A-Za-z]", behind)
        or _NOT_OF_PEOPLE.search(candidate.before(8))
        or candidate.near(_PROGRAMMING, before=30, after=20)
    ):
        return None
    weak = re.match(
        "라인|유튜브|밴드|트위치|톡|메신저|시그널|스팀|블로그|(?i:line|id)", candidate.match.group()
    )
    if re.search("[_.#]" if weak else "[0-9_.#-]", word) and not _FILE.search(word):
        return Verdict(HIGH, ("context",), span)
    announced = candidate.match.group("id") or ":" in candidate.match.group()
    named = (announced or _CALLED.match(candidate.after())) and len(word) > 4
    return Verdict(LIKELY, ("context",), span) if named else None


RULES: Final = (
    Rule(
        "mention.service@1",
        "mention",
        "|".join(f"{_WORD * n}{_LETTER}{_WORD * (3 - n)}" for n in range(4)) + f"|[#＃]{D}{{4}}",
        exact(
            rf"(?:{_SERVICE} ?(?P<id>{_ID})?|아이디|아뒤|닉네임|계정"
            r"|(?<![A-Za-z0-9])(?i:id)(?= ?:))(?:은|는|이|가|으?로|에서|에)?"
            rf"[ :;=/|\"'(\[“‘-]{{0,4}}{_HANDLE}"
            rf"|(?<![A-Za-z0-9@._/-])(?P<name>[A-Za-z][A-Za-z0-9_.]{{4,29}}) ?\(?{_SERVICE}"
            r"(?:\)|(?:으?로)? ?(?:친추|추가|아이디|계정|디엠|팔로|검색|연락|문의))"
        ),
        _handle,
        f"{_KOREAN}|{_ALONE}|아이디|아뒤|닉네임|계정|{any_width(_LATIN)}"
        f"|(?:^|[^A-Za-z]){any_width('id')}[^A-Za-z]",
    ),
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
