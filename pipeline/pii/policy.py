"""What a build does with personal data: the section `personal_data` of its build file, decided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pipeline.core.buildfile import Profile
from pipeline.core.errors import SpecError
from pipeline.pii.kinds import DROPPED, MINIMUM, PRIVATE, SURE, TYPES

#: By the name of a profile, the types whose sentences leave, and how sure a hit has to be. The one
#: of KLUE is that of the paper (Section 2.3, "PII Removal").
PROFILES: Final[dict[Profile, tuple[tuple[str, ...], float]]] = {
    "strict": ((*PRIVATE, *DROPPED), SURE),
    "klue": (DROPPED, MINIMUM),
}
#: The profile of what no other is named for.
DEFAULT: Final[Profile] = "strict"
_OTHERWISE: Final = ("keep", "mask", "pseudonymise")


class Policy(NamedTuple):
    """What becomes of hits of at least `minimum` confidence, by type; types in none of them stay.

    `drop` are those whose sentences leave, `keep` those that stay on purpose, with the reason;
    `profile` is the name of what all this began with.
    """

    drop: tuple[str, ...]
    mask: tuple[str, ...]
    pseudonymise: tuple[str, ...]
    keep: Mapping[str, str]
    minimum: float
    profile: Profile

    @property
    def gone(self) -> tuple[str, ...]:
        """Return the types of which no value is left; pseudonyms look like what they replace."""
        return (*self.drop, *self.mask)


def policy(settings: Mapping[str, Any], profile: Profile | None = None) -> Policy:
    """Return what the section `personal_data` of a build file, as plain data, says.

    `profile` is that of a source, where it has another than the build. Raises SpecError for unknown
    types, a type with two fates, and a key that lacks or is not used.
    """
    for name in (*_OTHERWISE, "drop"):
        unknown = sorted(set(settings[name] or ()) - set(TYPES))
        if unknown:
            raise SpecError(
                f"personal_data.{name}: unknown types {', '.join(unknown)}; allowed:"
                f" {', '.join(TYPES)}"
            )
    fates = [type for name in (*_OTHERWISE, "drop") for type in set(settings[name] or ())]
    twice = sorted({type for type in fates if fates.count(type) > 1})
    if twice:
        raise SpecError(
            f"personal_data: {', '.join(twice)} stands under two of keep, mask, pseudonymise and"
            " drop; leave it under one"
        )
    if bool(settings["pseudonymise"]) != bool(settings["key_file"]):
        raise SpecError(
            "personal_data.key_file: is needed for `pseudonymise`, and for nothing else; make a"
            " key, for example with `openssl rand -hex 32`, or leave both out"
        )
    chosen: Profile = profile or settings["profile"] or DEFAULT
    types, minimum = PROFILES[chosen]
    elsewhere = {type for name in _OTHERWISE for type in settings[name]}
    drop = {*types, *(settings["drop"] or ())} - elsewhere
    return Policy(
        drop=tuple(sorted(drop)),
        mask=tuple(sorted(settings["mask"])),
        pseudonymise=tuple(sorted(settings["pseudonymise"])),
        keep=dict(settings["keep"]),
        minimum=settings["minimum"] or minimum,
        profile=chosen,
    )


def policy_of_release(settings: Mapping[str, Any], profile: Profile | None = None) -> Policy:
    """Return the same of a release's manifest; those of before 0.3 name no profile: KLUE's."""
    if "profile" in settings:
        return policy({"key_file": bool(settings["pseudonymise"]), **settings}, profile)
    drop, minimum = settings.get("drop"), settings.get("minimum")
    return Policy(tuple(DROPPED if drop is None else drop), (), (), {}, minimum or MINIMUM, "klue")
