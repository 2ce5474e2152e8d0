"""The pictures of the documentation: what is cut out of an output, and what a drawing holds."""

from __future__ import annotations

import pytest

from tools import docs_pictures

PRINTED = "\x1b[1mhead\x1b[0m\n\x1b[32mAgreement\x1b[0m of 한국어\nrow\nThe end\n"


def test_the_lines_between_two_patterns_are_shown_with_their_colours() -> None:
    part = docs_pictures.part(PRINTED, "^Agreement", "^The end")
    assert part == "\x1b[32mAgreement\x1b[0m of 한국어\nrow"
    assert docs_pictures.part(PRINTED, r"\A", r"\Z") == PRINTED.rstrip("\n")


def test_an_output_that_changed_is_refused() -> None:
    with pytest.raises(SystemExit, match="nothing like"):
        docs_pictures.part(PRINTED, "^no such line", r"\Z")


def test_a_drawing_names_nothing_of_a_network_and_is_the_same_every_time() -> None:
    svg = docs_pictures.drawing(PRINTED, "klue audit", "audit")
    assert "한국어" in svg and "klue&#160;audit" in svg.replace(" ", "&#160;")
    assert svg.replace("http://www.w3.org/2000/svg", "").count("http") == 0
    assert svg == docs_pictures.drawing(PRINTED, "klue audit", "audit")
