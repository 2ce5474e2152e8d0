"""IP addresses and MAC addresses."""

from __future__ import annotations

import re
from contextlib import suppress
from ipaddress import AddressValueError, IPv6Address
from typing import Final

from pipeline.pii.folding import spellings
from pipeline.pii.rules.rule import CERTAIN, FAIR, HIGH, LOW, D, Found, Rule, Verdict, exact, one_of

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
#: Unspecified and broadcast: nobody's address.
_NOBODY: Final = frozenset({"0.0.0.0", "255.255.255.255"})
#: Well-known resolvers, which people do write about.
_RESOLVERS: Final = frozenset({"8.8.8.8", "8.8.4.4", "1.1.1.1", "1.0.0.1", "9.9.9.9"})
_HEX: Final = "[0-9A-Fa-f]"
#: Rows and numbers of seats: A1-A2-A3-B1-B2-B3.
_SEATS: Final = re.compile("(?:[A-F][0-9]-?){6}")


def _ipv4(found: Found) -> Verdict | None:
    value = found.match.group()
    octets = value.split(".")
    if any(int(o) > 255 or (o[0] == "0" and len(o) > 1) for o in octets) or value in _NOBODY:
        return None
    if found.near(_NETWORK, before=16, after=8):
        return Verdict(HIGH, ("octets", "context"))
    if _VERSION.search(found.before(16)) or _NUMBERING.match(found.after()):
        return None
    if all(len(o) == 1 for o in octets) and value not in _RESOLVERS:
        return Verdict(LOW, ("octets",))  # 1.2.3.4 counts parts more often than it names a host
    dated = all(int(o) <= 31 for o in octets)
    return Verdict(FAIR if dated else HIGH, ("octets",))


def _ipv6(found: Found) -> Verdict | None:
    value = found.match.group()
    with suppress(AddressValueError):
        address = IPv6Address(value)
        groups = [g for g in value.split(":") if g]
        telling = any(len(g) >= 3 or re.search("[A-Fa-f]", g) for g in groups)
        digits = any(c.isdigit() for c in value)
        if len(groups) >= 2 and telling and digits and int(address) > 1:
            return Verdict(CERTAIN if len(groups) > 3 else HIGH, ("parsed",))
    return None


def _mac(found: Found) -> Verdict | None:
    value = found.match.group()
    if found.near(_MAC):
        return Verdict(CERTAIN, ("context",))
    lettered = any(c.isalpha() for c in value)
    if found.is_reference() or not any(c in ":-." for c in value) or _SEATS.fullmatch(value):
        return None
    if lettered:
        return Verdict(FAIR if "." in value else HIGH, ())
    return Verdict(LOW, ())  # ratios and lottery numbers look like this


_DOTS: Final = f"[{spellings('.')}]"
_PAIRS: Final = f"[{spellings(':-')}]"
_WIDE_HEX: Final = "[0-9A-Fa-f０-９Ａ-Ｆａ-ｆ]"

RULES: Final = (
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
