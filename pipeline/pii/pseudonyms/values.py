"""How the canonical value of a pseudonym is drawn, a function for each type but addresses.

Table 29 makes these by Faker or by random generation. A pseudonym must not be somebody's real
number where that can be ruled out. Machines and pages have ranges that are reserved for examples.
No office reserves a range of its numbers: so those that carry a public check digit get a wrong one
(cards by Luhn, businesses by their tenth digit). Accounts, passports, licences, insurance numbers
and plates have no public check digit; theirs are drawn, and only the originals of the corpus are
ruled out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import IPv4Network, IPv6Address

from pipeline.pii import korea
from pipeline.pii.key import DIGITS, NOT_ZERO, Draw
from pipeline.pii.korea import METROPOLITAN, OFFICES, PROVINCES
from pipeline.pii.normal import host_end

_AREAS = tuple(f"0{n}" for n in (*range(31, 34), *range(41, 45), *range(51, 56), *range(61, 65)))
_FORMER_MOBILE = ("011", "016", "017", "018", "019")
_REPRESENTATIVE = tuple(
    map(str, (1544, 1566, 1577, 1588, 1599, 1600, 1644, 1661, 1666, 1670, 1688, 1800, 1833, 1899))
)


def phone(normal: str, draw: Draw) -> str:
    """Draw a number of the same kind and length: mobile, regional, Internet, representative.

    Korea reserves no range for fiction: the Film Council lends six lines, nothing more. But no
    exchange begins with 0 or 1, since such calls would reach trunk prefixes and emergency numbers
    (numbering plan; of 010 the exchanges 0000 to 1999 are given to nobody), so that pseudonyms of
    subscribers' numbers have exchanges of that kind. Freephone, safe and representative numbers use
    these exchanges or have none: theirs are drawn as they come.
    """
    for pattern, prefix, first in _PHONES:
        if match := re.match(pattern, normal):
            head = prefix(match[0], draw) + draw.pick(first)
            break
    else:
        head = "0" if normal[:1] == "0" else draw.pick("01")
    return head + draw.faker.numerify("#" * (len(normal) - len(head)))


def _area(old: str, draw: Draw) -> str:
    return draw.pick(_AREAS) if len(old) == 3 and old != "070" else old


#: Kinds of telephone numbers: how one begins, its new prefix, and the digits that may follow it.
_PHONES: tuple[tuple[str, Callable[[str, Draw], str], str], ...] = (
    (
        r"01[016-9](?=\d{7,8}\Z)",
        lambda old, draw: old if old == "010" else draw.pick(_FORMER_MOBILE),
        "01",
    ),
    (r"(?:02|0(?:3[1-3]|4[1-4]|5[1-5]|6[1-4]|70))(?=\d{7,8}\Z)", _area, "01"),
    (r"1[568]\d\d(?=\d{4}\Z)", lambda _, draw: draw.pick(_REPRESENTATIVE), DIGITS),
    (r"0(?:50|30|[6-9]0)\d?(?=\d{7,8}\Z)", lambda old, _: old, "23456789"),
)


def resident_number(normal: str, draw: Draw) -> str:
    """Draw Faker's number with a date of birth that exists and a wrong check digit.

    Faker's are people of the 1900s, whose numbers have a check digit unless they were changed since
    October 2020: a wrong one is next to nobody's.
    """
    return _fit(_invalid(korea.is_registration_number, _faker_number(draw)), normal, draw)


def foreign_number(normal: str, draw: Draw) -> str:
    """Draw Faker's number as that of a foreigner (5 or 6 for 1 or 2), with a wrong check digit."""
    number = _faker_number(draw)
    number = number[:6] + str(int(number[6]) + 4) + number[7:]
    return _fit(_invalid(korea.is_registration_number, number), normal, draw)


def _faker_number(draw: Draw) -> str:
    """Return the first of Faker's numbers whose date exists; about one in six has none."""
    while True:
        number = draw.faker.ssn().replace("-", "")
        if korea.birth_date(number):
            return number


def _fit(number: str, normal: str, draw: Draw) -> str:
    """Cut a number to the digits that are seen of a masked one, or fill it."""
    return number[: len(normal)] + draw.digits(max(0, len(normal) - len(number)))


def email(_: str, draw: Draw) -> str:
    """Draw Faker's user name at a host that is reserved for examples (RFC 2606)."""
    return f"{_user(draw)}@{draw.pick(HOSTS)}"


def mention(normal: str, draw: Draw) -> str:
    """Draw Faker's user name, or a Korean name where the mention has one."""
    hangul = re.search("[가-힣]", normal)
    return "@" + (draw.faker.name().replace(" ", "") if hangul else _user(draw))


def _user(draw: Draw) -> str:
    return re.sub("[^a-z0-9_]", "", draw.faker.user_name().lower())


_CAPITALS = "ABCDEFGHJKLMNPRSTUVWXYZ"
#: The letters of plates by what they stand for: private, taxi and bus, rented, delivery.
_PLATE_LETTERS = (
    "가나다라마거너더러머버서어저고노도로모보소오조구누두루무부수우주",
    "바사아자",
    "하허호",
    "배",
)


def account(normal: str, draw: Draw) -> str:
    """Draw as many digits; a leading zero stays one."""
    return draw.digits(len(normal), first="0" if normal[:1] == "0" else NOT_ZERO)


def card(normal: str, draw: Draw) -> str:
    """Draw a number of the same kind (first digit) and length that fails Luhn's check."""
    return _invalid(korea.is_luhn, normal[:1] + draw.digits(len(normal) - 1))


def business_number(normal: str, draw: Draw) -> str:
    """Draw a number with a wrong check digit, so that it is no business's."""
    return _invalid(korea.is_business_number, draw.digits(len(normal), first=NOT_ZERO))


def health_insurance(normal: str, draw: Draw) -> str:
    """Draw as many digits; the first, the kind of insurance, is none of 0 and 9."""
    return draw.digits(len(normal), first="12345678")


def passport(normal: str, draw: Draw) -> str:
    """Keep the kind of passport (first letter) and where letters stand; draw all else."""
    return normal[:1] + "".join(draw.pick(_CAPITALS if c.isalpha() else DIGITS) for c in normal[1:])


def licence(normal: str, draw: Draw) -> str:
    """Draw an office that exists, then as many digits."""
    return draw.pick(tuple(OFFICES)) + draw.digits(len(normal) - 2)


def plate(normal: str, draw: Draw) -> str:
    """Draw another region where one is named, a letter of the same use, and as many digits."""
    regions = (*METROPOLITAN, *PROVINCES)
    region = normal[:2] if normal[:2] in regions else ""
    rest = normal[len(region) :]
    digits = iter(draw.digits(sum(c.isdigit() for c in rest), first=NOT_ZERO))
    characters = [
        next(digits)
        if c.isdigit()
        else draw.pick(next((letters for letters in _PLATE_LETTERS if c in letters), c))
        for c in rest
    ]
    others = [other for other in regions if other != region]
    return (draw.pick(others) if region else "") + "".join(characters)


def _invalid(check: Callable[[str], bool], digits: str) -> str:
    """Raise the last digit by one where the check holds."""
    return digits[:-1] + str((int(digits[-1]) + 1) % 10) if check(digits) else digits


#: Documentation (RFC 5737): 762 hosts. A corpus can use them up, then benchmarking (RFC 2544) and
#: at last the reserved class E (RFC 1112) are taken, none of which is routed.
_NETWORKS = (
    ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"),
    ("198.18.0.0/15",),
    ("240.0.0.0/4",),
)
#: Draws before the next larger range is taken.
_PATIENCE = 64
#: Hosts that are reserved for examples (RFC 2606).
HOSTS = ("example.com", "example.net", "example.org")

_SYLLABLES = "가나다라마바사아자하고노도로모보소오조호구누두루무부수우주기니디리미비시이지히"
_LOWER = "abcdefghijklmnopqrstuvwxyz"


def ip(normal: str, draw: Draw) -> str:
    """Draw a documentation address: IPv4 from three blocks, IPv6 from 2001:db8::/32.

    Faker's own draws would be public addresses of somebody's machine.
    """
    if ":" in normal:
        return _ipv6(normal, draw)
    network = IPv4Network(draw.pick(_NETWORKS[min(draw.counter // _PATIENCE, 2)]))
    return str(network[1 + draw.faker.random_int(0, network.num_addresses - 3)])


def _ipv6(normal: str, draw: Draw) -> str:
    """Keep which groups are zero and how long the others are, until such draws run out."""
    try:
        groups = IPv6Address(normal).exploded.split(":")[2:]
    except ValueError:
        groups = ["0000"] * 6
    hextets = ["2001", "db8"]
    for group in groups:
        size = 4 if draw.counter >= _PATIENCE else len(group.lstrip("0"))
        low = 16 ** (size - 1) if size else 0
        hextets.append(f"{low + draw.below(16**size - low):x}" if size else "0")
    return str(IPv6Address(":".join(hextets)))


def mac(normal: str, draw: Draw) -> str:
    """Draw Faker's address and mark it as locally administered (IEEE 802, second bit).

    The range for documentation (00-00-5E-00-53-xx, RFC 7042) has 256 addresses, too few for a
    corpus. No maker gives addresses that are locally administered.
    """
    digits = draw.faker.mac_address().replace(":", "")
    first = (int(digits[:2], 16) | 0x02) & 0xFE
    return (f"{first:02x}" + digits[2:])[: len(normal)]


def url(normal: str, draw: Draw) -> str:
    """Draw a host reserved for examples (RFC 2606), and a path of the same shape.

    Once the bare hosts are taken by originals, a drawn label stands in front.
    """
    end = host_end(normal)
    port = normal[:end].rpartition("@")[2].partition(":")[2]
    label = "".join(draw.pick(_LOWER) for _ in range(6)) + "." if draw.counter >= 8 else ""
    parts = re.findall(r"%[0-9A-Fa-f]{2}|.", normal[end:], re.S)
    path = "".join(_same_kind(part, draw) for part in parts)
    return label + draw.pick(HOSTS) + (f":{port}" if port.isdecimal() else "") + path


def _same_kind(old: str, draw: Draw) -> str:
    """Draw a character of the same kind; a percent code stays one."""
    if len(old) == 3:
        return f"%{draw.below(256):02X}"
    if old.isdigit():
        return draw.digits(1)
    if not old.isalpha():
        return old
    if "가" <= old <= "힣":
        return draw.pick(_SYLLABLES)
    letter = draw.pick(_LOWER)
    return letter.upper() if old.isupper() else letter
