"""What a build does with personal data: profiles, types kept by name, and contradictions."""

from __future__ import annotations

from typing import Any

import pytest

from pipeline.core.buildfile import PersonalData
from pipeline.core.errors import SpecError
from pipeline.pii.policy import policy, policy_of_release

#: The types that the issue names, and the three of Section 2.3.
PRIVATE = {
    *("rrn", "frn", "card", "bank_account", "phone", "passport", "driver_license"),
    *("health_insurance", "address", "vehicle_plate"),
}
KLUE = {"email", "url", "mention"}


def _settings(**given: Any) -> dict[str, Any]:
    return PersonalData.model_validate(given).model_dump()


def test_without_a_profile_all_that_is_personal_leaves_when_sure() -> None:
    found = policy(_settings())
    assert set(found.drop) == PRIVATE | KLUE
    assert found.minimum == 0.75


def test_the_profile_of_klue_is_section_2_3() -> None:
    found = policy(_settings(profile="klue"))
    assert set(found.drop) == KLUE
    assert found.minimum == 0.5


def test_a_source_may_have_another_profile_than_the_build() -> None:
    settings = _settings(keep={"email": "read"}, mask=["phone"])
    found = policy(settings, "klue")
    assert (set(found.drop), found.minimum, found.profile) == (KLUE - {"email"}, 0.5, "klue")
    assert policy(_settings(profile="klue"), "strict").minimum == 0.75
    assert policy(settings).profile == "strict"
    assert policy_of_release({**settings, "key_file": None}, "klue") == found
    assert policy_of_release({}).profile == "klue"


def test_types_are_kept_masked_and_dropped_by_name() -> None:
    given = {"keep": {"phone": "numbers of offices"}, "mask": ["address"], "drop": ["ip"]}
    found = policy(_settings(**given, minimum=0.9))
    assert set(found.drop) == (PRIVATE | KLUE | {"ip"}) - {"phone", "address"}
    assert set(found.gone) == (PRIVATE | KLUE | {"ip"}) - {"phone"}
    assert (found.mask, found.keep, found.minimum) == (("address",), given["keep"], 0.9)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"keep": {"fax": "why not"}}, "personal_data.keep: unknown types fax"),
        ({"mask": ["phone"], "drop": ["phone"]}, "phone stands under two of keep"),
        ({"pseudonymise": ["phone"]}, "personal_data.key_file: is needed"),
        ({"key_file": "key"}, "personal_data.key_file: is needed"),
    ],
)
def test_what_contradicts_itself_is_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(SpecError, match=told):
        policy(_settings(**given))


def test_a_type_is_not_kept_without_a_reason() -> None:
    with pytest.raises(ValueError, match=r"keep\.phone"):
        PersonalData.model_validate({"keep": {"phone": " "}})


def test_older_releases_promised_what_klue_did() -> None:
    assert set(policy_of_release({}).drop) == KLUE
    assert set(policy_of_release({"drop": None, "minimum": None}).drop) == KLUE
    assert policy_of_release({"drop": ["phone"], "minimum": 0.9})[::4] == (("phone",), 0.9)
    told = _settings(mask=["phone"], pseudonymise=["ip"], key_file="key")
    del told["key_file"]  # manifests do not tell it
    assert "phone" in policy_of_release(told).gone
    assert "ip" not in policy_of_release(told).gone
