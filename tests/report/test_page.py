"""Pages load nothing, run nothing but their own scripts, and take all text as text."""

from __future__ import annotations

import base64
import hashlib
import json
from html.parser import HTMLParser
from typing import Any

import pytest
from audit_records import EVIL, labelled, odd
from hypothesis import given
from hypothesis import strategies as st

from pipeline.report.audit_page import page
from pipeline.report.page import asset, policy, script_json

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.sampled_from(["</script>", "<!--", "\u2028", "]]>", "&lt;"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


class Elements(HTMLParser):
    """All elements of a page with their attributes, and the text of each script."""

    def __init__(self, html: str) -> None:
        """Read the page."""
        super().__init__(convert_charrefs=True)
        self.all: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self._open = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take an element."""
        self.all.append((tag, dict(attrs)))
        self._open = tag == "script" and dict(attrs).get("type") != "application/json"
        if self._open:
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        """Take text."""
        if self._open:
            self.scripts[-1] += data

    def handle_endtag(self, tag: str) -> None:
        """Close an element."""
        del tag
        self._open = False


@given(VALUES)
def test_embedded_values_come_back_and_hold_no_markup(value: Any) -> None:
    text = script_json(value)
    assert json.loads(text) == value
    assert not set("<>&\u2028\u2029") & set(text)


def test_embedded_takes_half_surrogates_and_refuses_what_is_no_json() -> None:
    text = script_json({"half \ud83d": "\udc00"})
    assert text.encode("utf-8")
    assert json.loads(text) == {"half \ud83d": "\udc00"}
    with pytest.raises(ValueError, match="not JSON compliant"):
        script_json(float("nan"))


def test_the_policy_names_scripts_by_their_digest() -> None:
    # The example of the W3C's Content Security Policy Level 3, section on hashes.
    script = "alert('Hello, world.');"
    assert "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='" in policy([script])
    assert "script-src 'none'" in policy([])


@pytest.mark.parametrize("make", [labelled, odd])
def test_a_page_reaches_for_nothing_and_runs_only_its_own_scripts(make: Any) -> None:
    found = Elements(page(make()))
    content = next(a["content"] for t, a in found.all if a.get("http-equiv"))
    assert content is not None
    assert content.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-inline'; img" in content.split("style-src")[1]
    assert "unsafe" not in content.split("style-src")[0]
    digests = [
        base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in found.scripts
    ]
    assert len(digests) == 3
    assert all(f"'sha256-{digest}'" in content for digest in digests)
    for tag, attributes in found.all:
        assert tag not in {"iframe", "object", "embed", "base", "img", "audio", "video"}
        assert not {"src", "srcset", "action", "style"} & set(attributes)
        assert not [name for name in attributes if name.startswith("on")]
        assert (attributes.get("href") or "#").startswith(("#", "data:,"))


def test_text_of_others_is_escaped_wherever_it_stands() -> None:
    html = page(odd(), title=f"Audit of {EVIL}")
    assert EVIL not in html
    assert "alert(1)" in html
    assert "<i>1</i>" not in html
    assert len(Elements(html).scripts) == 3


def test_half_surrogates_do_not_keep_a_page_from_being_written() -> None:
    assert page(labelled(), title="half \ud83d").encode("utf-8")


def test_assets_are_shipped_texts() -> None:
    assert "class Table" in asset("table.js")
