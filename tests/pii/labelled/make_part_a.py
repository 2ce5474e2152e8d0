"""Write the labelled evaluation set for Korean personal data, part A (eight types).

The cases come from the public rules of each format (the national numbering plan, the rules of
resident and foreign registration numbers, RFC 791, 4291, 5321, 3986, IEEE 802) and share no code
with the detector they examine. The file is long because the sentences are the data; no value
belongs to a person: every digit is a keyed hash of the place it stands in.

    python tests/pii/labelled/make_part_a.py

Line syntax: ``{slot}`` draws a value, ``<을/를>`` takes the particle that fits the word before it,
and in look-alike lines the text before ``|`` is the case's form tag.
"""
# ruff: noqa: E501, SIM905

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

SEED = "pii-labelled-a/1"
TRUE_ROUNDS, LOOKALIKE_ROUNDS = 3, 2
SLOT = re.compile(r"\{([a-z0-9]+)(?::([^{}]*))?\}")
MARKER = re.compile(r"⟦([a-z_]+):([^⟦⟧]+)⟧")
PARTICLE = re.compile(r"<([가-힣]*)/([가-힣]*)>")
FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
T = TypeVar("T")


class Draw:
    """An endless row of keyed draws: same key, same values, whatever was drawn elsewhere."""

    def __init__(self, key: str) -> None:
        self._key, self._count = key, 0

    def below(self, bound: int) -> int:
        self._count += 1
        digest = hashlib.sha256(f"{SEED}|{self._key}|{self._count}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % bound

    def pick(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]

    def between(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)

    def text(self, alphabet: str, length: int) -> str:
        return "".join(self.pick(alphabet) for _ in range(length))

    def digits(self, length: int) -> str:
        return self.text("0123456789", length)


Maker = Callable[[Draw], str]
Form = tuple[str, Maker]


# --- phone: the national numbering plan -------------------------------------------------------
AREAS = "02 031 032 033 041 042 043 044 051 052 053 054 055 061 062 063 064".split()
REPRESENTATIVE = (
    "1522 1533 1544 1566 1577 1588 1599 1600 1644 1660 1661 1666 1670 1688 1800 1811 1833 1855 1877 1899"
).split()
NUMERALS = "공일이삼사오육칠팔구"


def subscriber(draw: Draw, lengths: Sequence[int]) -> str:
    """An exchange number: subscriber blocks begin with 2-9."""
    return draw.pick("23456789") + draw.digits(draw.pick(lengths) - 1)


def mobile(draw: Draw) -> list[str]:
    return ["010", subscriber(draw, [4]), draw.digits(4)]


def old_mobile(draw: Draw) -> list[str]:
    return [draw.pick("011 016 017 018 019".split()), subscriber(draw, [3]), draw.digits(4)]


def regional(draw: Draw) -> list[str]:
    return [draw.pick(AREAS), subscriber(draw, [3, 3, 4]), draw.digits(4)]


def internet(draw: Draw) -> list[str]:
    return ["070", subscriber(draw, [4]), draw.digits(4)]


def toll_free(draw: Draw) -> list[str]:
    return ["080", subscriber(draw, [3]), draw.digits(4)]


def safe_number(draw: Draw) -> list[str]:
    return ["050" + draw.pick("23456789"[:7]), subscriber(draw, [4]), draw.digits(4)]


def representative(draw: Draw) -> list[str]:
    return [draw.pick(REPRESENTATIVE), draw.digits(4)]


def parts_form(name: str, parts: Callable[[Draw], list[str]], separator: str) -> Form:
    return name, lambda draw: separator.join(parts(draw))


def pattern_form(name: str, parts: Callable[[Draw], list[str]], pattern: str) -> Form:
    return name, lambda draw: pattern.format(*parts(draw))


def abroad(parts: Callable[[Draw], list[str]]) -> Callable[[Draw], list[str]]:
    """The same number as dialled from abroad: the trunk 0 falls away."""
    return lambda draw: [part if at else part[1:] for at, part in enumerate(parts(draw))]


def spoken(separator: str) -> Maker:
    table = str.maketrans("0123456789", NUMERALS)
    return lambda draw: separator.join(mobile(draw)).translate(table)


def widened(form: Form) -> Form:
    name, make = form
    return f"{name}, full-width", lambda draw: make(draw).translate(FULL_WIDTH)


MOBILE = [
    parts_form("mobile, hyphen", mobile, "-"),
    parts_form("mobile, bare", mobile, ""),
    parts_form("mobile, dots", mobile, "."),
    parts_form("mobile, blanks", mobile, " "),
    parts_form("mobile, en dash", mobile, "–"),
    parts_form("mobile, full-width hyphen", mobile, "－"),
    widened(parts_form("mobile", mobile, "-")),
    pattern_form("mobile, code in brackets", mobile, "({}) {}-{}"),
    parts_form("old mobile, hyphen", old_mobile, "-"),
    parts_form("mobile, hyphens with blanks", mobile, " - "),
]
LINES = [
    parts_form("regional, hyphen", regional, "-"),
    pattern_form("regional, half bracket", regional, "{}){}-{}"),
    pattern_form("regional, brackets and blank", regional, "({}) {}-{}"),
    parts_form("070, hyphen", internet, "-"),
    parts_form("080, hyphen", toll_free, "-"),
    parts_form("safe number, hyphen", safe_number, "-"),
    parts_form("regional, dots", regional, "."),
    pattern_form("regional, brackets", regional, "({}){}-{}"),
    parts_form("regional, en dash", regional, "–"),
]
ABROAD = [
    pattern_form("+82, hyphen", abroad(mobile), "+82-{}-{}-{}"),
    pattern_form("+82, blanks", abroad(mobile), "+82 {} {} {}"),
    pattern_form("+82 bare", abroad(mobile), "+82{}{}{}"),
    pattern_form("+82 regional", abroad(regional), "+82-{}-{}-{}"),
    pattern_form("+82 (0)", abroad(mobile), "+82 (0){}-{}-{}"),
    pattern_form("(+82)", abroad(mobile), "(+82) {}-{}-{}"),
    pattern_form("82 without plus", abroad(mobile), "82-{}-{}-{}"),
    pattern_form("0082", abroad(mobile), "0082-{}-{}-{}"),
    pattern_form("+82 regional, one blank", abroad(regional), "+82 {}-{}-{}"),
]
NEED_WORD = [
    parts_form("representative, hyphen", representative, "-"),
    parts_form("regional, bare", regional, ""),
    parts_form("representative, bare", representative, ""),
    parts_form("old mobile, bare", old_mobile, ""),
    parts_form("regional, blanks", regional, " "),
    parts_form("070, bare", internet, ""),
    widened(parts_form("regional", regional, "-")),
    parts_form("safe number, bare", safe_number, ""),
]
NUMERAL = [
    ("numerals, blanks", spoken(" ")),
    ("numerals, bare", spoken("")),
    ("numerals, hyphen", spoken("-")),
]


# --- registration numbers: date of birth, century and sex digit, check digit ------------------
RRN_WEIGHTS = (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)
REFORM, TODAY = date(2020, 10, 5), date(2026, 11, 1)  # the region digits went with the reform


def check_digit(twelve: str, base: int) -> str:
    """Check digit of a resident (base 11) or a foreign (base 13) registration number."""
    total = sum(weight * int(digit) for weight, digit in zip(RRN_WEIGHTS, twelve, strict=True))
    return str((base - total % 11) % 10)


def birthday(draw: Draw, first: date, last: date) -> date:
    return first + timedelta(days=draw.below((last - first).days + 1))


def front(birth: date, draw: Draw, odd_digits: str) -> str:
    """Birth date and the century-and-sex digit: odd_digits holds the male digit of each century."""
    male = int(odd_digits[birth.year >= 2000])
    return birth.strftime("%y%m%d") + str(male + draw.below(2))


def checked_rrn(draw: Draw) -> list[str]:
    birth = birthday(draw, date(1931, 1, 1), date(2020, 9, 30))
    twelve = (
        front(birth, draw, "13") + f"{draw.below(96):02d}{draw.digits(2)}{draw.pick('1122345')}"
    )
    return [twelve[:6], twelve[6:] + check_digit(twelve, 11)]


def unchecked_rrn(draw: Draw, first: date, last: date) -> list[str]:
    """A number drawn at random since the reform; kept off the old check digit on purpose."""
    head = front(birthday(draw, first, last), draw, "13")
    twelve = head + draw.digits(5)
    digit = (int(check_digit(twelve, 11)) + draw.between(1, 9)) % 10
    return [twelve[:6], twelve[6:] + str(digit)]


def newborn_rrn(draw: Draw) -> list[str]:
    return unchecked_rrn(draw, REFORM, TODAY)


def changed_rrn(draw: Draw) -> list[str]:
    return unchecked_rrn(draw, date(1945, 1, 1), date(2005, 12, 31))


def checked_frn(draw: Draw) -> list[str]:
    birth = birthday(draw, date(1950, 1, 1), date(2018, 12, 31))
    office = draw.between(0, 49) * 2  # the office number is even
    twelve = front(birth, draw, "57") + f"{office:02d}{draw.digits(2)}{draw.pick('6789')}"
    return [twelve[:6], twelve[6:] + check_digit(twelve, 13)]


def number_forms(name: str, parts: Callable[[Draw], list[str]], separators: str) -> list[Form]:
    names = {"-": "hyphen", " ": "blank", "": "bare", "–": "en dash", "－": "full-width hyphen"}
    return [parts_form(f"{name}, {names[sep]}", parts, sep) for sep in [*separators, ""]]


RRN = [
    *number_forms("checksum", checked_rrn, "- –－"),
    widened(parts_form("checksum", checked_rrn, "-")),
    parts_form("born since the reform, hyphen", newborn_rrn, "-"),
    parts_form("checksum, hyphen with blanks", checked_rrn, " - "),
    parts_form("checksum, hyphen", checked_rrn, "-"),
]
RRN_WORD = [
    *RRN,
    parts_form("born since the reform, bare", newborn_rrn, ""),
    parts_form("changed number, hyphen", changed_rrn, "-"),
    parts_form("born since the reform, blank", newborn_rrn, " "),
    parts_form("changed number, bare", changed_rrn, ""),
    parts_form("born since the reform, en dash", newborn_rrn, "–"),
]
FRN = [
    *number_forms("checksum", checked_frn, "- –－"),
    widened(parts_form("checksum", checked_frn, "-")),
    parts_form("checksum, hyphen", checked_frn, "-"),
    parts_form("checksum, hyphen with blanks", checked_frn, " - "),
]


# --- email ------------------------------------------------------------------------------------
WORDS = "haneul saebom narae gureum dalbit sori baram maru ondal byeolbit sanho pureun noeul moran duri yeoul".split()
MAILS = "naver.com gmail.com hanmail.net daum.net nate.com kakao.com".split()
FIRMS = "saebyeoksoft.co.kr noeul-trade.com mail.hanbitmaru.ac.kr gureumlab.io press.dasomilbo.kr moranbooks.net office.byeolha.go.kr yeoulcare.org".split()
SITES = {"naver": "네이버", "gmail": "지메일", "daum": "다음", "nate": "네이트"}


def account(draw: Draw) -> str:
    first, second, initial = (
        draw.pick(WORDS),
        draw.pick(WORDS),
        draw.text("abcdefghijkmnopqrstuvwxyz", 1),
    )
    tail = draw.digits(draw.between(2, 4))
    shapes = [f"{first}{tail}", f"{first}.{second}", f"{first}_{second}{tail}", f"{first}-{tail}"]
    shapes += [f"{second}{tail}{first}", f"{initial}.{first}{tail}", f"{first}{initial}{initial}"]
    return draw.pick(
        [*shapes, f"{initial}{tail}{first}", f"{ROLES[draw.below(len(ROLES))]}.{first}"]
    )


def mail(pattern: str, hosts: Sequence[str]) -> Maker:
    def make(draw: Draw) -> str:
        host = draw.pick(hosts)
        name, _, ending = host.rpartition(".")
        return pattern.format(
            user=account(draw), host=host, name=name, ending=ending, site=SITES.get(name, name)
        )

    return make


ROLES = "help press recruit contact editor".split()
COM = [f"{site}.com" for site in ("naver", "gmail", "nate")]
EMAIL: list[Form] = [
    ("ordinary", mail("{user}@{host}", MAILS)),
    ("company or sub-domain", mail("{user}@{host}", FIRMS)),
    ("plus tag", mail("{user}+news@{host}", [*MAILS, *FIRMS])),
    ("full-width at", mail("{user}＠{host}", MAILS)),
    ("blanks around at", mail("{user} @ {host}", MAILS)),
    ("ordinary", mail("{user}@{host}", [*MAILS, *FIRMS])),
    ("all digits", lambda draw: f"{draw.digits(7)}@{draw.pick(MAILS)}"),
    ("upper case", lambda draw: mail("{user}@{host}", MAILS)(draw).upper()),
    ("full-width", lambda draw: mail("{user}@{host}", MAILS)(draw).translate(FULL_WIDTH)),
    ("two-level sub-domain", mail("{user}@team.{host}", FIRMS)),
]
EMAIL_SPOKEN: list[Form] = [
    ("golbaengi, glued", mail("{user}골뱅이{host}", MAILS)),
    ("golbaengi, dot spelled", mail("{user} 골뱅이 {name} 점 {ending}", MAILS)),
    ("golbaengi, site in Korean", mail("{user} 골뱅이 {site} 닷컴", COM)),
    ("at and dot in words", mail("{user} at {name} dot {ending}", MAILS)),
    ("(at)", mail("{user}(at){host}", [*MAILS, *FIRMS])),
    ("[at] [dot]", mail("{user}[at]{name}[dot]{ending}", MAILS)),
    ("golbaengi, blanks", mail("{user} 골뱅이 {host}", [*MAILS, *FIRMS])),
]


# --- ip and mac -------------------------------------------------------------------------------
# Public-looking IPv4 comes from /8 blocks of one ministry that are not routed to homes; IPv6 from
# blocks no registry has been given; both look like any other address.
UNROUTED = (6, 11, 21, 22, 26, 28, 29, 30, 33, 55, 214, 215)
DOCUMENTED = ("192.0.2", "198.51.100", "203.0.113")


def octets(draw: Draw, count: int) -> str:
    return ".".join(str(draw.between(1, 254)) for _ in range(count))


def private(draw: Draw) -> str:
    return (
        draw.pick(["192.168", f"10.{draw.below(256)}", f"172.{draw.between(16, 31)}"])
        + "."
        + octets(draw, 2)
    )


def groups(draw: Draw, count: int) -> str:
    return ":".join(f"{draw.between(1, 0xFFFF):x}" for _ in range(count))


IPV4: list[Form] = [
    ("IPv4", lambda draw: f"{draw.pick(UNROUTED)}.{octets(draw, 3)}"),
    ("IPv4, documentation block", lambda draw: f"{draw.pick(DOCUMENTED)}.{octets(draw, 1)}"),
    ("IPv4", lambda draw: f"{draw.pick(UNROUTED)}.{octets(draw, 3)}"),
    ("IPv4, private block", private),
]
IPV6: list[Form] = [
    (
        "IPv6, full",
        lambda draw: (
            f"2d{draw.between(0, 255):02x}:"
            + ":".join(draw.text("0123456789abcdef", 4) for _ in range(7))
        ),
    ),
    ("IPv6, compressed", lambda draw: f"2001:db8::{groups(draw, 2)}"),
    (
        "IPv6, compressed",
        lambda draw: f"2d{draw.between(0, 255):02x}:{groups(draw, 2)}::{groups(draw, 1)}",
    ),
    (
        "IPv6, upper case",
        lambda draw: f"2001:DB8:{groups(draw, 1).upper()}::{groups(draw, 2).upper()}",
    ),
    ("IPv6, mapped IPv4", lambda draw: f"::ffff:{draw.pick(DOCUMENTED)}.{octets(draw, 1)}"),
    ("IPv6, link-local", lambda draw: f"fe80::{groups(draw, 4)}"),
    ("IPv6, eight short groups", lambda draw: f"2001:db8:{groups(draw, 6)}"),
]
IP = [IPV4[0], IPV6[0], IPV4[1], IPV6[1], IPV4[2], IPV6[2], IPV4[3], IPV6[4]]


def hardware(draw: Draw) -> str:
    """Twelve hex digits: the documentation block, or a locally administered unicast address."""
    if not draw.below(4):
        return f"00005E0053{draw.between(0, 255):02X}"
    return (
        draw.text("0123456789ABCDEF", 1)
        + draw.pick("26AE")
        + draw.text("0123456789ABCDEF", 8)
        + draw.pick("ABCDEF")
        + draw.digits(1)
    )


def mac(separator: str, size: int, *, lower: bool = False) -> Maker:
    def make(draw: Draw) -> str:
        bare = hardware(draw)
        text = separator.join(bare[at : at + size] for at in range(0, 12, size))
        return text.lower() if lower else text

    return make


MAC: list[Form] = [
    ("colons, upper", mac(":", 2)),
    ("hyphens, upper", mac("-", 2)),
    ("colons, lower", mac(":", 2, lower=True)),
    ("dotted triple, lower", mac(".", 4, lower=True)),
    ("hyphens, lower", mac("-", 2, lower=True)),
    ("dotted triple, upper", mac(".", 4)),
]
MAC_WORD: list[Form] = [
    ("bare, upper", mac("", 12)),
    ("bare, lower", mac("", 12, lower=True)),
    *MAC,
]


# --- mention and url --------------------------------------------------------------------------
NICKNAMES = "달빛책방 제주댁 하늘소일기 봄날의빵집 밤비아빠 동네서점 산골농부 우주먼지 감자튀김 책벌레72 라떼한잔 바다사진관 노을맛집 길동이네 여울_공방".split()


def handle(pattern: str) -> Maker:
    return lambda draw: "@" + pattern.format(draw.pick(WORDS), draw.pick(WORDS), draw.digits(2))


MENTION: list[Form] = [
    ("handle, letters", handle("{0}{1}")),
    ("handle, digits", handle("{0}{2}")),
    ("handle, underscore", handle("{0}_{1}")),
    ("handle, inner dot", handle("{0}.{1}")),
    ("handle, underscore and digits", handle("{0}_{1}{2}")),
    ("handle, dot and digits", handle("{0}.{2}")),
    ("handle, capitals", lambda draw: "@" + draw.pick(WORDS).title() + draw.pick(WORDS).title()),
    ("handle, digits first", handle("{2}{0}")),
    ("handle, leading underscore", handle("_{0}{2}")),
]
MENTION_KOREAN: list[Form] = [("Korean handle", lambda draw: "@" + draw.pick(NICKNAMES))]

HOSTS = "dalbitbooks.com noeultrade.co.kr saebom-cafe.kr gureumlab.io moranpress.net yeoulcare.org haneulfarm.co.kr byeolbit.me".split()
PATHS = "notice event/spring shop/list.html about board/view recruit faq blog/posts".split()
TITLES = "홍길동전 한글 막걸리 동치미 달항아리 윷놀이 춘향전".split()
KOREAN_SITES = "ko.wikipedia.org/wiki namu.wiki/w".split()


def url(pattern: str) -> Maker:
    def make(draw: Draw) -> str:
        code = draw.text("abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMN23456789", 7)
        return pattern.format(
            host=draw.pick(HOSTS),
            path=draw.pick(PATHS),
            n=draw.between(2, 9999),
            code=code,
            port=draw.pick([8080, 8443, 3000]),
        )

    return make


URL: list[Form] = [
    ("https", url("https://{host}")),
    ("www", url("www.{host}")),
    ("http, path", url("http://www.{host}/{path}")),
    ("bare domain", url("{host}")),
    ("https, path and query", url("https://{host}/{path}?id={n}&page=2")),
    ("short link", url("bit.ly/{code}")),
    ("bare domain, path", url("{host}/{path}")),
    ("http, port", url("http://{host}:{port}/{path}")),
    ("www, path", url("www.{host}/{path}/{n}")),
    ("https, sub-domain, closing slash", url("https://m.{host}/archive/{n}/")),
    ("video link", url("https://youtu.be/{code}{code}")),
    ("https, fragment", url("https://{host}/{path}#item-{n}")),
    (
        "https, percent-encoded path",
        lambda draw: f"https://{draw.pick(KOREAN_SITES)}/{quote(draw.pick(TITLES))}",
    ),
]
URL_KOREAN: list[Form] = [
    ("https, Korean path", lambda draw: f"https://{draw.pick(KOREAN_SITES)}/{draw.pick(TITLES)}"),
    ("bare domain, Korean path", lambda draw: f"{draw.pick(KOREAN_SITES)}/{draw.pick(TITLES)}"),
]

# A number inside the sentence's own brackets takes no brackets itself: the span would be unclear.
INNER = [
    form
    for form in [*MOBILE, *NEED_WORD, *LINES, *ABROAD]
    if "bracket" not in form[0] and "(" not in form[0]
]

# slot -> (type, forms); a slot says what the sentence around it allows
POOLS: dict[str, tuple[str, list[Form]]] = {
    "phone": (
        "phone",
        [form for trio in zip(MOBILE[:9], LINES, ABROAD, strict=True) for form in trio]
        + MOBILE[9:],
    ),
    "tel": (
        "phone",
        [form for trio in zip(NEED_WORD, MOBILE[:8], LINES[:8], strict=True) for form in trio],
    ),
    "mob": ("phone", MOBILE),
    "line": ("phone", [*LINES, *NEED_WORD]),
    "word": ("phone", NEED_WORD),
    "rep": ("phone", [NEED_WORD[0], NEED_WORD[2]]),
    "intl": ("phone", ABROAD),
    "inner": ("phone", INNER),
    "innermob": ("phone", [form for form in MOBILE if form in INNER]),
    "innerabroad": ("phone", [form for form in ABROAD if form in INNER]),
    "bracket": ("phone", [form for form in LINES if "bracket" in form[0]]),
    "num": ("phone", NUMERAL),
    "rrn": ("rrn", RRN),
    "rrnw": ("rrn", RRN_WORD),
    "frn": ("frn", FRN),
    "email": ("email", EMAIL),
    "said": ("email", EMAIL_SPOKEN),
    "ip": ("ip", IP),
    "ipv4": ("ip", IPV4),
    "ipv6": ("ip", IPV6),
    "mac": ("mac", MAC),
    "macw": ("mac", MAC_WORD),
    "at": ("mention", MENTION),
    "kat": ("mention", MENTION_KOREAN),
    "url": ("url", URL),
    "kurl": ("url", URL_KOREAN),
}


# --- draws for the sentences themselves ---------------------------------------------------------
NAMES = "김하람 이나래 박보늬 최도담 정새벽 한가온 윤다솜 오누리 서마루 임해솔".split()
FIRM_NAMES = "새벽소프트 노을무역 다솜일보 한빛마루 구름연구소 모란서점 여울의원 별하상사".split()


def invalid_birth(draw: Draw) -> str:
    """Six digits that are no date: month 13-19 or day 32-39."""
    year = f"{draw.between(40, 99)}"
    return year + draw.pick(
        [
            f"{draw.between(13, 19)}{draw.between(10, 28)}",
            f"{draw.between(1, 12):02d}{draw.between(32, 39)}",
        ]
    )


def looks_registered(number: str) -> bool:
    return number[12] in (check_digit(number[:12], 11), check_digit(number[:12], 13))


def unregistered(make: Maker) -> Maker:
    """Draw until the 13 digits fail both registration checksums."""

    def again(draw: Draw) -> str:
        while looks_registered(re.sub(r"\D", "", number := make(draw))):
            pass
        return number

    return again


def barcode(prefix: str) -> Maker:
    """An EAN-13 (ISO/IEC 15420) with its own check digit."""

    def make(draw: Draw) -> str:
        twelve = prefix + draw.digits(12 - len(prefix))
        odd, even = (sum(map(int, twelve[at::2])) for at in (0, 1))
        return twelve + str(-(odd + 3 * even) % 10)

    return make


def isbn(draw: Draw) -> str:
    number = barcode(draw.pick(["97889", "97911"]))(draw)
    return f"{number[:3]}-{number[3:5]}-{number[5:9]}-{number[9:12]}-{number[12]}"


def dated13(first: str) -> Maker:
    """Six digits of a valid date, a hyphen, and seven that begin with one of `first`."""
    return unregistered(
        lambda draw: (
            f"{birthday(draw, date(2000, 1, 1), TODAY):%y%m%d}-{draw.pick(first)}{draw.digits(6)}"
        )
    )


PLAIN: dict[str, Maker] = {
    "name": lambda draw: draw.pick(NAMES),
    "co": lambda draw: draw.pick(FIRM_NAMES),
    "badbirth": invalid_birth,
    "birth": lambda draw: f"{birthday(draw, date(1950, 1, 1), date(1999, 12, 31)):%y%m%d}",
    "ean": unregistered(barcode("880")),
    "isbn": isbn,
    "isbnbare": barcode("97889"),
    "corp": dated13("1"),
    "part": dated13("5678"),
    "uuid": lambda draw: "-".join(draw.text("0123456789abcdef", size) for size in (8, 4, 4, 4, 12)),
    "mo": lambda draw: f"{draw.between(1, 12):02d}",
    "da": lambda draw: f"{draw.between(1, 28):02d}",
}
SIZED: dict[str, Callable[[Draw, str], str]] = {
    "n": lambda draw, size: str(draw.between(*map(int, size.split("-")))),
    "d": lambda draw, size: draw.digits(int(size)),
    "hex": lambda draw, size: draw.text("0123456789abcdef", int(size) - 1) + draw.pick("abcdef"),
}


# --- the sentences ------------------------------------------------------------------------------
TRUE: dict[str, str] = {}
LOOKALIKE: dict[str, str] = {}

TRUE["phone"] = """
예약 변경은 {mob}<으로/로> 문자 남겨 주세요.
{phone}
번호는{innermob}입니다, 저장해 두세요
{name} 기자의 제보 전화는 {tel}이며 밤에도 받는다.
문의:{tel}
고객센터({inner})에 세 번이나 걸었는데 안 받네요.
분실물을 주우신 분은 {phone}<으로/로> 연락 바랍니다.
{co} 대표번호 {rep}, 평일 오전 9시부터 상담 가능합니다.
행사 신청은 전화 {tel}에서 받습니다.
"제 번호 {mob}<이에요/예요>. 언제든 전화하세요."
해외에서는 {intl}번으로 거셔야 연결됩니다.
팩스는 {line}<으로/로> 보내 주시고 확인 전화 부탁드려요.
[긴급] 강아지 찾습니다. 사례금 있음. {mob}
담당자 {name} 과장 {phone}, 내선은 따로 없음.
배송 기사님이 {phone}<으로/로> 전화하셨는데 못 받았어요 ㅠㅠ
아까 찍힌 {phone}<은/는> 보험 권유 전화였다.
연락처: {tel} / 담당: {name}
{phone}에서 계속 스팸 문자가 와요.
이력서 맨 위에 휴대전화 {mob}<을/를> 적었다.
TEL. {tel}, FAX. {word}
숙소 사장님 번호 {mob}인데 카톡이 더 빨라요
주문 문의는 {co} 고객센터 {rep}<으로/로> 하시면 됩니다.
전화번호를 불러 드릴게요. {num}, 맞죠?
제 연락처는 {num} 입니다 꼭 연락 주세요
음성으로 남길게요, {num}번으로 걸어 주세요.
방송사는 자막으로 "제보 {tel}"<이라/라>고 내보냈다.
국외 거주자는 대사관 대표전화({innerabroad})를 이용하면 된다.
Office: {intl}, 한국어 상담 가능
가게 전화가 {tel}<으로/로> 바뀌었습니다.
경찰은 {mob}번 사용자를 추적하고 있다고 밝혔다.
급구! 주말 알바 구해요 {mob}<으로/로> 문자 주시면 바로 답장 드림.
예약자 {name}({innermob})님, 내일 오후 두 시 방문 예정입니다.
수신자 부담 전화 {word}<을/를> 누르세요.
두 번호({innermob}, {innermob}) 모두 꺼져 있었다.
{mob}이고요, 저녁 여섯 시 이후에 통화 가능해요.
리뷰 보고 전화({inner})했더니 이미 마감이래요.
안심번호 {phone}<을/를> 눌러도 연결이 안 됩니다
엄마 번호{innermob}로 바꿨대
보도자료 문의 – {co} 홍보팀 {tel}.
당근에 올린 자전거 아직 있나요? 제 폰은 {mob}
『동네 사람들』 구독 신청은 전화 {tel}, 입금 후 연락 바람.
A/S 접수 전화: {tel}(점심시간 제외)
혹시 {phone}<이/가> 어디 번호인지 아시는 분?
지금 {phone}<과/와> 통화 중이에요.
비상 연락망: 1번 {mob}; 2번 {mob}
명함에는 '{phone}'만 덩그러니 적혀 있었다.
치과 예약 {tel}에 하니까 친절하게 받아 주셨어요!
대리운전 부르실 때는 {rep}번, 전화 한 통이면 됩니다
{intl}<은/는> 한국 지사로 바로 연결되는 번호다.
예약 전화 {line}, 주차는 건물 뒤편에 하세요.
시청 민원실 연락처는 {line}입니다.
식당 전화번호가 {line} 맞나요?
대표전화 {word}<으로/로> 거시면 안내가 나옵니다.
팩스 번호 {line}<을/를> 다시 확인해 주세요.
상담 문의 {line} 오후 두 시 이후
Tel {line} / Fax {line}
연락처:{line}
주민센터 민원 전화는 {bracket}<이에요/예요>.
공연 문의 {bracket}, 전석 2만 원
관리사무소{bracket}<으로/로> 연락 주십시오.
{bracket}<으로/로> 전화하면 상담원이 받는다.
독자 투고 및 제보 전화 {bracket}
고객센터 번호는{word}로 바뀌었어요
이 전화번호({word})는 없는 번호라고 나옵니다.
아이를 보신 분은 전화 {tel}<으로/로> 꼭 알려 주십시오。
"""
LOOKALIKE["phone"] = """
date | 개막일은 2020-10-{da}<으로/로> 정해졌다.
date, dots | 계약 기간은 2020.{mo}.{da}.부터 2년이다.
event name | 10.26 사태와 12.12 사건을 다룬 영화가 개봉한다.
score | 홈팀이 3-2로 이겼고 세트 점수는 21-15 21-18이었다.
year range | 임진왜란(1592-1598)을 다룬 소설을 읽었다.
year range | 대한제국 이후의 시기(1910-1945)를 연구했다.
life years like a representative number | 이 화가의 생몰년은 1544-1610<으로/로> 알려져 있다.
life years like a representative number | 조선의 학자 (1577-1640) 문집이 번역됐다.
life years like a representative number | 18세기 지도 제작자(1670-1744)의 작품이다.
price | 가격은 1,500,000원에서 1,{d:3},000원으로 올랐다.
order number | 주문번호 2020-{d:4}-{d:4}<을/를> 확인해 주세요.
tracking number | 운송장 번호 6{d:3}-{d:4}-{d:4} 조회가 안 돼요.
ISBN | 이 책의 ISBN은 {isbn}이다.
ISBN bare | 도서번호 {isbnbare}<으로/로> 검색했더니 절판이네요.
model number | 모델명 WA-1010-{d:4}B<은/는> 단종됐습니다.
part number | 부품번호 0{d:1}-{d:3}-{d:2}A는 재고가 없다.
bill number | 의안번호 21{d:5}, 소관 상임위에 회부됐다.
law number | 법률 제{n:10000-19999}호로 공포되었다.
notice number | 고시 제2019-{n:100-400}호에 따라 시행한다.
lottery | 이번 주 당첨 번호는 3, 11, 18, 27, 33, 45였다.
coordinates | 좌표는 37.5{d:3}, 126.9{d:3} 부근이다.
emergency number | 불이 나면 119, 범죄는 112에 신고하세요.
emergency number | 간첩 신고는 111, 민원은 110<으로/로> 하면 된다.
masked | 당첨자: {name} 010-****-{d:4}
masked | 연락처가 010-{d:4}-****처럼 가려져 있었다.
masked | 010-XXXX-XXXX 형식으로 적어 주세요.
placeholder | 전화번호는 010-○○○○-○○○○처럼 입력합니다.
exam number | 수험번호 0{d:2}-{d:5}<을/를> 답안지에 적으십시오.
jersey number | 등번호 010번은 없고 10번과 11번이 교체됐다.
bus number | 031번 버스를 타고 064번으로 갈아탔다.
decimal | 원주율 3.14159265358979를 외웠다.
temperature | 낮 기온은 26-31도, 밤에는 02-05도로 떨어진다.
time range | 상담 시간은 09:00-18:00, 점심 12:00-13:00입니다.
version | 펌웨어 01.{n:10-99}.{d:4} 버전에서 오류가 났다.
page range | 학회지 제31권 2호, 1544-1566쪽에 실렸다.
serial | 시리얼 SN0102{d:8}KR을 등록하세요.
long digits | 일련번호 20201011{d:10}가 찍힌 영수증이다.
stock index | 코스피는 2,{d:3}.{d:2}, 환율은 1,{d:3}.{d:1}원에 마감했다.
population | 인구는 2010년 10,{d:3},{d:3}명이었다.
area code only | 서울은 지역번호가 02이고 경기도는 031이다.
prefix only | 010으로 시작하는 번호만 등록할 수 있어요.
prefix only | 스팸은 보통 070이나 050으로 시작하더라.
case number | 사건번호 2019고합{d:3} 판결이 선고됐다.
resolution | 해상도는 1920-1080, 주사율은 144로 설정했다.
product code | 상품코드 1600-{d:2}-{d:2}<은/는> 품절입니다.
room and time | 301-302호 강의는 10-12시에 열린다.
seat number | 좌석은 02열 11-14번입니다.
dose | 하루 2-3회, 1회 10-20mg 복용한다.
scale ratio | 축척 1:50,000 지도 017호를 펼쳤다.
exponent | 빛의 속도는 299,792,458m/s로 알려져 있다.
budget | 예산 02조 1{d:3}억 원이 통과됐다.
flight | 항공편 KE{d:3}은 11-0{n:1-9} 게이트에서 출발한다.
question number | 문제집 16-1{d:1}, 17-2{d:1}번까지 숙제입니다.
year month | 2010-11 시즌과 2016-17 시즌에 우승했다.
decimal | 시약 농도는 0.010{n:2-9}{d:7}mol로 계산됐다.
hex | 메모리 주소 0x010{n:2-9}{d:7}에서 멈췄다.
year range | 1588-1592년 기록이 빠져 있다.
word with a count | 하루 문의 전화가 1,{d:3}건이나 왔다.
word without number | 전화번호를 몰라서 연락처를 남기지 못했어요.
numerals | 번호표를 일이삼사 순서로 불렀다.
numerals | 공연은 이삼일 뒤, 길어도 사오일 뒤에 열린다.
chemical number | 물질 고유번호(CAS) 7732-18-5는 물이다.
fund code | 과제 코드 A-018-{d:3}-{d:2}, 총 연구비 5억 원.
"""

TRUE["rrn"] = """
주민등록번호 {rrnw}<을/를> 앞면에 적어 주십시오.
신청인 {name} 씨({rrn})는 위 내용이 사실임을 확인합니다.
{rrn}
주민번호:{rrnw}
제 주민번호는{rrnw}입니다
성명 {name}, 주민등록번호 {rrnw}, 배우자 있음.
보험금 청구서에 {rrn}<이라/라>고 잘못 기재되어 있었다.
유출된 파일에는 "{rrn}" 같은 값이 그대로 들어 있었다.
아기 출생신고 했더니 주민등록번호 {rrnw}<으로/로> 나왔어요!
본인 확인을 위해 주민번호({rrnw})를 불러 달라고 했다.
{name} 님 {rrn} 맞으시죠?
경찰이 확보한 위조 신분증의 주민번호는 {rrnw}이었다.
가족관계증명서: 자녀 {name} {rrn}
대리인 주민등록번호 [{rrnw}] 확인 완료
{rrn}, 위 사람은 본교 학생임을 증명함.
원고 {name}({rrn})의 소송대리인
주민번호를 변경해서 이제 {rrnw}<을/를> 씁니다. 주민등록번호 변경 통지서도 받았어요.
연말정산 부양가족 칸에 주민번호 {rrnw} 넣으면 되나요?
사본에 찍힌 주민등록번호 {rrnw}에서 뒷자리를 지워 주세요.
병원 접수창구에서 {rrn}<을/를> 큰 소리로 읽어서 당황했다.
채무자 {name}, {rrn}.
엑셀 B열에 {rrn}<이/가> 그대로 남아 있습니다.
상속인은 {name}({rrn}), {name}({rrn}) 두 사람이다.
임차인 주민번호는 {rrnw}이고 임대인 것은 비어 있다.
주민등록번호={rrnw};
ㅋㅋ 주민번호 {rrnw} 이거 올리면 안 되는데
통장 개설할 때 쓴 주민등록번호가 {rrnw}<으로/로> 되어 있네요.
동의서 하단: 생년월일 및 주민번호 {rrnw} (서명)
전입신고서에 세대주 {rrn}<을/를> 적었다
"주민번호가 {rrnw}<이라/라>고요?" 직원이 되물었다.
회원 명부 3행: {name} / {rrn} / 탈퇴
피보험자의 주민등록번호는 {rrnw}에서 오기가 있어 정정한다.
학적부에는 {rrn}만 남아 있었다.
주민번호 앞뒤 다 적으래서 {rrnw} 적음
수급자 {rrn}<은/는> 이번 달부터 지급 대상이다.
등본을 떼 보니 아이 것이 {rrn}<으로/로> 되어 있다.
주민등록번호【{rrnw}】
예비군 통지서 수령인 {name} {rrn}.
개인정보(주민번호 {rrnw})가 담긴 쪽지를 주웠어요.
이 계약은 갑({rrn})과 을 사이에 체결한다.
실종자 {name}의 주민등록번호 {rrnw}<이/가> 공개됐다.
고객님 주민번호{rrnw}으로 조회되는 계약이 없습니다.
여기에 {rrn}<과/와> 같은 번호를 쓰지 마세요.
급여대장 │ {name} │ {rrn} │ 3월분
진료비 영수증, 환자번호 아래에 {rrn}
주민번호 {rrnw}, {rrnw} 두 건 모두 반려되었습니다.
어머니 주민등록번호가 {rrnw}<이었/였>던 걸로 기억해요.
공증 서류의 {rrn}에는 밑줄이 그어져 있었다.
"""
LOOKALIKE["rrn"] = """
invalid birth date | 예시로 {badbirth}-1{d:6}<을/를> 넣으면 오류가 난다.
invalid birth date | 주민등록번호 칸에 {badbirth}-2{d:6}<을/를> 넣었더니 형식 오류래요.
invalid birth date, bare | 관리번호 {badbirth}3{d:6}<은/는> 폐기 대상이다.
partial | 주민번호는 ⟦rrn:{birth}-1******⟧ 형식으로 보여 줍니다.
partial | {name}, ⟦rrn:{birth}-2●●●●●●⟧, 본인 확인 완료
partial | 뒷자리를 가린 ⟦rrn:{birth}-1xxxxxx⟧로 제출하세요.
partial, bare | 화면에는 ⟦rrn:{birth}1******⟧라고만 나온다.
placeholder | 주민등록번호는 YYMMDD-1234567 꼴로 적습니다.
placeholder | 입력 예: 000000-0000000
birth date only | 생년월일 {birth}<을/를> 입력해 주세요.
barcode | 바코드 {ean}<을/를> 찍어도 상품이 안 나온다.
barcode | 상품 바코드가 {ean}인 우유를 회수합니다.
ISBN | 국제표준도서번호 {isbn} 03810
ISBN bare | 책 뒷면의 {isbnbare}<은/는> 도서 번호다.
corporate number | 법인등록번호 {corp}인 회사가 발행했다.
corporate number | 등기부상 법인등록번호는 {corp}이다.
epoch milliseconds | 로그의 시각은 16024{d:8}밀리초였다.
epoch milliseconds | timestamp=17393{d:8} 요청이 실패했습니다.
eight and seven digits | 주문번호 20201011-{d:7}<으로/로> 접수됐다.
six and six digits | 사업 기간 코드 200101-201231을 선택하세요.
six and eight digits | 접수증 번호 20{mo}{da}-1{d:7} 조회 결과가 없습니다.
five and seven digits | 도면번호 9{d:4}-1{d:6}<을/를> 첨부합니다.
part number | 부품번호 AB{birth}-2{d:6}C를 주문했다.
long digits | 일련번호 {birth}1{d:8}<이/가> 찍힌 제품이다.
long digits | 영수증 승인 코드 20{d:14}
date range | 휴관 기간은 201011-201013입니다.
date range | 회의는 2020-10-11부터 2020-10-13까지 열린다.
date and time | 파일 이름이 201011-1430인 녹음이 사라졌다.
date and time | 촬영 시각 2020{mo}{da} 123456을 기준으로 정렬했다.
lottery | 연금복권 1조 123456번, 보너스 각 조 {d:6}번.
price | 낙찰가는 9,012,{d:3},{d:3},{d:3}원이었다.
bill number | 의안번호 2{d:6} 관련 회의록 제{n:300-399}회.
exam number | 수험번호 {d:6}-{d:2}<으로/로> 합격을 확인했다.
law number | 대통령령 제{d:5}호, 2020. 10. 11. 시행.
tracking number | 등기번호 {badbirth}4{d:6} 배송이 완료되었습니다.
tracking number, groups | 송장 5{d:3}-{d:4}-{d:5} 언제 오나요?
digits in letters | 쿠폰 코드 KR{birth}1{d:6}X를 입력하세요.
six-digit stock code | 종목코드 005930-1호는 없는 표기다.
zip and page | 우편번호 06236, 134567부 발행.
population | 인구 통계: 남 1,234,567명, 여 1,{d:3},{d:3}명
voltage range | 전압은 110220-60 규격이다.
word without number | 주민등록번호 뒷자리는 일곱 자리입니다.
word without number | 주민번호 수집은 법으로 금지되어 있다.
first digit explained | 2000년 이후 출생 여자는 뒷자리가 4로 시작한다.
rounded formula | 계산식은 900101+1234567=2134668이다.
sum in won | 총액 820415원, 잔액 2034567원입니다.
game score | 최고 점수 991231 - 내 점수 100 차이로 졌다.
temperature log | 센서값 20.1011, 3.2{d:4}<을/를> 기록했다.
spaced code | 설치 코드 {d:6} {d:6} {d:6}<을/를> 차례로 누르세요.
"""

TRUE["frn"] = """
외국인등록번호 {frn}<을/를> 입력하시오.
성명 응우옌 반 남, 외국인등록번호 {frn}
{frn}
외국인등록번호:{frn}
등록증에 적힌 번호는{frn}입니다
체류 연장 신청인({frn})의 서류가 반려되었다.
외국인 근로자 왕리({frn})는 사업장 변경을 신청했다.
외국인등록증 번호 {frn}<으로/로> 휴대전화를 개통했다.
거소신고 번호가 {frn}<이라/라>고 나와요.
교환학생 마리아의 외등번호는 {frn}이고 비자는 D-2이다.
학교 명부: 카를로스 / {frn} / 어학당 3급
출입국 사무소는 "{frn}"<을/를> 조회했으나 기록이 없었다.
외국인등록번호[{frn}] 확인 바랍니다.
번호 {frn}, 체류 자격 E-9.
고용 허가서에 {frn}<이/가> 잘못 찍혀 있었어요.
제 외국인등록번호 {frn} 맞는데 은행 앱이 오류래요 ㅠ
배우자 제인({frn}) 초청 서류
본인은 {frn}<으로/로> 등록된 외국인으로서 위임합니다.
외국인등록번호={frn};
임대차 계약서의 임차인 {frn}<은/는> 러시아 국적이다.
급여대장에는 압둘 {frn} 2백만 원이라고 적혀 있다.
재외동포 박 안나의 국내거소신고번호는 {frn}이다.
보험 가입자 {frn}에서 국적 코드가 빠졌다
"외국인등록번호가 {frn}<이었/였>습니까?"라고 판사가 물었다.
건강검진 대상자: 린 씨 ({frn})
외국인 등록 번호 {frn}, 유효 기간 2년
외국인등록번호가{frn}로 바뀌었습니다.
사건 기록에 피해자 {frn}<과/와> 증인의 이름이 그대로 노출됐다.
귀화 허가 신청서, 종전 번호 {frn}.
난민 신청자 {frn}만 아직 결과를 받지 못했다.
한국어 시험 접수 칸에 {frn} 쓰면 되나요?
비자 대행업체가 {frn}<을/를> 단톡방에 올려 버렸다.
신원 보증 대상 외국인 {frn}에게 통지함
외국인등록번호 {frn}, {frn} 두 명은 같은 주소로 신고되어 있다.
여권 대신 등록증({frn})을 보여 줬어요.
유학생 담당: 쯔엉 학생 {frn} 보험 처리 완료!
세무서는 {frn}<으로/로> 원천징수 영수증을 발급했다.
다문화센터 수강생 명단 │ 소피아 │ {frn} │ 초급반
확인서 – 외국인등록번호 {frn} – 위와 같이 확인함.
등록번호 '{frn}'<은/는> 이미 사용 중입니다.
어학당에서 외국인등록번호 {frn}<을/를> 메일로 보내래요
산재 신청인 외국인 {frn}의 진술을 들었다.
운전면허 교환 발급 신청 {frn} 접수되었습니다.
이 번호({frn})로 실명 인증이 안 되네요.
우즈베키스탄 국적 {frn}<이/가> 명의를 빌려준 것으로 드러났다.
계약 상대방의 외국인등록번호는 {frn}이며 갑이 보관한다.
외국인등록번호 앞자리만 필요한데 {frn} 다 적었어요
"""
LOOKALIKE["frn"] = """
invalid birth date | 시험용 값 {badbirth}-5{d:6}<을/를> 넣으니 거절됐다.
invalid birth date | 외국인등록번호 칸에 {badbirth}-6{d:6}<이라/라>고 써서 반려됐다.
invalid birth date, bare | 자산번호 {badbirth}7{d:6}<을/를> 스티커로 붙였다.
partial | 외국인등록번호는 ⟦frn:{birth}-5******⟧로만 표시됩니다.
partial | 신청인 왕리(⟦frn:{birth}-6●●●●●●⟧)
partial | 출력본에는 ⟦frn:{birth}-7xxxxxx⟧처럼 가려진다.
placeholder | 외국인등록번호는 YYMMDD-5678901 형식으로 적는다.
placeholder | 예시) 000000-5000000
part number | 부품번호 {part}<은/는> 재고가 세 개 남았다.
part number | 도면 {part} 개정판을 배포합니다.
part number | 품번 {part}, 수량 40개
part number | 제품 일련번호 {part}<으로/로> 보증 기간을 조회했다.
barcode | 바코드 {ean}<을/를> 인식하지 못했습니다.
barcode | 과자 봉지의 {ean}<은/는> 바코드 숫자다.
ISBN | ISBN {isbn} (93700)
ISBN bare | 교보재 도서번호 {isbnbare}, 개정 3판.
epoch milliseconds | 생성 시각 15{d:11}밀리초로 기록됐다.
eight and seven digits | 접수번호 20201011-5{d:6}<으로/로> 조회하세요.
six and six digits | 훈련 기간은 210705-210716이다.
six and eight digits | 송장 {birth}-5{d:7} 반송 처리
seven and six digits | 관리대장 2{d:6}-5{d:5}<을/를> 보라.
long digits | 인증서 일련번호 {birth}6{d:9}
long digits | 카탈로그 {d:3}{birth}8{d:6} 항목을 참고.
digits in letters | 모델 SM{birth}5{d:6}N은 단종이다.
tracking number | 국제우편 {badbirth}8{d:6} 통관 중입니다.
customs item | 세번 8517.13-5{d:3}에 해당하는 품목이다.
date and time | 녹화 파일 210705-5호가 재생되지 않는다.
date range | 체류 기간 2021-07-05 ~ 2022-07-0{n:1-9}
visa code | 체류 자격 E-7-4와 F-5-10의 차이를 물었다.
visa code | 비자 D-4-1에서 D-2-{n:1-8}<으로/로> 바꿨다.
law number | 출입국관리법 시행규칙 제{n:500-999}호가 개정됐다.
statistics | 등록 외국인은 1,{d:3},{d:3}명, 미등록은 8{d:2},{d:3}명이다.
statistics | 850612명이 입국하고 5123456명이 출국했다.
word without number | 외국인등록번호 뒷자리 첫 숫자는 5에서 8 사이다.
word without number | 외국인등록번호를 잊어버리면 어떻게 하나요?
word without number | 외국인등록증을 두고 와서 창구에서 돌아왔다.
price | 환전 금액은 850,315원과 6,012,{d:3}원이다.
lottery | 복권 5조 {d:6}번이 당첨됐다.
coordinates | 좌표값 850315.5012, 601234.7{d:3}
score | 850 대 315, 총점 5012점으로 끝났다.
exam number | 토픽 시험 수험번호 0{d:5}-{d:3}<을/를> 적으세요.
bill number | 의안번호 21{d:5}, 재외동포 관련 법안
page range | 자료집 850-856쪽과 5012-5020쪽을 복사했다.
spaced code | 승인 코드 {d:4} {d:4} {d:4}<을/를> 누르세요.
file name | 첨부 파일은 doc_{birth}_5{d:5}_v2입니다.
contract number | 계약 관리번호 K-{birth}-5{d:3}
patent number | 특허 출원번호 10-2020-01{d:5}
"""

TRUE["email"] = """
자료는 {email}<으로/로> 보내 주세요.
메일은{email}으로 부탁드립니다
{email}
문의: {email}.
{name} 기자 {email}
지원서를 {email}에 제출하면 접수 확인 답장이 온다.
이력서({email})까지 꼼꼼히 확인했습니다.
제 메일 {email}인데요, 사진 좀 보내 주실래요?
"{email}"<이라/라>는 주소에서 이상한 메일이 왔다.
담당자 <{email}> 앞으로 회신 바랍니다.
이메일:{email}
계정이 {email}이고 비밀번호는 잊어버렸어요.
{email}, {email} 두 곳에 모두 참조로 넣어 주십시오.
아이디가 {email}<이/가> 아니라고 자꾸 로그인이 안 됩니다.
제보는 {said}<으로/로> 받습니다.
제 메일 주소는 {said} 입니다 메일 주세요
광고 문의는 {said}, 협찬 거절합니다.
스팸 때문에 {said}<이라/라>고 적어 둡니다.
공동구매 신청하실 분 {said}<으로/로> 주소 남겨 주세요
연구 참여 신청: {said} (선착순 30명)
교수님 메일이 {said} 맞나요?
원고는 {said}에서 받고 있습니다.
쪽지 말고 {said}<으로/로> 연락 주시면 빨리 답해요
메일 {said}.
환불 요청을 {email}<으로/로> 세 번 보냈는데 답이 없네요.
[보도자료] 문의 {email} / {co} 홍보실
견적서는 {email}<을/를> 참조로 걸어 주시기 바랍니다.
수강생은 과제를 {email}에게 금요일까지 내야 한다.
{co} 채용 담당 {email}, 합격자 개별 통보.
해커는 {email}<을/를> 통해 악성 파일을 뿌린 것으로 조사됐다.
보내는 사람: {name} [{email}]
{email}에서 온 첨부 파일 열지 마세요!!
구독 해지는 {email}로만 가능합니다.
동호회 가입 원하시면 {email}<으로/로> 자기소개 보내 주시고요~
사진 출처·제보 {email}
영수증을 {email}<으로/로> 전송했습니다. 확인해 주세요.
혹시 {email} 쓰시는 분 계신가요?
회원님의 아이디는 '{email}'입니다.
독자 의견은 {email}<이나/나> 우편으로 받는다.
답장이 {email}에서 왔어요
세금계산서 수신 메일={email};
초대장 받을 주소 적어 주세요 → {email}
도서관 희망 도서 신청은 {email}<과/와> 창구 두 곳에서 받는다.
백업 메일을 {email}<으로/로> 바꿨더니 인증이 풀렸다.
숙소 예약 확인서가 {email} 말고 스팸함으로 갔어요.
졸업 앨범 파일이 필요하면 {said}<으로/로> 신청하라고 했다.
운영자 연락 메일:{said}
여기로 보내면 돼요 {said}
"""
LOOKALIKE["email"] = """
emoticon | 오늘 너무 피곤하다 @_@ 다들 힘내요
emoticon | 시험 끝나고 머리가 @.@ 빙글빙글 돈다
emoticon | 깜짝 놀랐잖아 @o@!! 진짜로
price per piece | 사과 3개@1000원, 배 2개@{n:1000-3000}원 샀다.
price per piece | 볼펜 12자루@{n:300-900}원으로 견적을 냈다.
short expression | 암호문은 6@7, 9@2처럼 생겼다.
short expression | 문제 3@4 연산을 a@b=a+2b로 정의하자.
package version | lodash@4.17.{n:10-40}<을/를> 설치하니 경고가 떴다.
package version | react@18.{n:0-3}.0으로 올린 뒤 빌드가 깨졌다.
package version | 깃허브 액션에서 checkout@v{n:2-5}<을/를> 쓴다.
metric at k | 검색 성능은 Recall@{n:5-50}<으로/로> 쟀다.
metric at k | mAP@0.5:0.95 값이 0.{d:3}까지 올랐다.
metric at k | NDCG@{n:5-20}, Hit@1 모두 개선됐다.
frame rate | 영상은 1080p@60fps로 촬영했습니다.
refresh rate | 모니터 설정을 4K@{n:100-165}Hz로 바꿨다.
clock | 3.{n:2-9}GHz@1.25V로 안정화했어요.
matrix product | 코드에서 X@W.T는 행렬곱을 뜻한다.
matrix product | 파이썬에서는 y=A@x.T+b라고 쓸 수 있다.
decorator | 함수 위에 @app.route를 붙이면 된다.
decorator | @pytest.fixture로 자료를 준비한다.
decorator | 테스트가 느려서 @functools.cache를 달았다.
annotation | 부모 메서드를 덮어쓸 때 @Override를 적는다.
style sheet | 화면 크기에 따라 @media screen 규칙을 바꿨다.
event at place | 공연은 토요일 7시@홍대 라이브홀에서 열린다.
event at place | LIVE@Seoul 공연 표 구합니다.
password style | 비밀번호는 P@ssw0rd{n:10-99}처럼 짓지 마세요.
letter replaced | 간판에 C@FE라고 적혀 있어서 웃었다.
letter replaced | c@t이라고 쓰면 필터를 피할 수 있나요?
sign alone | 주소에는 반드시 @ 기호가 들어가야 합니다.
sign alone | 키보드에서 @는 숫자 2 위에 있다.
sign alone | 월급 + @ 조건으로 협상했다.
more than | 경품 10개+@를 드립니다.
shell prompt | 터미널에 root@server:~# 표시가 떴다.
shell prompt | 접속하면 ubuntu@worker{n:1-9}:~$ 이렇게 보입니다.
golbaengi food | 을지로 골뱅이 무침에 맥주 한 잔 어때요?
golbaengi food | 골뱅이 소면 2인분, 점 하나 찍은 듯한 양이었다.
golbaengi food | 통조림 골뱅이 3캔에 만 원이면 싸네요.
golbaengi snail | 논에서 골뱅이를 주워 왔다.
golbaengi word | 아이디 다음에 골뱅이를 치고 회사 도메인을 적으세요.
masked | 계정 ab****@n****.*** 로그인 알림
masked | 이메일이 h******@*****.***처럼 가려져 있다.
placeholder | 아이디@회사도메인 형식으로 입력해 주세요.
placeholder | 메일 주소는 [아이디]@[도메인]으로 씁니다.
word without address | 이메일 주소를 적지 않아서 답장을 못 했다.
word without address | 메일로 보내 주세요, 주소는 쪽지로 알려 드릴게요.
at and dot words | We met at noon, dot 페스티벌 무대 앞에서.
at sign in brackets | (at) 표시는 골뱅이 대신 쓰는 관습이다.
at sign in brackets | 본문에 [at]과 [dot]을 섞어 쓰면 수집기를 속인다.
concentration | 시료를 25℃@1atm 조건에서 {n:10-90}분 두었다.
currency | 단가 @{n:1000-9000}, 수량 12, 합계는 따로 적음.
cell formula | 엑셀에서 =@A1:A{n:5-30}<을/를> 넣으면 한 값만 나온다.
handwriting | 손글씨 a를 동그라미로 감싸 @처럼 썼다.
music title | 신곡 제목이 'S@UL'이라 검색이 어렵다.
version tag | 도커 이미지 sha256@{hex:12} 태그를 지웠다.
trailing at | 게임 아이디가 별님@이라서 검색이 안 돼.
ratio at point | 수율 {n:60-95}%@3차 시도, 개선 여지가 있음.
LaTeX entry | 참고문헌 파일에서 @article 항목을 고쳤다.
"""

TRUE["ip"] = """
접속 기록을 보니 {ip}에서 로그인했다.
서버 주소가 {ip}<으로/로> 바뀌었습니다.
{ip}
글쓴이 IP: {ip}
아이피는{ip}입니다
{ip}, {ip} 두 곳에서 동시에 접속이 감지됐다.
공격은 {ipv4}:8080<으로/로> 집중됐다.
브라우저에 http 대신 [{ipv6}]:443을 넣어 보세요.
방화벽에서 {ipv4}/24 대역을 막았습니다.
운영팀은 {ipv6}/64 구간을 새로 배정했다.
악플 작성자의 아이피({ip})를 경찰에 제출했다.
"{ip}"<이/가> 차단 목록에 들어 있습니다.
관리자 페이지는 {ip}만 허용됩니다.
핑 보내 보니 {ipv4}<은/는> 응답이 없네요.
접속자 {ip} – 실패 5회 – 계정 잠금
해커는 해외 서버 {ip}<을/를> 경유한 것으로 드러났다.
src={ipv4} dst={ipv4} 차단
공유기 설정에서 {ipv4}<을/를> 게이트웨이로 지정했어요.
이 댓글 쓰신 분 아이피 {ip} 다 보입니다 ㅋㅋ
DNS를 {ipv4}<으로/로> 바꾸니까 빨라졌다
[{ip}] 2026-03-02 접속 거부
최근 로그인: {ip}(부산)
위키 편집자 {ip}님의 기여가 되돌려졌습니다.
비회원 {ip} 사용자가 문서를 비웠다.
게임 서버 {ipv4}에 들어오시면 됩니다!
원격 데스크톱은 {ipv4}:3389로 연결하세요.
{ipv4}→{ipv4} 방향 패킷만 잡힌다.
메일 헤더에 {ip}<이/가> 찍혀 있었다.
메일 서버({ip})가 스팸으로 등록됐다고 합니다.
{ip}이고 포트는 기본값을 쓰세요.
IPv6 주소 {ipv6}<으로/로> 접속이 되나요?
휴대전화에 {ipv6}<이/가> 할당됐다.
수사팀은 {ip}의 가입자 정보를 통신사에 요청했다.
로그 마지막 줄: {ip}.
CCTV 관리 화면이 {ipv4}에 그대로 열려 있었다.
{co} 사내망은 {ipv4}부터 {ipv4}까지 쓴다.
접속 허용 목록에 {ipv6}<과/와> {ipv4}<을/를> 추가했다.
같은 아이피({ip})에서 투표가 300번 들어왔습니다.
네임서버 응답이 '{ip}'<으로/로> 돌아왔어요.
프린터 주소 {ipv4} 맞는지 확인 부탁드려요
누가 자꾸 {ip}에서 제 블로그를 훔쳐봐요.
장비 교체 후 {ip}<이나/나> 예비 주소로 접속하십시오.
호스트={ip};
가상 서버 신청 결과: {ip} 할당 완료
관리 주소는 {ipv6}이며 외부에서는 열리지 않는다.
작업 서버 {ipv4}, 백업 {ipv4}, 담당 {name}
추적 결과 아홉 번째 구간이 {ip}였다.
웹 로그 첫 칸의 {ip}<은/는> 방문자의 주소다.
"""
LOOKALIKE["ip"] = """
version | 버전 10.0.3.{n:1-9}에서 글자가 깨집니다.
version | v1.2.3.{n:4-40}<으로/로> 올리면 해결돼요.
version | 펌웨어 2.0.{n:1-20}.7 업데이트 후 배터리가 빨리 닳는다.
version | 크롬 112.0.5615.{n:40-199} 이상이 필요합니다.
version | 한글 프로그램 11.0.0.5178판을 설치했다.
version | 드라이버 버전 31.0.15.{n:1000-5000}<을/를> 내려받으세요.
version | 앱 최신 버전은 7.4.1.{n:0-9}입니다.
version | 앱 3.{n:0-9}.12.0 버전으로 되돌렸습니다.
build | 윈도 빌드 10.0.19045.{n:2000-4000}에서 재현된다.
digits of pi | 원주율을 3.14.15.926이라고 잘못 띄어 썼다.
section | 자세한 내용은 2.3.1.{n:1-9}절을 보라.
section | 규정 제3.2.1.{n:1-9}항에 따라 심사한다.
section | 보고서 목차 1.4.{n:1-9}.2 '연구 방법'을 고쳤다.
table number | 표 2.1.3.{n:1-9}<과/와> 그림 2.1.3.2를 비교했다.
appendix | 부록 A.1.2.3.4에 측정값을 실었다.
octet above 255 | 화면에 300.256.{n:260-999}.1이라는 엉터리 값이 나왔다.
octet above 255 | 시험 문자열 999.{n:300-999}.888.777은 거부돼야 한다.
octet above 255 | 좌표 표기 512.384.{n:300-900}.400을 썼다.
date | 2020.10.{da}.에 개정되었다.
date | 회의록 20.10.11.화 작성
date and hour | 파일명은 2020.10.11.1{n:0-9}시본.hwp로 통일했다.
two dates | 공사 기간은 2019.3.1~2020.{mo}.{da} 사이다.
object identifier | 관리 정보 OID 1.3.6.1.4.1.{n:300-9000}<을/를> 조회했다.
object identifier | SNMP 트리의 1.3.6.1.2.1 아래를 보라.
intellectual property | 이 게임의 IP 확장 사업이 시작됐다.
intellectual property | {co}<은/는> 드라마 IP 200건을 확보했다.
intellectual property | 웹툰 IP가 10.{n:1-9}% 성장했다고 밝혔다.
protection grade | 방수 등급 IP68이라 물에 빠져도 괜찮아요.
protection grade | IP{n:54-67} 등급 조명을 마당에 달았다.
clock | 기록은 1:12:30:45로 결승선을 통과했다.
clock | 마감 시각은 12:30:{n:10-59}입니다.
time code | 영상 01:02:03:{n:10-29} 지점에 자막을 넣어라.
ratio | 비율을 1:2:3:4:5:{n:6-9}<으로/로> 섞었다.
ratio | 혼합비는 3:2:{n:1-9} 정도가 적당해요.
scope operator | std::vector를 쓰면 편하다.
scope operator | C++에서 Face::add()를 호출하니 오류가 났다.
scope operator | 러스트의 std::fs::read 함수를 불렀다.
scope operator | 클래스 안에서 Base::{n:1-9}번 함수를 찾지 못했다.
double colon | 목차 :: 1장 :: 2장 :: 부록
double colon | 공지 :: 내일은 쉽니다 ::
verse | 성경 요한복음 3:16, 시편 23:{n:1-6}<을/를> 읽었다.
score | 세트 스코어 3:2:1 순으로 동점이 깨졌다.
hash | 체크섬 {hex:32}<을/를> 대조했다.
UUID | 기기 식별값 {uuid}<을/를> 지웠다.
hex groups too many | 지문값 {hex:4}:{hex:4}:{hex:4}<은/는> 세 묶음뿐이다.
decimal list | 점수는 9.5, 9.{n:1-9}, 8.7, 10.0점이었다.
word without number | IP 주소를 바꾸려면 공유기를 껐다 켜세요.
word without number | 아이피 차단을 당했는데 언제 풀리나요?
music measure | 악보 4.4.3.4박 표기는 편곡자의 것이다.
classification | 분류번호 4.2.1.{n:1-9} 항목으로 옮겨 주세요.
statistical code | 산업분류 C.26.1.1.{n:0-9} 업종이다.
three parts | 파이썬 3.11.{n:1-9}에서만 돌아갑니다.
five parts | 조항 1.2.3.4.{n:1-9}<은/는> 삭제되었다.
"""

TRUE["mac"] = """
맥 주소는 {macw}입니다.
공유기에 {mac}<을/를> 등록해 주세요.
{mac}
MAC: {macw}
랜카드에 적힌 값은{mac}입니다
기기의 MAC 주소({macw})를 관리실에 제출하십시오.
무선 접속 허용 목록에 {mac}, {mac}<을/를> 넣었다.
"{mac}"에서 신호가 잡혔다.
{name} 자리 노트북 {mac} 등록 완료
학교 와이파이 신청할 때 맥 주소 {macw} 적으면 되죠?
분실한 휴대전화의 MAC은 {macw}<으로/로> 확인됐다.
접속 로그: {mac} 연결 성공
같은 {mac}<이/가> 두 번 보여서 충돌이 났어요.
블루투스 이어폰 {mac}<과/와> 연결됨
[{mac}] 인증 실패
프린터 MAC 주소:{macw}
{mac}에서 나온 패킷만 걸러 냈다.
기숙사 인터넷 신청, 물리 주소 {mac}.
사내 보안 규정에 따라 맥 주소 {macw}<은/는> 자산 대장에 적는다.
스마트 TV의 {mac}<으로/로> 고정 주소를 배정했습니다.
수사관은 공유기 기록에서 {mac}<을/를> 찾아냈다.
배지 번호 대신 {mac}만 수집된다고 한다.
저희 집 냉장고가 {mac}인데 왜 접속이 안 될까요 ㅠㅠ
설정 → 정보 → Wi-Fi 주소 {mac}
네트워크 담당자에게 MAC 주소 {macw}<이라/라>고 알려 줬다.
비콘 {mac}<이/가> 고객의 위치를 기록했다.
맥 어드레스 '{macw}' 중복입니다.
IoT 센서 3호기 – {mac} – 배터리 부족
회의실 화면에 {mac}<이/가> 떠 있길래 찍어 뒀다.
게임기 MAC 주소 {macw} 필터링 풀어 주세요
ether={mac};
중고로 산 공유기 뒷면에 {mac}<이라/라>고 인쇄돼 있었다.
스캐너가 {mac}<이나/나> 비슷한 기기를 놓쳤다.
출입 단말기({mac})가 어젯밤 꺼졌다.
원격으로 켤 컴퓨터의 {mac}<을/를> 입력하세요
PC방 37번 자리 {mac} 교체 요망
요청하신 단말 MAC 주소는 {macw}이며 오늘부터 차단됩니다.
동글을 꽂으니 {mac}<으로/로> 인식되더라고요.
자동차 블랙박스 맥주소{macw}로 등록했어요.
매장 방문자 단말 {mac}의 재방문 횟수는 네 번이다.
유선은 {mac}, 무선은 {mac}.
임대 기기 반납 확인: {mac}(정상)
태블릿 초기화 후에도 {mac}<은/는> 바뀌지 않는다.
MAC {macw} 등록 부탁드립니다!
인터넷 기사님이 {mac} 불러 달라고 하셨어요.
접속 기기 목록 1. {mac}
악성 단말 {mac}에 대한 차단 정책을 적용함.
"""
LOOKALIKE["mac"] = """
ratio | 재료를 1:2:3:4:5:6 비율로 섞었다.
ratio | 지분 비율은 10:20:30:15:15:{n:10-20}<으로/로> 합의했다.
clock | 지금 시각은 12:30:{n:10-59}입니다.
clock and date | 기록은 20-10-11 12:30:{n:10-59}에 남았다.
time code | 타임코드 01:02:03:{n:10-29}부터 다시 녹음하자.
stopwatch | 구간 기록 0:58:12, 1:57:{n:10-59}, 2:59:01을 적었다.
lottery | 로또 번호 03-11-18-27-33-{n:34-45} 한 장 샀어요.
lottery | 당첨 번호는 5, 12, 19, 23, 38, 4{n:0-5}이다.
date list | 공연일은 10-11, 10-12, 10-{n:13-28}입니다.
UUID | 비콘 식별자 {uuid}<을/를> 입력했다.
UUID | 장치 UUID가 {uuid}<으로/로> 나왔다.
hash | 커밋 {hex:12}에서 버그가 들어왔다.
hash | 도커 이미지 {hex:12}<을/를> 지웠습니다.
hash | 파일 해시는 {hex:40}이다.
hash | 체크섬 {hex:64} 일치
hash | 블록 해시 {hex:32}<을/를> 조회했다.
hex colour | 배경색은 #A1B2C{n:1-9}, 글자색은 #1F2E3D로 하자.
hex colour | 색상 코드 #{hex:6}<이/가> 더 따뜻해 보여요.
hex dump | 파일 첫머리가 0xCAFE, 0xBABE로 시작한다.
certificate fingerprint | 인증서 지문 AB:12:CD:34:EF:56:AB:78:CD:90:EF:12:34:56:78:9A:BC:DE:F0:{n:10-99}<을/를> 대조했다.
five groups | 키 AA-BB-CC-DD-E{n:0-9}<은/는> 다섯 묶음이라 잘못됐다.
three groups | 좌석 코드 A1-B2-C{n:1-9}에 앉으세요.
non-hex letters | 쿠폰 GH-12-IJ-34-KL-{n:10-99}<을/를> 등록하세요.
non-hex letters | 문자열 zz:yy:xx:ww:vv:uu는 주소가 아니다.
product key | 제품 키 AB12C-{d:4}D-EF34G-{d:4}H를 넣었다.
serial | 시리얼 C02{d:4}ABFG<을/를> 고객센터에 불러 줬다.
computer brand | 맥 미니를 샀더니 책상이 넓어졌다.
computer brand | 맥북 {n:10-25}대를 학교에 기증했다.
computer brand | 맥 스튜디오와 아이맥 중에 고민 중입니다.
computer brand | MAC에서 한글 파일이 안 열려요.
food brand | 점심에 빅맥 {n:2-9}개를 시켜 나눠 먹었다.
food brand | 맥모닝은 오전 4:00-10:30에만 판다.
drink | 맥주 500cc {n:2-9}잔이면 취한다.
cosmetics brand | MAC 립스틱 {n:600-699}호 색이 예뻐요.
medical word | 맥이 빠르게 뛰고 맥박은 분당 {n:60-99}회였다.
context word | 이야기의 맥을 짚지 못했다.
context word | 산맥을 따라 12:34 지점에서 갈라진다.
word without address | MAC 주소를 바꾸는 방법을 알려 주세요.
word without address | 맥 주소 필터링을 켜니 손님이 접속을 못 한다.
standard | 통신 규격 IEEE 802.11ac와 802.15.{n:1-9}<을/를> 비교했다.
hex letters in words | 음이름 C-D-E-F-G-A-B를 건반에 붙였다.
hex letters in words | 등급은 A-B-C-D-E-F 여섯 단계다.
hex letters in words | 코드 진행이 Am-F-C-G로 반복된다.
chess | 체스 기보 e4-e5, d4-d5, c4-c{n:5-7} 순서였다.
scores | 이닝별 점수 0-1-2-0-3-{n:0-9}<으로/로> 역전했다.
formation | 감독은 4-2-3-1과 3-4-3을 섞어 썼다.
bits | 비밀 신호는 00:01:10:11 순서로 깜빡인다.
version | 펌웨어 1.0.2.{n:10-99} 버전입니다.
twelve digits | 접수번호 {d:12}<으로/로> 확인하세요.
section | 규격 3.1.2절과 4.{n:1-9}.6절을 참고한다.
genes | 유전형은 AA:AB:BB=1:2:1로 나뉘었다.
dose time | 약은 08:00, 14:00, 20:0{n:1-9}에 드세요.
bible verses | 마태 5:3, 5:4, 6:{n:9-13} 구절을 외웠다.
"""

TRUE["mention"] = """
사진 찍어 준 {at}님께 감사드립니다.
{at} 이거 봤어? 완전 웃겨
{at}<이/가> 올린 영상이 화제다.
오늘 모임은 {at}, {at} 그리고 나.
자세한 후기는 {at}에서 볼 수 있어요.
{kat} 님이 댓글을 남겼습니다.
출처:{at}
(사진={at})
{kat} 사장님 오늘도 문 여셨나요?
모델{at} 촬영 {at}
인스타 {at}<으로/로> 디엠 주세요!
이벤트 당첨자는 {kat}님, {at}님입니다. 축하합니다!
"{at}"<이라/라>는 계정이 사칭으로 신고됐다.
트위터 이용자 {at}<은/는> 현장 사진을 공유했다.
{at}의 글에 5천 명이 공감을 눌렀다.
RT {at}: 내일 비 온대요 우산 챙기세요
헐 {at} 너 아니야? ㅋㅋㅋ
협업 문의는 {at} 계정으로 보내 주세요.
{kat} 오늘 저녁 같이 먹자
가수 {name} 씨({at})가 새 노래를 냈다.
팔로우: {at}
저는 {at}<과/와> 함께 전시를 준비하고 있어요.
{at}도 오고 {at}도 온대
이번 주 추천 계정 → {at}
[공지] {at}<을/를> 꼭 태그해 주셔야 참여가 인정됩니다.
{at}!! 생일 축하해
고마워요 {kat} 덕분에 살았습니다
방송에 나온 빵집은 {at}<이라/라>는 이름으로 활동한다.
댓글에서 {at}에게 물어보시면 답해 줄 거예요.
회의록 검토자 {at} {at}
{at}, 내일까지 코드 검토 부탁드립니다.
이 만화 작가 {at} 맞죠?
유튜브 채널 {at}<이/가> 구독자 만 명을 넘겼다.
리그램 {at} . 봄이 왔어요
누가 {at} 좀 말려 줘…
{kat}님께서 올려 주신 요리법 그대로 했더니 성공!
전시 사진 더 보기 ▶ {at}
배송 빠르고 포장 예뻐요. 판매자 {at} 최고
친구 소환 {kat} {at} 여기 가자
{at}한테 빌린 책 다 읽었다
경찰은 게시자 {at}<을/를> 명예 훼손 혐의로 조사 중이다.
오타 알려 주신 {at}님, {kat}님 고맙습니다.
이 고양이 {at}네 집 애랑 똑같이 생겼다
작가 계정({at})에 공지가 올라왔습니다.
{at}<으로/로> 이사했어요, 옛 계정은 안 씁니다.
슬랙에서 {at} 불러 주시면 바로 확인할게요.
필터 추천해 준 {at}! 색감 미쳤다
현장 영상 제공은 {at}.
그림 의뢰는 {kat} 에게 쪽지로 부탁드려요.
"""
LOOKALIKE["mention"] = """
emoticon | 시험 망했다 @_@ 어쩌지
emoticon | 놀라서 눈이 @.@ 이렇게 됐어요
emoticon | 어지러워 @@ 잠깐 누울게
emoticon | 배고파서 @o@ 정신이 없네
emoticon | 귀여워 @'_'@ 또 보고 싶다
price per piece | 사과 3개@1000원에 샀다.
price per piece | 공책 @{n:1000-3000}원, 지우개 @500원으로 계산함.
price per piece | 단가 @ {n:2-9},500 × 12개
at a time | 연습은 @ 7시 학생회관 앞.
at place with blank | 전시 @ 성수, 이번 주말까지
decorator | 파이썬 함수 위에 @staticmethod를 붙인다.
decorator | 결과를 저장하려면 @functools.cache를 쓰세요.
decorator | @property 없이도 같은 일을 할 수 있다.
decorator | 자료 클래스는 @dataclass로 선언했다.
annotation | 자바에서 @Override를 빼먹어 경고가 났다.
annotation | 스프링의 @Autowired 대신 생성자를 쓴다.
annotation | 단위 시험에는 @Test를 적어야 실행된다.
annotation | 코틀린에서 @JvmStatic 애너테이션을 붙였다.
style sheet | CSS에서 @media 규칙으로 글자 크기를 바꿨다.
style sheet | @import 순서가 틀려 화면이 깨졌다.
style sheet | 글꼴은 @font-face로 불러온다.
style sheet | 움직임은 @keyframes에 적는다.
doc tag | 주석의 @param과 @return을 채워 주세요.
doc tag | 문서 주석에 @deprecated라고 표시했다.
bibliography | 참고문헌은 @article 항목으로 적는다.
bibliography | @inproceedings 항목의 쪽수가 빠졌다.
cell formula | 엑셀 수식 =@B2:B{n:5-50}<을/를> 지웠다.
cell formula | 옛날 표 계산 프로그램은 @SUM(A1:A{n:5-50})이라고 썼다.
package scope | 개발 의존성에 @types/node {n:16-20}판을 넣었다.
package scope | npm에서 @babel/preset-env를 설치하세요.
package version | lodash@4.17.{n:10-40}<으로/로> 고정했다.
frame rate | 1080p@{n:24-60}fps 설정이 가장 부드럽다.
refresh rate | 4K@{n:100-165}Hz 모니터를 장만했다.
metric at k | 논문은 Recall@{n:5-50}만 보고했다.
metric at k | 정밀도 P@{n:1-10}<을/를> 비교했습니다.
matrix product | numpy에서 A@B는 행렬곱이다.
short expression | 문제에 6@7=13이라고 적혀 있다.
shell prompt | 터미널 맨 앞의 root@server 부분은 자동으로 뜬다.
sign alone | 이름 앞에 @ 기호를 붙이면 알림이 간다.
sign alone | 골뱅이 기호(@)의 유래를 조사했다.
sign alone | 연봉은 협의, 인센티브 @
more than | 선물 3종+@ 증정 행사
letter replaced | 비밀번호를 P@ssword{n:10-99}<으로/로> 하지 마세요.
letter replaced | 간판에 C@FE라고 쓴 집이 있다.
event at place | 단독 공연 LIVE@Seoul 예매 시작
masked | 작성자 @***** 님의 글이 삭제됐습니다.
masked | 당첨자 @ha*****, @so***** 외 {n:3-9}명
placeholder | 댓글에 @아이디 형식으로 친구를 불러 보세요.
inside an email | 문의는 ⟦email:haneul{d:4}@naver.com⟧으로 주세요.
inside an email | 회신 주소 ⟦email:sori.maru{d:3}@gmail.com⟧
inside an email | 담당 {name} ⟦email:press{d:3}@dasomilbo.kr⟧, 퇴근 후에는 답이 늦습니다.
concentration | 농도는 5%@25℃ 조건에서 {n:10-90}분 유지했다.
name of sign | 영어로는 @를 '앳'이라고 읽는다.
SQL variable | 저장 프로시저에서 @rowcount 변수를 썼다.
SQL variable | SET @total = {n:10-900}; 다음 줄에서 오류가 난다.
Ruby variable | 루비의 인스턴스 변수 @count는 객체마다 다르다.
PHP operator | PHP에서 @fopen처럼 쓰면 경고가 숨겨진다.
template rule | 블레이드 틀에서 @foreach로 목록을 돌렸다.
"""

TRUE["url"] = """
자세한 내용은 {url}에서 확인하세요.
홈페이지:{url}
{url}
신청은 {url}<으로/로> 하시면 됩니다.
여기 링크 {url}
공식 누리집({url})에 공고가 올라왔다.
주소는{url}입니다
"{url}"<을/를> 누르지 마세요, 피싱입니다.
원문 보기: {url}.
{co} 채용 사이트 {url}, 마감은 금요일.
예매는 {url}<이나/나> 현장에서 가능하다.
영상은 {url} 참고 부탁드려요
{url}<은/는> 접속이 안 되는데 저만 그런가요?
악성 코드는 {url}<을/를> 통해 퍼진 것으로 보인다.
사이트 이름이 {url}인데 들어가 보신 분?
후기 더 보기 → {url}
출처: {url} (2026년 3월 검색)
[바로가기] {url}
쿠폰은 {url}, 설명은 {url}<을/를> 보세요.
누리집 {url}에는 아직 안내가 없습니다.
문서 {kurl} 를 읽어 보면 배경을 알 수 있다.
위키에 정리돼 있어요 {kurl} 꼭 보세요.
참고 자료: {kurl}
이 항목은 {kurl} 에서 옮겨 왔다고 밝혔다.
백과사전 {kurl} 문서가 가장 자세하다
블로그 이웃 추가 부탁드려요~ {url}
설문 참여하기 {url} 5분이면 끝나요!
『봄의 기록』 전자책은 {url}에서 산다.
교재 정오표는 {url}<으로/로> 옮겼습니다.
가짜 쇼핑몰 {url}<이/가> 폐쇄됐다고 경찰이 전했다.
자주 묻는 질문은 {url}에 모아 두었어요.
네, {url} 맞습니다!
강의 자료 내려받기({url}), 비밀번호는 없음
즐겨찾기에 {url}<과/와> 지도를 넣어 두었다.
방송 다시 보기 {url}…
후원 계좌는 없고 {url}에서만 받습니다.
문자에 {url} 링크가 있어서 눌렀다가 큰일 날 뻔했어요.
링크={url};
기사 전문은 {url}에 실렸다.
제 포트폴리오는 {url}이고 매달 새로 고칩니다.
환불 규정 보려면 {url}, 문의는 게시판으로
사진 원본은 <{url}> 에 있어요.
{url}<이라/라>는 주소가 낯설어서 다시 확인했다.
단축 주소 {url}<을/를> 풀어 보니 광고였다.
이벤트 페이지 '{url}' 접속자가 몰렸다.
참가비 안내 – {url} – 환불 불가
우리 가게도 드디어 {url}에 입점했습니다 ㅎㅎ
도서관 누리집 {url}의 희망 도서 메뉴를 이용하라.
QR이 안 되면 {url} 직접 입력하세요
"""
LOOKALIKE["url"] = """
software name | Node.js로 서버를 만들었다.
software name | ASP.NET 수업을 듣는데 어렵네요.
software name | Vue.js {n:2-3}판과 React.js를 비교했다.
software name | Next.js로 옮기니 화면이 빨라졌다.
software name | VB.NET 과제를 도와주실 분?
file name | README.md부터 읽어 주세요.
file name | main.py를 실행하니 오류가 {n:2-9}개 떴다.
file name | 첨부한 report_{n:1-99}.pdf를 확인 바랍니다.
file name | 사진은 IMG_{d:4}.jpg로 저장됐다.
file name | 계약서_최종{n:2-9}.hwp를 또 고쳤다.
file name | 설정 파일 config.yaml을 지우지 마세요.
file name | 데이터는 train.csv와 test.csv로 나뉜다.
file name | setup.exe를 함부로 실행하면 안 된다.
abbreviation | 회의는 9 a.m.에 시작해서 6 p.m.에 끝난다.
abbreviation | U.S.A.에서 온 친구를 만났다.
abbreviation | Ph.D.를 받고 귀국했습니다.
abbreviation | 영화 O.S.T.가 {n:2-9}주째 1위다.
abbreviation | e.g.와 i.e.의 차이를 설명하시오.
abbreviation | 고려 시대 유물은 B.C.가 아니라 A.D.로 적는다.
abbreviation | 추신(P.S.) 내일 우산 챙겨.
initials | J.K.롤링의 소설을 밤새 읽었다.
initials | 그룹 g.o.d가 {n:10-25}년 만에 모였다.
title | Dr.박과 Mr.Kim이 함께 무대에 섰다.
numbering | 대기표 No.{n:10-99}번 손님 오세요.
numbering | 잡지 Vol.{n:2-30}, Ch.4를 구합니다.
missing blank after stop | It was good.It was really good.
missing blank after stop | 정말 좋았어요.또 오고 싶어요.
missing blank after stop | 재미있다.그런데 {n:2-9}부는 별로다.
missing blank after stop | 끝.다음 주에 봐요
missing blank after stop | I like it.But 가격이 비싸요.
distance | 집에서 역까지 3.{n:1-9}km 걸었다.
speed | 최고 속도는 시속 120.{n:1-9}km/h였다.
slash | TCP/IP 수업과 입/출력 장치 실습.
slash | 24/7 운영, 남/녀 공용입니다.
slash | and/or 표현은 피하는 것이 좋다.
path | 설정은 /etc/nginx/sites 폴더에 있다.
path | C:\\Users\\public\\docs 안에 넣어 두었어요.
path | src/pages/index{n:1-9}.html 파일을 열어라.
scheme alone | 주소는 https:// 로 시작해야 안전하다.
scheme alone | http와 https의 차이를 {n:2-9}줄로 설명하라.
www alone | www는 월드 와이드 웹의 줄임말이다.
www alone | 주소 앞에 www.를 붙이지 않아도 됩니다.
top domain alone | .com 도메인은 값이 올랐다.
top domain alone | 도메인 끝이 .co.kr이면 한국 사이트다.
top domain word | 닷컴 버블은 2000년에 꺼졌다.
code | std::vector.push_back을 {n:2-9}번 불렀다.
code | numpy.array와 pandas.concat을 섞어 썼다.
code | java.util.List를 불러오지 않아 오류가 났다.
code | math.sqrt(16)은 4.0을 돌려준다.
code | document.write는 이제 쓰지 않는다.
code | System.out.println을 {n:10-99}줄 적었다.
version | v2.{n:0-9}.1에서 오류가 고쳐졌다.
decimal | 평점 4.{n:1-9}점, 리뷰 1.2만 개
ellipsis | 글쎄..com이라니 무슨 말이야
date | 2026.3.{n:1-28}.부터 무료 배송
ratio and clock | 경기는 3:2, 시간은 19:{n:10-59}에 끝났다.
masked | 링크는 https://*****로 가려 두었습니다.
placeholder | 주소창에 [사이트 주소]/admin을 입력하세요.
section | 제2.3.{n:1-9}절 및 별표 4.2를 따른다.
word without address | 홈페이지 주소를 몰라서 못 들어갔어요.
word without address | 링크 좀 보내 주세요, 못 찾겠어요.
score | 피겨 점수 {n:70-79}.{d:2}점으로 1위에 올랐다.
"""


# --- building the cases -------------------------------------------------------------------------
RIEUL, NO_FINAL = 8, 0
DIGIT_FINAL = dict(zip("0123456789", (1, 8, 0, 1, 0, 0, 1, 8, 8, 0), strict=True))
LETTER_FINAL = {"l": RIEUL, "r": RIEUL, "m": 1, "n": 1}


def final_sound(text: str) -> int:
    """Number of the final consonant of the last spoken sign of `text`; 0 where there is none."""
    last = re.sub(
        r"[^0-9A-Za-z가-힣]", "", text.translate({wide: code for code, wide in FULL_WIDTH.items()})
    ).lower()
    if last.endswith("net"):
        return 1
    sign = last[-1:]
    if "가" <= sign <= "힣":
        return (ord(sign) - ord("가")) % 28
    return DIGIT_FINAL.get(sign, LETTER_FINAL.get(sign, NO_FINAL))


def set_particles(text: str) -> str:
    """Resolve every `<consonant form/vowel form>` by the sound before it."""

    def choose(match: re.Match[str]) -> str:
        sound = final_sound(MARKER.sub(r"\2", text[: match.start()]))
        bare = sound == NO_FINAL or (match[1] == "으로" and sound == RIEUL)
        return match[2] if bare else match[1]

    return PARTICLE.sub(choose, text)


@dataclass(frozen=True)
class Line:
    """One hand-written sentence: its place in the list, the round, and the key of its draws."""

    key: str
    index: int
    round: int
    template: str

    def filled(self) -> tuple[str, list[str]]:
        """The sentence with its values, personal ones marked, and the names of their forms."""
        forms: list[str] = []
        text = SLOT.sub(lambda match: self._value(match, forms), self.template)
        return set_particles(text), forms

    def _value(self, match: re.Match[str], forms: list[str]) -> str:
        slot, size = match[1], match[2]
        draw = Draw(f"{self.key}|{match.start()}")
        if slot in POOLS:
            kind, pool = POOLS[slot]
            at = self.index + self.round * (len(pool) // 3 + 1) + len(forms)
            name, make = pool[at % len(pool)]
            forms.append(name)
            return f"⟦{kind}:{make(draw)}⟧"
        if slot in PLAIN:
            return PLAIN[slot](draw)
        return SIZED[slot](draw, size)


def unmark(marked: str) -> tuple[str, list[dict[str, str | int]]]:
    """Take the markers out; give the plain text and the spans they stood for."""
    text, spans, done = "", [], 0
    for match in MARKER.finditer(marked):
        text += marked[done : match.start()]
        spans.append({"type": match[1], "start": len(text), "end": len(text) + len(match[2])})
        text, done = text + match[2], match.end()
    return text + marked[done:], spans


def neighbour(sign: str, edge: str) -> str:
    if not sign:
        return edge
    if "가" <= sign <= "힣":
        return "Hangul"
    return "blank" if sign.isspace() else "mark"


def surroundings(text: str, start: int, end: int) -> str:
    before = neighbour(text[start - 1 : start] if start else "", "start")
    return f"{before} before, {neighbour(text[end : end + 1], 'end')} after"


def templates(block: str) -> list[str]:
    return [line for line in block.strip().splitlines() if line]


def true_cases(kind: str) -> Iterator[dict[str, Any]]:
    for turn in range(TRUE_ROUNDS):
        for index, template in enumerate(templates(TRUE[kind])):
            marked, forms = Line(f"{kind}|true|{turn}|{index}", index, turn, template).filled()
            text, spans = unmark(marked)
            where = surroundings(text, int(spans[0]["start"]), int(spans[0]["end"]))
            yield {"text": text, "spans": spans, "form": f"{forms[0]}; {where}"}


def lookalike_cases(kind: str) -> Iterator[dict[str, Any]]:
    for turn in range(LOOKALIKE_ROUNDS):
        for index, line in enumerate(templates(LOOKALIKE[kind])):
            form, template = line.split(" | ", 1)
            marked, _ = Line(f"{kind}|lookalike|{turn}|{index}", index, turn, template).filled()
            text, spans = unmark(marked)
            yield {"text": text, "spans": spans, "form": form}


def numbered(kind: str, label: str, cases: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Ids and labels; a text that a sentence without values repeats is given once."""
    seen: set[object] = set()
    for case in cases:
        if case["text"] not in seen:
            seen.add(case["text"])
            identity = f"{kind}-{label[0]}-{len(seen):03d}"
            # Partial registration numbers stand among the look-alikes, which they once were.
            own = any(span["type"] == kind for span in case["spans"])
            yield {"id": identity, "type": kind, "kind": "true" if own else label, **case}


def main() -> None:
    """Write one file a type beside this script."""
    folder = Path(__file__).resolve().parent
    for kind in TRUE:
        rows = [
            *numbered(kind, "true", true_cases(kind)),
            *numbered(kind, "lookalike", lookalike_cases(kind)),
        ]
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
        (folder / f"{kind}.jsonl").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
