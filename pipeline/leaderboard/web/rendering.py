"""Templates to HTML; all text that others typed is escaped."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import jinja2

from pipeline.leaderboard.settings import KINDS
from pipeline.leaderboard.web.links import Links
from pipeline.leaderboard.web.query import SIZES, Query
from pipeline.leaderboard.web.views import words

ASSETS: Final = Path(__file__).resolve().parent / "assets"
#: Assets that browsers load, with their types.
MEDIA_TYPES: Final = {
    "board.css": "text/css; charset=utf-8",
    "board.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
_ENVIRONMENT: Final = jinja2.Environment(
    loader=jinja2.FileSystemLoader(ASSETS),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    auto_reload=False,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.globals |= {"words": words, "blank": Query(), "sizes": SIZES, "kinds": KINDS}


def render(template: str, links: Links, **values: Any) -> str:
    """Return the page of a template in `assets/`; half surrogates, which no file holds, are ?."""
    html = _ENVIRONMENT.get_template(template).render(links=links, assets=digests(), **values)
    return html.encode("utf-8", "replace").decode("utf-8") + "\n"


@lru_cache(maxsize=1)
def digests() -> dict[str, str]:
    """Return a short digest of each asset, so that browsers load a changed one anew."""
    return {
        name: hashlib.sha256((ASSETS / name).read_bytes()).hexdigest()[:12] for name in MEDIA_TYPES
    }
