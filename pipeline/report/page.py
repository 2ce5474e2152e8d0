"""What every page is made of: one file, no network, all foreign text as text."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import jinja2
from markupsafe import Markup

ASSETS: Final = Path(__file__).resolve().parent / "assets"


def render(template: str, **values: Any) -> str:
    """Return the page of a template in `assets/`; every value is escaped unless it is Markup."""
    loader = jinja2.FileSystemLoader(ASSETS)
    environment = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    return environment.get_template(template).render(**values) + "\n"


def embedded(value: object) -> Markup:
    """Return JSON that may stand inside a script element, whatever text it holds.

    `<`, `>` and `&` become escapes, so that no text can end the element; so do the two line
    separators that JSON has and older JavaScript has not.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)


@lru_cache(maxsize=8)
def asset(name: str) -> Markup:
    """Return a style sheet or script of the project's own, as it stands."""
    return Markup((ASSETS / name).read_text("utf-8"))


@lru_cache(maxsize=1)
def plotly() -> Markup:
    """Return the plotting library as one script."""
    from plotly.offline import get_plotlyjs

    return Markup(get_plotlyjs())
