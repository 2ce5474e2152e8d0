"""Addresses of machines and pages, from the ranges that are reserved for examples."""

from __future__ import annotations

import re
from ipaddress import IPv4Network, IPv6Address

from pipeline.pii.pseudonyms.draw import Draw

#: Documentation (RFC 5737): 762 hosts. A corpus can use them up, then benchmarking (RFC 2544) and
#: at last the reserved class E (RFC 1112) are taken, none of which is routed.
_DOCUMENTATION = tuple(map(IPv4Network, ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24")))
_BENCHMARKING = (IPv4Network("198.18.0.0/15"),)
_RESERVED = (IPv4Network("240.0.0.0/4"),)
#: Draws before the next larger range is taken.
_PATIENCE = 64
#: Hosts that are reserved for examples (RFC 2606).
HOSTS = ("example.com", "example.net", "example.org")
_SHAPES = re.compile(r"%[0-9A-Fa-f]{2}|.", re.S)
_SYLLABLES = "가나다라마바사아자하고노도로모보소오조호구누두루무부수우주기니디리미비시이지히"
_LOWER = "abcdefghijklmnopqrstuvwxyz"


def ip(normal: str, draw: Draw) -> str:
    """Draw a documentation address: IPv4 from three blocks, IPv6 from 2001:db8::/32.

    Faker's own draws would be public addresses of somebody's machine.
    """
    return _ipv6(normal, draw) if ":" in normal else _ipv4(draw)


def _ipv4(draw: Draw) -> str:
    ranges = (_DOCUMENTATION, _BENCHMARKING, _RESERVED)
    network = draw.pick(ranges[min(draw.counter // _PATIENCE, 2)])
    return str(network[1 + draw.faker.random_int(0, network.num_addresses - 3)])


def _ipv6(normal: str, draw: Draw) -> str:
    """Keep which groups are zero and how long the others are, until such draws run out."""
    try:
        groups = IPv6Address(normal).exploded.split(":")[2:]
    except ValueError:
        groups = ["0000"] * 6
    wide = draw.counter >= _PATIENCE
    drawn = [_group(group.lstrip("0"), draw, wide=wide) for group in groups]
    return str(IPv6Address(":".join(["2001", "db8", *drawn])))


def _group(old: str, draw: Draw, *, wide: bool) -> str:
    size = 4 if wide else len(old)
    low = 16 ** (size - 1) if size else 0
    return f"{low + draw.below(16**size - low):x}" if size else "0"


def mac(normal: str, draw: Draw) -> str:
    """Draw Faker's address and mark it as locally administered (IEEE 802, second bit).

    The range for documentation (00-00-5E-00-53-xx, RFC 7042) has 256 addresses, too few for a
    corpus. No maker gives addresses that are locally administered.
    """
    drawn = draw.faker.mac_address().replace(":", "")
    first = (int(drawn[:2], 16) | 0x02) & 0xFE
    return (f"{first:02x}" + drawn[2:])[: len(normal)]


def url(normal: str, draw: Draw) -> str:
    """Draw a host reserved for examples (RFC 2606), and a path of the same shape.

    Once the bare hosts are taken by originals, a drawn label stands in front.
    """
    cut = next((i for i, c in enumerate(normal) if c in "/?#"), len(normal))
    port = normal[:cut].rpartition("@")[2].partition(":")[2]
    label = "".join(draw.pick(_LOWER) for _ in range(6)) + "." if draw.counter >= 8 else ""
    drawn = "".join(_shaped(match[0], draw) for match in _SHAPES.finditer(normal[cut:]))
    return label + draw.pick(HOSTS) + (f":{port}" if port.isdecimal() else "") + drawn


def _shaped(old: str, draw: Draw) -> str:
    """Draw a character of the same kind; a percent code stays one."""
    if len(old) == 3:
        return f"%{draw.below(256):02X}"
    if old.isdigit():
        return draw.digits(1)
    if not old.isalpha():
        return old
    if "가" <= old <= "힣":
        return draw.pick(_SYLLABLES)
    drawn = draw.pick(_LOWER)
    return drawn.upper() if old.isupper() else drawn
