"""E-mail, web, IP and MAC addresses."""

from __future__ import annotations

import re
from contextlib import suppress
from ipaddress import AddressValueError, IPv6Address
from typing import Final

from pipeline.pii.normal import spellings
from pipeline.pii.rules.rule import (
    BLANK,
    CERTAIN,
    FAIR,
    HIGH,
    LOW,
    Candidate,
    D,
    Rule,
    Verdict,
    exact,
    one_of,
)

_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
#: Endings that are taken for a web address without `http://` or `www.` in front.
ENDINGS: Final = one_of("""
    com net org kr info biz edu gov jp cn tv io me ai gg app dev shop xyz site club online store
    link blog page cloud wiki news asia us uk de fr eu co
""")
_PROVIDERS: Final = one_of("""
    네이버 다음 한메일 지메일 쥐메일 구글 네이트 핫메일 야후 카카오 아이클라우드 아웃룩 파란
    드림위즈
""")
_AT: Final = r"(?: ?@ ?| ?골[뱅벵]이 ?| ?[(\[{<](?:at|AT|At|a|앳|골뱅이|@)[)\]}>] ?| ?[앳엣] ?)"
_DOT: Final = (
    r"(?:\.| ?[(\[{<](?:dot|DOT|Dot|점|닷|\.)[)\]}>] ?| ?(?:점|닷|쩜) ?| (?:dot|DOT|Dot) )"
)
#: The last label of an address whose dots have blanks beside them.
#: What may follow a provider that stands without the rest of its domain.
_PARTICLE_BEHIND: Final = r"(?=(?:으?로|에|이|입니다|이에요|예요|요)?(?![가-힣A-Za-z0-9]))"
_FINAL: Final = "(?:com|COM|net|NET|org|ORG|kr|KR|edu|biz|info|io|jp|cn|us|me|co)"
_LOCAL: Final = r"(?<![A-Za-z0-9])[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}"

#: Short links, whose endings would be too common in running text.
_SHORT: Final = r"youtu\.be|bit\.ly|goo\.gl|t\.co|han\.gl|me2\.do|vo\.la|url\.kr|zrr\.kr|ow\.ly"
_PATH: Final = (
    r"(?:[/?#](?:[A-Za-z0-9\-._~:/?#@!$&'()*+,;=%\[\]]|(?<=[/=_(+-])[가-힣]{1,60}"
    r"|(?<=[가-힣][_(+-])[가-힣]){0,2000})?"
)
_PORT: Final = r"(?::\d{1,5})?"
_HANGUL_LABEL: Final = r"[가-힣A-Za-z0-9](?:[가-힣A-Za-z0-9-]{0,30})"
#: A host that leads somewhere: with a dot, or this machine with a port.
_HOST: Final = re.compile(r"[^/?#\s]+\.[^/?#\s]|localhost|\[")
_TAIL: Final = ".,;:!?'*~-"
_PARTICLE: Final = re.compile(
    r"/(?:입니다|이에요|예요|(?:에서|에게|에|으로|로)(?:만|도|는|의|부터)?|[을를은는이가의도와과]|이고|이며|인데)$"
)
_CODE_NAME: Final = re.compile(
    r"(?i:asp|vb|ado|adobe)\.net|[A-Z][a-z]+\.(?:co|me|us|de|fr|io|ai)$", re.ASCII
)


#: The name of a letter, in its header or in an archive.
_MESSAGE_ID: Final = re.compile(r"[0-9]{8,14}\.[A-Za-z0-9.]+@|(?:[0-9]{3,}\.){3,}[0-9]+@")


def _email(candidate: Candidate) -> Verdict | None:
    value = candidate.match.group()
    if "@" in value and " " in value:  # `RT @name.name` is no address
        known = re.search(rf"\.(?:{ENDINGS})$", value.lower())
        return Verdict(HIGH, ()) if known and value[:3].upper() != "RT " else None
    if value.lower().startswith("git@") or _MESSAGE_ID.match(value):
        return None
    return Verdict(CERTAIN if "@" in value else HIGH, ())


def _url(candidate: Candidate) -> Verdict | None:
    value = _trim(candidate.match.group())
    scheme = re.match(r"(?i)(?:https?|ftp)://|www\.", value)
    code = _CODE_NAME.match(value) or candidate.after(2) == "()"
    if scheme is None and (code or not _has_name(value)):
        return None
    if scheme and not _HOST.match(value, scheme.end()):
        return None
    known = ("scheme",) if scheme else ("ending",)
    return Verdict(
        CERTAIN if scheme else HIGH, known, (candidate.start, candidate.start + len(value))
    )


def _has_name(value: str) -> bool:
    """Tell whether the name in front of the ending looks like one: two characters and a letter."""
    labels = re.split("[/?#:]", value)[0].split(".")
    return "/" in value or any(len(x) > 1 and re.search("[A-Za-z]", x) for x in labels[:-1])


def _trim(value: str) -> str:
    """Cut what belongs to the sentence: from an unpaired bracket on, full stops, particles."""
    for opening, closing in ("()", "[]"):
        at = value.find(closing)
        while at >= 0:
            if value.count(closing, 0, at + 1) > value.count(opening, 0, at):
                value = value[:at]
            at = value.find(closing, at + 1)
    return _PARTICLE.sub("/", value.rstrip(_TAIL)).rstrip(_TAIL)


_DOTS: Final = f"[{spellings('.')}]"


_VERSIONED: Final = one_of(r"""
    버전 버젼 version ver\.? 릴리스 릴리즈 빌드 펌웨어 release build 업데이트 패치 ios 안드로이드
    android windows 윈도우? macos chrome 크롬 커널 kernel sdk 드라이버 소프트웨어 프로그램 규격
    제 섹션 section 항목 절 장 목차 rev\.? (?<![a-z])v
""")
_VERSION: Final = re.compile(rf"(?i:{_VERSIONED}) ?(?:은|는|이|가|을|를|의|:|\()? ?$")
_NUMBERED: Final = one_of("""
    절 장 항 조 판 버전 버젼 릴리스 빌드 번_항 패치 업데이트 펌웨어 ver 회 점 세트
""")
_NUMBERING: Final = re.compile(rf" ?(?:{_NUMBERED}|차 |.{{0,6}}(?:버전|버젼|패치|펌웨어|빌드))")
_NETWORKS: Final = one_of("""
    ip 아이피 서버 주소 접속 dns 게이트웨이 호스트 네트워크 핑 ping 포트 라우터 방화벽 공유기
    로그 대역 서브넷
""")
_NETWORK: Final = re.compile(rf"(?i:{_NETWORKS})")
_MAC: Final = re.compile(
    r"(?i:(?<![a-z])mac(?![a-z])|맥 ?(?:주소|어드레스)|하드웨어 ?주소|물리(?:적)? ?주소|bssid)"
)
#: Unspecified, broadcast and masks: nobody's address.
_NOBODY: Final = frozenset({"0.0.0.0", "255.255.255.255", "255.255.255.0", "255.255.0.0"})
#: Well-known resolvers, which people do write about.
_RESOLVERS: Final = frozenset({"8.8.8.8", "8.8.4.4", "1.1.1.1", "1.0.0.1", "9.9.9.9"})
_HEX: Final = "[0-9A-Fa-f]"
#: Rows and numbers of seats: A1-A2-A3-B1-B2-B3.
_SEATS: Final = re.compile("(?:[A-F][0-9]-?){6}")


def _ipv4(candidate: Candidate) -> Verdict | None:
    value = candidate.match.group()
    octets = value.split(".")
    if any(int(o) > 255 or (o[0] == "0" and len(o) > 1) for o in octets) or value in _NOBODY:
        return None
    first = candidate.before(1) in ("", "\n") and all(len(o) < 3 for o in octets)
    if first and re.match(r"\.? [가-힣A-Z]", candidate.after()):  # 6.3.1.5. 네트워크 설정하기
        return None
    if candidate.near(_NETWORK, before=16, after=8):
        return Verdict(HIGH, ("octets", "context"))
    if _VERSION.search(candidate.before(16)) or _NUMBERING.match(candidate.after()):
        return None
    if all(len(o) == 1 for o in octets) and value not in _RESOLVERS:
        return Verdict(LOW, ("octets",))  # 1.2.3.4 counts parts more often than it names a host
    dated = all(int(o) <= 31 for o in octets)
    return Verdict(FAIR if dated else HIGH, ("octets",))


def _ipv6(candidate: Candidate) -> Verdict | None:
    value = candidate.match.group()
    with suppress(AddressValueError):
        address = IPv6Address(value)
        groups = [g for g in value.split(":") if g]
        telling = any(len(g) >= 3 or re.search("[A-Fa-f]", g) for g in groups)
        digits = any(c.isdigit() for c in value)
        if len(groups) >= 2 and telling and digits and int(address) > 1:
            return Verdict(CERTAIN if len(groups) > 3 else HIGH, ("parsed",))
    return None


def _mac(candidate: Candidate) -> Verdict | None:
    value = candidate.match.group()
    if candidate.near(_MAC):
        return Verdict(CERTAIN, ("context",))
    lettered = any(c.isalpha() for c in value)
    if candidate.is_reference() or not any(c in ":-." for c in value) or _SEATS.fullmatch(value):
        return None
    if lettered:
        return Verdict(FAIR if "." in value else HIGH, ())
    return Verdict(LOW, ())  # ratios and lottery numbers look like this


_PAIRS: Final = f"[{spellings(':-')}]"
_WIDE_HEX: Final = "[0-9A-Fa-f０-９Ａ-Ｆａ-ｆ]"

RULES: Final = (
    Rule(
        "email.address@1",
        "email",
        "[@＠﹫]",
        exact(rf"{_LOCAL} ?@ ?(?:{_LABEL}\.){{1,5}}(?:[A-Za-z]{{2,24}}|한국)(?![A-Za-z])"),
        _email,
    ),
    Rule(
        "email.blanks@1",
        "email",
        "[@＠﹫]",
        exact(
            rf"(?:{_LOCAL}"
            r"|(?<![A-Za-z0-9])[A-Za-z0-9]{1,30}(?:(?: [._-] | _|_ )[A-Za-z0-9]{1,30}){1,3}"
            r"|(?<![A-Za-z0-9])[A-Za-z0-9](?: [A-Za-z0-9._]){2,30}) {0,2}@ {0,2}"
            rf"(?:(?:(?!(?:com|net|kr) ?\.){_LABEL}(?: {{0,2}}[.,] {{0,2}}| )){{1,4}}{_FINAL}"
            r"|[A-Za-z0-9](?: [A-Za-z0-9.]){4,30})"
            r"(?![A-Za-z0-9]| ?\. ?(?:kr|com|net)(?![A-Za-z]))"
        ),
        lambda _: Verdict(HIGH, ()),
    ),
    Rule(
        "email.spelled@1",
        "email",
        rf"골[뱅벵]이|[앳엣]|[@＠﹫]|[(\[{{<（［｛＜](?:[aAａＡ][tTｔＴ]?|앳)|{BLANK}[aAａＡ][tTｔＴ]{BLANK}",
        exact(
            rf"{_LOCAL}(?: ?(?:점|쩜|닷|언더바|하이픈|대시) ?[A-Za-z0-9]{{1,30}}){{0,2}}"
            rf"(?:{_AT}(?:(?:(?:{_LABEL}|오알|씨오){_DOT}){{1,4}}(?:[A-Za-z]{{2,24}}|[컴콤넷]|케이알)"
            rf"|(?:{_PROVIDERS}) ?(?:{_DOT}|\.)? ?"
            rf"(?:[컴콤넷]|com|net|co\.?kr|씨오 ?{_DOT}? ?케이알)"
            rf"|(?:네이버|지메일|한메일|네이트|핫메일|카카오){_PARTICLE_BEHIND})"
            rf"| ?(?:골[뱅벵]이|앳) ?(?:naver|gmail|hanmail|daum){_PARTICLE_BEHIND}"
            rf"| (?:at|AT|At) (?:(?:{_LABEL}\.){{1,3}}[a-z]{{2,24}}(?=>)"
            rf"|(?:{_LABEL}(?: (?:dot|DOT|Dot) |\(dot\)|\[dot\])){{1,4}}[A-Za-z]{{2,24}}"
            r"|(?:naver|gmail|daum|hanmail|nate|kakao|hotmail|yahoo)\.(?:com|net)))(?![A-Za-z0-9])"
        ),
        _email,
    ),
    Rule(
        "url.scheme@1",
        "url",
        rf"[:：][/／]{{2}}|[WwＷｗ]{{3}}{_DOTS}",
        exact(
            rf"(?i:(?<![A-Za-z])(?:https?|ftp)://|(?<![A-Za-z0-9.])www\.)"
            rf"(?:[A-Za-z0-9._~%+-]{{1,64}}(?::[^\s@/]{{1,64}})?@)?"
            rf"(?:(?:{_LABEL}\.){{0,6}}{_LABEL}|(?:{_HANGUL_LABEL}\.){{1,4}}(?:{ENDINGS}|한국))"
            rf"{_PORT}{_PATH}"
        ),
        _url,
    ),
    Rule(
        "url.domain@1",
        "url",
        rf"[A-Za-z0-9Ａ-Ｚａ-ｚ０-９]{_DOTS}[A-Za-zＡ-Ｚａ-ｚ]{{2}}",
        exact(
            rf"(?<![A-Za-z0-9@._/-])(?:(?:{_LABEL}\.){{1,5}}(?:{ENDINGS})|(?:{_SHORT}))"
            rf"(?![A-Za-z0-9_-])(?!\.[A-Za-z0-9]){_PORT}{_PATH}"
        ),
        _url,
    ),
    Rule(
        "ip.v4@1",
        "ip",
        rf"{D}{_DOTS}{D}{{1,3}}{_DOTS}{D}{{1,3}}{_DOTS}{D}",
        exact(
            r"(?<![\d.])(?<![A-Za-z][-_])(?<!\d[-/])\d{1,3}(?:\.\d{1,3}){3}(?!\d)(?!\.\d)(?![A-Za-z_])"
        ),
        _ipv4,
    ),
    Rule(
        "ip.v6@1",
        "ip",
        rf"[:：]{_WIDE_HEX}{{0,4}}[:：]",
        exact(
            rf"(?<![0-9A-Za-z:.])(?:{_HEX}{{0,4}}:){{2,7}}"
            rf"(?:\d{{1,3}}(?:\.\d{{1,3}}){{3}}|{_HEX}{{1,4}}|)(?![0-9A-Za-z:])(?!\.\d)"
        ),
        _ipv6,
    ),
    Rule(
        "mac.address@1",
        "mac",
        rf"{_WIDE_HEX}{{2}}{_PAIRS}{_WIDE_HEX}{{2}}{_PAIRS}"
        rf"|{_WIDE_HEX}{{4}}{_DOTS}{_WIDE_HEX}{{4}}{_DOTS}"
        rf"|{_WIDE_HEX}{{12}}",
        exact(
            rf"(?<![0-9A-Za-z])(?<!{_HEX}[:.-])(?:{_HEX}{{2}}([:-]){_HEX}{{2}}(?:\1{_HEX}{{2}}){{4}}"
            rf"|{_HEX}{{4}}\.{_HEX}{{4}}\.{_HEX}{{4}}|{_HEX}{{12}})(?![0-9A-Za-z])(?![:.-]{_HEX})"
        ),
        _mac,
    ),
)
