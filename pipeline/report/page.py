"""What every page is made of: one file, no network, all foreign text as text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal

import jinja2
from markupsafe import Markup

from pipeline.core import schemas
from pipeline.report.language import both, catalogue, korean

ASSETS: Final = Path(__file__).resolve().parent / "assets"
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
#: A text in a script, which it may write in the language of the page.
_WRITTEN: Final = re.compile(r'"([^"\n]*)"')
_ENVIRONMENT: Final = jinja2.Environment(
    loader=jinja2.FileSystemLoader(ASSETS),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.filters["both"] = both


def render(
    template: str,
    *,
    title: str,
    data: Mapping[str, object],
    scripts: Sequence[str] = (),
    language: str | None = None,
    translated: bool = True,
    **values: Any,
) -> str:
    """Return the page of a template in `assets/` that extends base.html.j2.

    `data` goes into the page as JSON, one element a name, where `scripts` (names of assets) read
    it. It opens in the browser's language, in `language` (en, ko) where one is given; without
    `translated` it has English alone. All `values` are escaped unless they are Markup. The page's
    policy lets nothing run but these scripts and nothing be loaded at all.
    """
    code = [asset(name) for name in scripts]
    head = asset("language.js") if translated else ""
    html = _ENVIRONMENT.get_template(template).render(
        css=asset("page.css"),
        head=head,
        data={name: script_json(value) for name, value in data.items()},
        scripts=code,
        policy=policy([head, *code]),
        language=language,
        translated=translated,
        title=title,
        title_korean=korean(title) or title,
        **values,
    )
    return html.encode("utf-8", "replace").decode("utf-8") + "\n"


def script_texts(scripts: Sequence[str], *tables: object) -> dict[str, str]:
    """Return the Korean of all texts that scripts write, and of those in the data they read."""
    own = [text for name in scripts for text in _WRITTEN.findall(asset(name))]
    texts = {text: catalogue().texts[text] for text in own if text in catalogue().texts}
    found = {text: korean(text) for text in _texts_of(tables)}
    return dict(sorted(({text: own for text, own in found.items() if own} | texts).items()))


def _texts_of(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts_of(part)
    elif isinstance(value, Iterable):
        for part in value:
            yield from _texts_of(part)


def policy(scripts: Sequence[str]) -> str:
    """Return the content security policy of a page with these scripts: no network, no others."""
    allowed = " ".join(f"'sha256-{_digest(script)}'" for script in scripts) or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def script_json(value: object) -> Markup:
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


@lru_cache(maxsize=16)
def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")


#: How a column is written: text; whole numbers; three digits; per cent; one line of text.
Form = Literal["text", "count", "number", "share", "line"]
#: A request to the page, such as {"annotator": "07"}: a cell that has one is a button.
Request = Mapping[str, str]
Plain = str | int | float | None
Table = dict[str, Any]


@dataclass(frozen=True)
class Column:
    """A heading, what it says at more length, and how its cells are written."""

    title: str
    help: str = ""
    form: Form = "text"


@dataclass(frozen=True)
class Cell:
    """A cell that is more than its value, which is what the column is sorted by.

    `text` is written instead of the value, `lines` below each other as remarks; `why` says why
    there is no value; `show` makes a button of it.
    """

    value: Plain = None
    text: str = ""
    lines: Sequence[str] = field(default=())
    why: str = ""
    show: Request | None = None

    def record(self) -> Any:
        """Return it as plain data, without what is empty; the bare value where that is all."""
        parts = {**vars(self), "lines": list(self.lines), "show": dict(self.show or {})}
        record = {key: part for key, part in parts.items() if key == "value" or part}
        return self.value if len(record) == 1 else record


def table(
    columns: Sequence[Column],
    rows: Iterable[Sequence[Plain | Cell]],
    *,
    marked: Sequence[bool] = (),
    size: int = 25,
    drop: bool = False,
) -> Table:
    """Return a table in the order of its rows, `size` rows a page.

    `marked` rows stand out. With `drop`, columns that have no value in any row are left out, and
    the table says so where their cells give a reason. Raises ValueError for a row of another length
    than the columns.
    """
    cells = [[x if isinstance(x, Cell) else Cell(x) for x in row] for row in rows]
    if any(len(row) != len(columns) for row in cells):
        raise ValueError(f"a row does not have the {len(columns)} cells of its table")
    visible = [
        i
        for i in range(len(columns))
        if not (drop and cells)
        or any(row[i].value is not None or row[i].text or row[i].lines for row in cells)
    ]
    reasons = schemas.group(
        (cells[0][i].why, column.title)
        for i, column in enumerate(columns)
        if i not in visible and cells[0][i].why
    )
    dropped = "; ".join(f"{', '.join(titles)} ({why})" for why, titles in reasons.items())
    return {
        "columns": [dict(vars(columns[i])) for i in visible],
        "rows": [[row[i].record() for i in visible] for row in cells],
        "marked": [place for place, mark in enumerate(marked) if mark],
        "size": size,
        "note": f"Not shown, as no row has a value: {dropped}." if dropped else "",
    }


def estimate(value: Mapping[str, Any] | None) -> tuple[Cell, Cell]:
    """Return value and interval of an estimate ({"value", "low", "high", "reason"})."""
    if not value:
        return Cell(why="not measured here"), Cell(why="not measured here")
    why = str(value.get("reason") or "")
    low, high = value.get("low"), value.get("high")
    if low is None or high is None:
        return Cell(value["value"], why=why), Cell(why=why)
    return (Cell(value["value"], why=why), Cell(low, f"[{low:.3f}, {high:.3f}]".replace("-", "−")))


def interval(of: str = "") -> Column:
    """Return the column of intervals that `estimate` fills."""
    help_ = "from the 2.5th to the 97.5th percentile of what other items like these would give"
    return Column("95 % interval", f"{help_}{of}", "line")
