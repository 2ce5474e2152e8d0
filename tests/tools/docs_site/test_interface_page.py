"""The reference of the Python interface: it has what the package exports."""

from __future__ import annotations

import inspect
import re

import interface_page

import klue_rebuild

PAGE = interface_page.page()


def test_every_public_name_has_a_section() -> None:
    headings = re.findall(r"^### (\w+)", PAGE, re.MULTILINE)
    assert sorted(headings) == sorted(klue_rebuild.__all__)


def test_every_parameter_of_a_function_is_in_its_signature() -> None:
    for name in klue_rebuild.__all__:
        function = getattr(klue_rebuild, name)
        if inspect.isfunction(function):
            section = PAGE.partition(f"\n### {name} ")[2].partition("\n### ")[0]
            for parameter in inspect.signature(function).parameters:
                assert f"{parameter}: " in section


def test_examples_are_blocks_of_code() -> None:
    outside = re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)
    assert ">>>" in PAGE
    assert ">>>" not in outside
