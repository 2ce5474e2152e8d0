"""Numbers that offices give: to residents, foreigners, drivers, travellers, businesses, insured."""

from __future__ import annotations

import re
from typing import Final

from pipeline.pii import checksums
from pipeline.pii.places import OFFICE_CODES, OFFICES
from pipeline.pii.rules.rule import (
    CERTAIN,
    FAIR,
    HIGH,
    LEFT,
    LIKELY,
    LOW,
    NUMBERS,
    RIGHT,
    SEP,
    D,
    Found,
    Rule,
    Verdict,
    exact,
)

_PERSON: Final = re.compile(
    r"주민|(?<!법인)(?<!법인 )(?<!사업자)(?<!사업자 )등록 ?번호|외국인|거소|생년월일|신분증|민증"
)
_LICENCE: Final = re.compile(r"면허|신분증")
_PASSPORT: Final = re.compile(r"여권|[Pp]assport|PASSPORT")
_BUSINESS: Final = re.compile(r"사업자|법인|등록 ?번호|고유 ?번호|세금|상호|[Bb]usiness")
_HEALTH: Final = re.compile(r"건강 ?보험|건보|보험증|의료 ?보험|의료 ?급여|증 ?번호|보험 ?번호")
_REGIONS: Final = "|".join(OFFICE_CODES)
_OFFICE: Final = f"(?:{'|'.join(OFFICES)})"


def _registered(found: Found) -> Verdict | None:
    """Judge 13 digits by date of birth, checksum and words; those since October 2020 have none."""
    birth = checksums.born(found.digits)
    if birth is None:
        return None
    resident = found.digits[6] in "1234"
    known = ["date"]
    if (checksums.rrn if resident else checksums.frn)(found.digits):
        known.append("checksum")
    if found.near(_PERSON):
        known.append("context")
    elif found.is_reference(any_number="checksum" not in known):
        return None
    bare = found.match.group().isdigit()
    return Verdict(
        _registered_confidence(known, bare, birth >= checksums.RANDOM_SINCE), tuple(known)
    )


def _registered_confidence(known: list[str], bare: bool, random: bool) -> float:
    if "checksum" in known:
        return HIGH if bare else CERTAIN
    if "context" in known:
        return LIKELY
    if bare:
        return LOW
    return LIKELY if random else FAIR


def _driver(found: Found) -> Verdict | None:
    if found.near(_LICENCE):
        return Verdict(HIGH, ("region", "context"))
    if found.is_reference(any_number=True):
        return None
    return Verdict(LIKELY if "-" in found.match.group() else LOW, ("region",))


def _passport(found: Found) -> Verdict | None:
    value = found.match.group()
    if found.near(_PASSPORT, after=24):
        return Verdict(HIGH, ("context",))
    if value != value.upper() or found.is_reference(any_number=True):
        return None
    if value[4].isalpha():
        return Verdict(LIKELY, ("form",))
    named = re.search("번호|코드", found.after(24))
    return Verdict(LOW if named or value[1].isalpha() else FAIR, ())


def _business(found: Found) -> Verdict | None:
    named = found.near(_BUSINESS)
    valid = checksums.business_number(found.digits)
    if found.digits[0] == "0" or (found.is_reference(any_number=True) and not named):
        return None
    known = (("checksum",) if valid else ()) + (("context",) if named else ())
    bare = found.match.group().isdigit()
    if valid and named:
        return Verdict(CERTAIN, known)
    if named:
        return Verdict(LOW if bare else FAIR, known)
    if not valid:
        return None
    return Verdict(LOW if bare else HIGH if "-" in found.match.group() else FAIR, known)


def _health(found: Found) -> Verdict | None:
    if found.digits[0] == "0":
        return None
    if found.near(_HEALTH):
        return Verdict(HIGH, ("context",))
    value = found.match.group()
    if found.is_reference(any_number=True):
        return None
    return Verdict(FAIR if "-" in value else LOW, ())


RULES: Final = (
    Rule(
        "rrn.number@1",
        "rrn",
        NUMBERS,
        exact(rf"(?<![A-Za-z]){LEFT}\d{{6}}{SEP}?[1-4]\d{{6}}{RIGHT}(?![A-Za-z])"),
        _registered,
        digits=13,
    ),
    Rule(
        "frn.number@1",
        "frn",
        NUMBERS,
        exact(rf"(?<![A-Za-z]){LEFT}\d{{6}}{SEP}?[5-8]\d{{6}}{RIGHT}(?![A-Za-z])"),
        _registered,
        digits=13,
    ),
    Rule(
        "driver_license.number@1",
        "driver_license",
        NUMBERS,
        exact(rf"{LEFT}{_OFFICE}(?P<s>{SEP}|)\d{{2}}(?P=s)\d{{6}}(?P=s)\d{{2}}{RIGHT}"),
        _driver,
        digits=12,
    ),
    Rule(
        "driver_license.region@1",
        "driver_license",
        NUMBERS,
        exact(rf"(?:{_REGIONS}){SEP}?\d{{2}}{SEP}\d{{6}}{SEP}\d{{2}}{RIGHT}"),
        lambda _: Verdict(HIGH, ("region",)),
        digits=10,
    ),
    Rule(
        "passport.number@1",
        "passport",
        rf"[A-Za-zＡ-Ｚａ-ｚ]{D}{{3}}[A-Za-zＡ-Ｚａ-ｚ]{D}{{4}}|[A-Za-zＡ-Ｚａ-ｚ]{{1,2}}{D}{{7}}",
        exact(
            r"(?<![A-Za-z0-9])(?<!\d[-.])(?<![A-Za-z]-)"
            r"(?:[MSRODGmsrodg](?:\d{8}|\d{3}[A-Za-z]\d{4})|[A-Za-z]{2}\d{7})"
            r"(?![A-Za-z0-9])(?![-.]\d)"
        ),
        _passport,
    ),
    Rule(
        "business_number.number@1",
        "business_number",
        NUMBERS,
        exact(rf"{LEFT}\d{{3}}(?P<s>{SEP}|)\d{{2}}(?P=s)\d{{5}}{RIGHT}"),
        _business,
        digits=10,
    ),
    Rule(
        "health_insurance.number@1",
        "health_insurance",
        NUMBERS,
        exact(rf"{LEFT}[1-9](?: ?- ?| )?\d{{10}}{RIGHT}"),
        _health,
        digits=11,
    ),
)
