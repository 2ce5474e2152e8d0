"""The canonical value of a piece of personal data: every spelling of one value is one key.

The result is never shown: it is what digests and pseudonyms are keyed by. It is a fixed point:
`normal(type, normal(type, value)) == normal(type, value)`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final

from pipeline.core.errors import InputError
from pipeline.pii.folding import fold
from pipeline.pii.kinds import TYPES
from pipeline.pii.places import OFFICE_CODES, SPELLINGS, region

#: Digits spelt by their Korean names in telephone numbers.
SYLLABLES: Final = dict(zip("공영일이삼사오육륙칠팔구", "001234566789", strict=True))
# The patterns below are for folded text (`plain`). Runs of blanks are bounded, so that a long one
# costs no more than its length.
_GAP: Final = r"\s{0,8}"
#: The at sign of an e-mail address as it is written against harvesters.
AT: Final = re.compile(
    rf"{_GAP}(?:@|골뱅이|[\[({{<]{_GAP}(?:at|앳|골뱅이|@){_GAP}[\])}}>]){_GAP}|\s{{1,8}}(?:at|앳)\s{{1,8}}",
    re.I,
)
#: The dot of an e-mail address, likewise.
DOT: Final = re.compile(
    rf"{_GAP}(?:\.|쩜|점|닷|[\[({{<]{_GAP}(?:dot|닷|점|\.){_GAP}[\])}}>]){_GAP}|\s{{1,8}}dot\s{{1,8}}",
    re.I,
)
#: Scheme and `www` in front of a web address.
FRONT: Final = re.compile(r"(?:(?:[a-z][a-z0-9+-]{1,15}:)?//|www\d?\.(?=[^/?#]{0,253}\.))+", re.I)

_PROVIDERS: Final = {
    "네이버": "naver.com",
    "한메일": "hanmail.net",
    "다음": "daum.net",
    "지메일": "gmail.com",
    "구글": "gmail.com",
    "네이트": "nate.com",
    "핫메일": "hotmail.com",
    "야후": "yahoo.com",
    "카카오": "kakao.com",
}
_ENDINGS: Final = {"컴": "com", "넷": "net", "오알지": "org", "씨오": "co", "케이알": "kr"}
_BLANKS: Final = re.compile(r"\s+")
_HYPHEN: Final = re.compile(r" ?- ?")
_MARKS_BEFORE: Final = re.compile(r"\A[\W_]+")
_BETWEEN: Final = re.compile(r"(?<=\d)[^\w-]+(?=\d)")
_ADDRESS_MARKS: Final = re.compile(r"[^\w -]|_|(?<!\d) | (?!\d)|(?<!\d)-|-(?!\d)")


@lru_cache(1 << 14)
def normal(type: str, value: str) -> str:
    """Return the canonical form of a value of one of the 16 types (pipeline/pii/kinds.py).

    Look-alikes are folded first by the table of the detector (pipeline/pii/folding.py). Then:

    - numbers: digits only, whatever their script, separators and brackets; a driver's licence
      begins with the code of its office, a passport and a vehicle plate keep their letters
    - `phone`: with the trunk 0 in place of +82, 0082 or 82; Korean names of digits are digits
    - `email`: lower case, `@` and `.` for their spellings, a provider's Korean name as its domain
    - `ip`: compressed; an IPv4 address mapped into IPv6 is that IPv4 address
    - `mac`: twelve lower-case hexadecimal digits
    - `mention`: lower case with `@`
    - `url`: host in lower case, port, path, query; without scheme, `www.` and closing slash, for
      with and without them the same page is meant
    - `address`: without blanks and punctuation, but `-` and a gap between numbers stay; a region at
      its head has its full name of today

    Raises InputError for an unknown type.
    """
    if type not in _NORMAL:
        raise InputError(f"personal data: no type {type!r}; allowed: {', '.join(TYPES)}")
    return _NORMAL[type](plain(compose(value)))


def compose(value: str) -> str:
    """Return the text with Hangul as whole syllables (NFC); other characters keep their form."""
    return unicodedata.normalize("NFC", value)


@lru_cache(4096)
def digit(char: str) -> str:
    """Return the ASCII digit that a decimal digit of any script stands for, else ''."""
    if char.isascii():
        return char if char.isdigit() else ""
    value = unicodedata.decimal(char, None)
    return "" if value is None else str(value)


@lru_cache(4096)
def spoken_digit(char: str) -> str:
    """Return the ASCII digit of a decimal digit or of a Korean name of one, else ''."""
    return SYLLABLES.get(char) or digit(char)


@lru_cache(4096)
def letter_or_digit(char: str) -> str:
    """Return a Latin letter in upper case or a digit, both also from full width, else ''."""
    plain = chr(ord(char) - 0xFEE0) if "\uff21" <= char <= "\uff5a" else char
    return plain.upper() if plain.isascii() and plain.isalpha() else digit(char)


@lru_cache(4096)
def hex_digit(char: str) -> str:
    """Return a hexadecimal digit in lower case, else ''."""
    plain = letter_or_digit(char).lower()
    return plain if plain in "0123456789abcdef" else ""


@lru_cache(4096)
def plate_character(char: str) -> str:
    """Return a Hangul syllable or an ASCII digit, else ''."""
    return char if "가" <= char <= "힣" else digit(char)


def country_code(value: str, digits: str) -> int:
    """Return how many of the digits of a telephone number are the code of Korea: 0, 2 or 4."""
    first = next((i for i, c in enumerate(value) if spoken_digit(c)), 0)
    plus = any(c in "+＋" for c in value[:first])
    if digits.startswith("0082"):
        return 4
    return 2 if digits.startswith("82") and (plus or len(digits) >= 10) else 0


def office(value: str) -> tuple[str, str]:
    """Split a licence number into the Korean name of its office ('' if none) and the rest."""
    text = value.lstrip()
    name = next((n for n in OFFICE_CODES if text.startswith(n)), "")
    return name, text[len(name) :]


def plain(value: str) -> str:
    """Return the text as the detector sees it, with ASCII digits and without invisible characters.

    Every other character stays one.
    """
    folded = fold(value)
    if folded.isascii():
        return folded
    return "".join(digit(c) or c for c in folded if unicodedata.category(c) != "Cf")


def _digits(value: str) -> str:
    return "".join(map(digit, value))


def _phone(value: str) -> str:
    digits = "".join(map(spoken_digit, value))
    code = country_code(value, digits)
    rest = digits[code:].lstrip("0")
    if not code or not rest:
        return digits
    representative = len(rest) == 8 and rest[0] == "1" and rest[1] in "568"
    return rest if representative else f"0{rest}"


def _email(value: str) -> str:
    text = value.lower().strip()
    local, at, domain = _part(AT, text)
    domain = _domain(domain)
    return re.sub(r"\s+", "", DOT.sub(".", local) + ("@" if at else "") + domain)


def _part(pattern: re.Pattern[str], text: str) -> tuple[str, str, str]:
    """Split at the first match; all is in front when there is none."""
    match = pattern.search(text)
    return (text[: match.start()], match[0], text[match.end() :]) if match else (text, "", "")


def _domain(text: str) -> str:
    labels = [re.sub(r"\s+", "", label) for label in DOT.split(text)]
    labels = [label for label in labels if label]
    if not labels:
        return ""
    for ending in _ENDINGS:
        head = labels[-1].removesuffix(ending)
        if head != labels[-1] and head in _PROVIDERS:
            labels[-1:] = [head, ending]
    labels = [labels[0], *(_ENDINGS.get(label, label) for label in labels[1:])]
    known = _PROVIDERS.get(labels[0])
    if known:
        labels[0] = known if len(labels) == 1 else known.partition(".")[0]
    return ".".join(labels)


def _ip(value: str) -> str:
    text = re.sub(r"\s+", "", value).strip("[]").lower().partition("%")[0]
    octets = text.split(".")
    if len(octets) == 4 and all(o.isdecimal() for o in octets):
        text = ".".join(o.lstrip("0") or "0" for o in octets)
    try:
        found = ip_address(text)
    except ValueError:
        return text
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return str(mapped or found)


def _mention(value: str) -> str:
    return "@" + re.sub(r"\s+", "", value).lower().lstrip("@")


def _url(value: str) -> str:
    text = re.sub(r"\s+", "", value)
    front = FRONT.match(text)
    text = text[front.end() :] if front else text
    cut = next((i for i, c in enumerate(text) if c in "/?#"), len(text))
    return (text[:cut].lower() + text[cut:]).rstrip("/")


def _address(value: str) -> str:
    text = _HYPHEN.sub("-", _BLANKS.sub(" ", _MARKS_BEFORE.sub("", value)))
    spelt = region(text)
    text = SPELLINGS.get(spelt, "") + text[len(spelt) :]
    return _ADDRESS_MARKS.sub("", _BETWEEN.sub(" ", text).strip())


def _licence(value: str) -> str:
    name, rest = office(value)
    return OFFICE_CODES.get(name, "") + _digits(rest)


def _settled(rule: Callable[[str], str]) -> Callable[[str], str]:
    """Apply a rule until nothing changes: what it removes may have parted what it looks for."""

    def apply(value: str) -> str:
        for _ in range(8):
            before, value = value, rule(value)
            if before == value:
                break
        return value

    return apply


_NORMAL: Final[dict[str, Callable[[str], str]]] = {
    **dict.fromkeys(TYPES, _digits),
    "phone": _phone,
    "email": _settled(_email),
    "ip": _settled(_ip),
    "mac": lambda value: "".join(map(hex_digit, value)),
    "mention": _settled(_mention),
    "address": _settled(_address),
    "passport": lambda value: "".join(map(letter_or_digit, value)),
    "driver_license": _licence,
    "vehicle_plate": lambda value: "".join(map(plate_character, value)),
    "url": _settled(_url),
}
