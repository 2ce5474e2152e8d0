"""A page of HTML in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Any:
    """Return a function that opens HTML in the browser and waits until it is drawn."""

    def open_(html: str) -> Any:
        path = tmp_path / "index.html"
        path.write_text(html, "utf-8")
        browser.get(path.as_uri())
        # A busy machine may answer before scripts have run and the page has been laid out.
        browser.execute_async_script(
            "const done = arguments[0], look = () => document.readyState === 'complete'"
            " ? requestAnimationFrame(() => requestAnimationFrame(() => done()))"
            " : setTimeout(look, 20); look()"
        )
        return browser

    return open_
