"""What every page is made of: one file, no network, all foreign text as text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import jinja2
from markupsafe import Markup

ASSETS: Final = Path(__file__).resolve().parent / "assets"
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def render(
    template: str,
    *,
    data: Mapping[str, object],
    scripts: Sequence[str] = (),
    plots: bool = False,
    **values: Any,
) -> str:
    """Return the page of a template in `assets/` that extends base.html.j2.

    `data` goes into the page as JSON, one element a name, where `scripts` (names of assets) read
    it; `plots` adds the plotting library, 4.8 MB, in front of them. All `values` are escaped unless
    they are Markup. The page's policy lets nothing run but these scripts and nothing be loaded at
    all.
    """
    code = [plotly()] * plots + [asset(name) for name in scripts]
    html = (
        _environment()
        .get_template(template)
        .render(
            css=asset("page.css"),
            data={name: embedded(value) for name, value in data.items()},
            scripts=code,
            policy=policy(code),
            **values,
        )
    )
    return html.encode("utf-8", "replace").decode("utf-8") + "\n"


def policy(scripts: Sequence[str]) -> str:
    """Return the content security policy of a page with these scripts: no network, no others."""
    allowed = " ".join(f"'sha256-{_digest(script)}'" for script in scripts) or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def embedded(value: object) -> Markup:
    """Return JSON that may stand inside a script element, whatever text it holds.

    `<`, `>` and `&` become escapes, so that no text can end the element; so do the two line
    separators that JSON has and older JavaScript has not, and halves of surrogate pairs, which no
    file can hold. Raises ValueError for NaN and infinity.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(_SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text))


@lru_cache(maxsize=16)
def asset(name: str) -> Markup:
    """Return a style sheet or script of the project's own, as it stands."""
    return Markup((ASSETS / name).read_text("utf-8"))


@lru_cache(maxsize=1)
def plotly() -> Markup:
    """Return the plotting library as one script."""
    from plotly.offline import get_plotlyjs

    return Markup(get_plotlyjs())


@lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(ASSETS),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@lru_cache(maxsize=16)
def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
