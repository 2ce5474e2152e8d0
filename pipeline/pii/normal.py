"""Plain characters for look-alikes, and the canonical value of a piece of personal data.

`fold` replaces one code point by one, so offsets stay valid. `normal` maps every spelling of a
value to one key, by which digests and pseudonyms are computed; it is never shown. It is a fixed
point: `normal(type, normal(type, value)) == normal(type, value)`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final

from pipeline.core.errors import InputError
from pipeline.pii.kinds import TYPES
from pipeline.pii.korea import OFFICE_CODES, SPELLINGS, region

_LOOK_ALIKES: Final = {
    "-": "‐‑‒–—―−﹣－─━ㅡー˗⁃",
    ".": "．。",
    "·": "‧・∙•ㆍ･",
    " ": "\t\u00a0\u00ad\u1680\u180e\u200b\u200c\u200d\u202f\u205f\u2060\u3000\ufeff"
    + "".join(chr(c) for c in range(0x2000, 0x200B)),
    "@": "﹫",
    "~": "〜∼",
}
_TABLE: Final = {c: chr(c - 0xFEE0) for c in range(0xFF01, 0xFF5F)} | {
    ord(char): plain for plain, chars in _LOOK_ALIKES.items() for char in chars
}
#: What is worth a translation: most texts hold none of it.
_FOLDED: Final = re.compile(f"[{re.escape(''.join(map(chr, _TABLE)))}]")


def fold(text: str) -> str:
    """Return the text with full-width forms, dashes, dots and blanks made plain.

    The result has as many code points as `text`. Circled and superscript digits stay: they number
    lists and units, they do not spell numbers.
    """
    return text.translate(_TABLE) if _FOLDED.search(text) else text


def spellings(plain: str) -> str:
    """Return every character that folds to one of `plain`, for a character class of RE2."""
    chars = {*plain, *(chr(c) for c, to in _TABLE.items() if to in plain)}
    return "".join(f"\\x{{{ord(c):x}}}" for c in sorted(chars))


#: Digits spelt by letters or by their Korean names in telephone numbers (하 is the head of 하나).
SYLLABLES: Final = dict(zip("OoIl공영일하이둘삼사오육륙칠팔구", "001100112234566789", strict=True))
# The patterns below are for folded text (`plain`). Runs of blanks are bounded, so that a long one
# costs no more than its length.
_GAP: Final = r"\s{0,8}"
#: The at sign of an e-mail address as it is written against harvesters.
AT: Final = re.compile(
    rf"{_GAP}(?:@|골뱅이|골벵이|[\[({{<]{_GAP}(?:at|앳|골뱅이|@){_GAP}[\])}}>]){_GAP}|\s{{1,8}}(?:at|앳|엣)\s{{1,8}}",
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
_ENDINGS: Final = {
    "컴": "com",
    "콤": "com",
    "오알": "or",
    "넷": "net",
    "오알지": "org",
    "씨오": "co",
    "케이알": "kr",
}
_ADDRESS_MARKS: Final = re.compile(r"[^\w -]|_|(?<!\d) | (?!\d)|(?<!\d)-|-(?!\d)")


@lru_cache(1 << 14)
def normal(type: str, value: str) -> str:
    """Return the canonical form of a value of one of the 16 types.

    Look-alikes are folded first. Then:

    - numbers: digits only, whatever their script, separators and brackets; a driver's licence
      begins with the code of its office, a passport and a vehicle plate keep their letters
    - `phone`: with the trunk 0 in place of +82, 0082, 82 or nothing; names of digits are digits
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
        raise InputError(f"personal data: unknown type {type!r}; allowed: {', '.join(TYPES)}")
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
    """Return the ASCII digit of a decimal digit or of a letter or name of one, else ''."""
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
        return f"0{digits}" if len(digits) in (9, 10) and digits[0] != "0" else digits
    representative = len(rest) == 8 and rest[0] == "1" and rest[1] in "568"
    return rest if representative else f"0{rest}"


def _email(value: str) -> str:
    local, *domain = AT.split(value.lower().strip(), maxsplit=1)
    after = f"@{_domain(domain[0])}" if domain else ""
    return _without_blanks(DOT.sub(".", local) + after)


def _without_blanks(text: str) -> str:
    return "".join(text.split())


def _domain(text: str) -> str:
    labels = [label for part in DOT.split(text) if (label := _without_blanks(part))]
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
    text = _without_blanks(value).strip("[]").lower().partition("%")[0]
    octets = text.split(".")
    if len(octets) == 4 and all(o.isdecimal() for o in octets):
        text = ".".join(o.lstrip("0") or "0" for o in octets)
    try:
        address = ip_address(text)
    except ValueError:
        return text
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(mapped or address)


def _url(value: str) -> str:
    text = _without_blanks(value)
    front = FRONT.match(text)
    text = text[front.end() :] if front else text
    end = host_end(text)
    return (text[:end].lower() + text[end:]).rstrip("/")


def host_end(url: str) -> int:
    """Return where path, query or fragment begin in a web address without scheme."""
    return next((i for i, c in enumerate(url) if c in "/?#"), len(url))


def _address(value: str) -> str:
    text = re.sub(r" ?- ?", "-", re.sub(r"\s+", " ", re.sub(r"\A[\W_]+", "", value)))
    spelling = region(text)
    text = SPELLINGS.get(spelling, "") + text[len(spelling) :]
    return _ADDRESS_MARKS.sub("", re.sub(r"(?<=\d)[^\w-]+(?=\d)", " ", text).strip())


def _licence(value: str) -> str:
    name, rest = office(value)
    return OFFICE_CODES.get(name, "") + _digits(rest)


def _fixed_point(rule: Callable[[str], str]) -> Callable[[str], str]:
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
    "email": _fixed_point(_email),
    "ip": _fixed_point(_ip),
    "mac": lambda value: "".join(map(hex_digit, value)),
    "mention": _fixed_point(lambda value: "@" + _without_blanks(value).lower().lstrip("@")),
    "address": _fixed_point(_address),
    "passport": lambda value: "".join(map(letter_or_digit, value)),
    "driver_license": _licence,
    "vehicle_plate": lambda value: "".join(map(plate_character, value)),
    "url": _fixed_point(_url),
}
