"""Objects that a registry imports when they are asked for."""

from __future__ import annotations

import json

import pytest

from pipeline.core.errors import SpecError
from pipeline.core.registry import Registry

CODECS: Registry[object] = Registry("codec", {"reader": "json:loads", "all": "json", "b": "no.x:Y"})


def test_objects_and_modules_are_looked_up_by_name() -> None:
    assert CODECS["reader"] is json.loads
    assert CODECS["all"] is json
    assert CODECS.module("b") == "no.x"
    assert list(CODECS) == ["reader", "all", "b"]
    assert "b" in CODECS
    assert "c" not in CODECS


def test_an_unknown_name_is_an_error_with_the_known_ones() -> None:
    with pytest.raises(SpecError, match=r"unknown codec 'c'; known: reader, all, b"):
        CODECS["c"]
