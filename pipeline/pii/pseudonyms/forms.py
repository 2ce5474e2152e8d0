"""The form of an original, put on a new value: separators, scripts, case and spellings stay."""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import IPv6Address

from pipeline.pii.folding import fold
from pipeline.pii.normal import (
    AT,
    DOT,
    FRONT,
    SYLLABLES,
    country_code,
    digit,
    hex_digit,
    letter_or_digit,
    office,
    plain,
    plate_character,
    spoken_digit,
)
from pipeline.pii.places import OFFICES

_ZEROS = "공영"
_WIDE = {c: chr(c + 0xFEE0) for c in range(0x21, 0x7F)}
_WIDE_DIGITS = {c: chr(c + 0xFEE0) for c in range(0x30, 0x3A)}


def digits(text: str, new: str) -> str:
    """Put new digits in the places of the old ones."""
    return _put(text, new, digit)


def letters_and_digits(text: str, new: str) -> str:
    """Put new Latin letters and digits in the places of the old ones."""
    return _put(text, new, letter_or_digit)


def plate(text: str, new: str) -> str:
    """Put new syllables and digits in the places of the old ones."""
    return _put(text, new, plate_character)


def mac(text: str, new: str) -> str:
    """Put new hexadecimal digits in the places of the old ones, in capitals where it had any."""
    return _put(text, new.upper() if any(c.isupper() for c in text) else new, hex_digit)


def phone(text: str, new: str) -> str:
    """Put a new telephone number in place of the old one, behind the country code if it has one."""
    found = [(i, d) for i, c in enumerate(text) if (d := spoken_digit(c))]
    code = country_code(text, "".join(d for _, d in found))
    if code:
        while code < len(found) and found[code][1] == "0":
            code += 1
    start = found[code][0] if code < len(found) else len(text)
    return text[:start] + _put(text[start:], new[len(new) - len(found) + code :], spoken_digit)


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
    cut, new_cut = _host_end(text[start:]) + start, _host_end(new)
    dots = [c for c in text[start:cut] if fold(c) == "."] or ["."]
    wide = _is_wide(text[start:cut])
    host = new[:new_cut].translate(_WIDE) if wide else new[:new_cut]
    host = "".join(dots[-1] if fold(c) == "." else c for c in host)
    return text[:start] + host + _path(text[cut:], new[new_cut:])


def _host_end(text: str) -> int:
    return next((i for i, c in enumerate(fold(text)) if c in "/?#"), len(text))


def _path(old: str, new: str) -> str:
    """Write a path over the old one: blanks and closing slashes, which it has not, stay."""
    waiting, written = iter(new), ""
    for char in old:
        blank = not plain(char).strip()
        written += char if blank else _as(char, next(waiting, "/" if fold(char) == "/" else ""), "")
    return written + "".join(waiting)


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
    if "::" not in old:
        groups = IPv6Address(new).exploded.split(":")
        padded = all(len(group) == 4 for group in old.split(":"))
        new = ":".join(groups if padded else [group.lstrip("0") or "0" for group in groups])
    return new


def _put(text: str, new: str, value_of: Callable[[str], str]) -> str:
    """Replace the characters of `text` that `value_of` takes by those of `new`, one by one."""
    waiting = iter(new)
    zero = next((c for c in text if c in _ZEROS), "공")
    return "".join(_as(c, next(waiting, c), zero) if value_of(c) else c for c in text)


def _as(old: str, new: str, zero: str) -> str:
    """Write a character in the script and case of the one it replaces."""
    if old.isascii():
        return new.lower() if old.islower() else new
    if new.isdigit() and new.isascii():
        known = digit(old)
        if known:
            return chr(ord(old) - int(known) + int(new))
        if old in SYLLABLES:
            return _spoken(new, zero)
    return (new.lower() if old.islower() else new).translate(_WIDE) if _is_wide(old) else new


def _spoken(new: str, zero: str) -> str:
    return zero if new == "0" else "공일이삼사오육칠팔구"[int(new)]


def _like(old: str, new: str) -> str:
    """Write a name in capitals or full width where the old one was."""
    new = new.upper() if old.isupper() else new
    return new.translate(_WIDE) if _is_wide(old) else new


def _is_wide(text: str) -> bool:
    """Tell whether there is a full-width letter, digit or mark, dots and blanks apart."""
    return any("\uff01" <= c <= "\uff5e" and c not in "．－" for c in text)
