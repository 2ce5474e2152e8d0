"""The form of an original, put on a new value: separators, scripts, case and spellings stay."""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import IPv6Address

from pipeline.pii.korea import OFFICES
from pipeline.pii.normal import (
    AT,
    DOT,
    FRONT,
    SYLLABLES,
    country_code,
    digit,
    fold,
    hex_digit,
    host_end,
    office,
    plain,
    spoken_digit,
)

_WIDE = {c: chr(c + 0xFEE0) for c in range(0x21, 0x7F)}
_WIDE_DIGITS = {c: chr(c + 0xFEE0) for c in range(0x30, 0x3A)}


def digits(text: str, new: str) -> str:
    """Put new digits in the places of the old ones."""
    return replace_characters(text, new, digit)


def mac(text: str, new: str) -> str:
    """Put new hexadecimal digits in the places of the old ones, in capitals where it had any."""
    return replace_characters(
        text, new.upper() if any(c.isupper() for c in text) else new, hex_digit
    )


def phone(text: str, new: str) -> str:
    """Put a new telephone number in place of the old one, behind the country code if it has one."""
    places = [i for i, char in enumerate(text) if spoken_digit(char)]
    code = country_code(text, "".join(map(spoken_digit, text)))
    if code:
        while code < len(places) and spoken_digit(text[places[code]]) == "0":
            code += 1
    start = places[code] if code < len(places) else len(text)
    return text[:start] + replace_characters(
        text[start:], new[len(new) - len(places) + code :], spoken_digit
    )


def licence(text: str, new: str) -> str:
    """Put a new licence number in place; its office is named where the old one was."""
    name, _ = office(text)
    if not name:
        return digits(text, new)
    head, _, tail = text.partition(name)
    return head + OFFICES[new[:2]] + digits(tail, new[2:])


def email(text: str, new: str) -> str:
    """Put a new address in place; the spelling of its at sign and of its last dot stays."""
    local, _, domain = new.partition("@")
    folded = fold(text)
    at = AT.search(folded)
    if at is None:
        return new
    old_local, old_domain = text[: at.start()], text[at.end() :]
    dots = [old_domain[slice(*dot.span())] for dot in DOT.finditer(folded[at.end() :])]
    name, _, top = domain.partition(".")
    return (
        _like(old_local, local)
        + text[at.start() : at.end()]
        + _like(old_domain, name)
        + (dots[-1] if dots else ".")
        + _like(old_domain, top)
    )


def mention(text: str, new: str) -> str:
    """Put a new name behind the sign as it was written."""
    sign = text.lstrip()[:1]
    return (sign if sign in "@＠﹫" else "@") + _like(text.lstrip()[1:], new[1:])


def url(text: str, new: str) -> str:
    """Put a new host and path behind the scheme and `www` as they were written."""
    front = FRONT.match(fold(text))
    start = front.end() if front else 0
    end, new_end = host_end(fold(text[start:])) + start, host_end(fold(new))
    old_host, host = text[start:end], new[:new_end]
    dots = [c for c in old_host if fold(c) == "."] or ["."]
    host = host.translate(_WIDE) if _is_wide(old_host) else host
    result = text[:start] + "".join(dots[-1] if fold(c) == "." else c for c in host)
    # Blanks and closing slashes of the old path, which the new one has not, stay.
    waiting = iter(new[new_end:])
    for char in text[end:]:
        blank = not plain(char).strip()
        result += char if blank else _as(char, next(waiting, "/" if fold(char) == "/" else ""), "")
    return result + "".join(waiting)


def ip(text: str, new: str) -> str:
    """Put a new address in place: padding, capitals, width, `::` and the mapped form stay."""
    folded = fold(text)
    start = len(folded) - len(folded.lstrip().removeprefix("["))
    end = max(start, len(folded.rstrip().removesuffix("]")))
    return text[:start] + _ip(text[start:end], new) + text[end:]


def _ip(old: str, new: str) -> str:
    if "." not in new:
        return _like(old, _ipv6(fold(old), new))
    cut = fold(old).rfind(":") + 1
    if not cut or "." in fold(old[cut:]):
        return old[:cut] + _ipv4(old[cut:], new)
    before = fold(old).rfind(":", 0, cut - 1) + 1
    a, b, c, d = (int(part) for part in new.split("."))
    first, second = (_like(old[cut:], f"{n:x}") for n in (a << 8 | b, c << 8 | d))
    return old[:before] + first + old[cut - 1 : cut] + second


def _ipv4(old: str, new: str) -> str:
    parts, dots = re.findall(r"\d+", old), re.findall(r"\D+", old.strip())
    octets = new.split(".")
    if any(len(part) > 1 and digit(part[0]) == "0" for part in parts):
        octets = [octet.zfill(3) for octet in octets]
    joined = "".join(a + b for a, b in zip(octets, [*[*dots, ".", ".", "."][:3], ""], strict=True))
    return joined.translate(_WIDE_DIGITS) if _is_wide(old) else joined


def _ipv6(old: str, new: str) -> str:
    if "::" in old:
        return new
    groups = IPv6Address(new).exploded.split(":")
    padded = all(len(group) == 4 for group in old.split(":"))
    return ":".join(groups if padded else [group.lstrip("0") or "0" for group in groups])


def replace_characters(text: str, new: str, value_of: Callable[[str], str]) -> str:
    """Replace the characters of `text` that `value_of` takes by those of `new`, one by one."""
    waiting = iter(new)
    zero = next((c for c in text if c in "공영"), "공")
    return "".join(_as(c, next(waiting, c), zero) if value_of(c) else c for c in text)


def _as(old: str, new: str, zero: str) -> str:
    """Write a character in the script and case of the one it replaces."""
    if old.isascii():
        return new.lower() if old.islower() else new
    if new.isdigit() and new.isascii():
        if digit(old):
            return chr(ord(old) - int(digit(old)) + int(new))
        if old in SYLLABLES:
            return zero if new == "0" else "공일이삼사오육칠팔구"[int(new)]
    return (new.lower() if old.islower() else new).translate(_WIDE) if _is_wide(old) else new


def _like(old: str, new: str) -> str:
    """Write a name in capitals or full width where the old one was."""
    new = new.upper() if old.isupper() else new
    return new.translate(_WIDE) if _is_wide(old) else new


def _is_wide(text: str) -> bool:
    """Tell whether there is a full-width letter, digit or mark, dots and blanks apart."""
    return any("\uff01" <= c <= "\uff5e" and c not in "．－" for c in text)
