"""Makes the reference of `klue_rebuild` out of its signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import klue_rebuild
from klue_rebuild.records import Record

PATH = "reference/python.md"
#: An example of a docstring: from the first prompt to the next empty line.
_EXAMPLE = re.compile(r"^>>> .*?(?=\n\n|\Z)", re.DOTALL | re.MULTILINE)
#: A page that a docstring names.
_PAGE = re.compile(r"\bdocs/([\w-]+\.md)")
_INTRODUCTION = """\
# Python interface

Made from the signatures and docstrings of `klue_rebuild`. [The guide](../python.md) shows them at
work.
"""


def page() -> str:
    """Return the page: functions, what they return, and the errors."""
    public = {name: getattr(klue_rebuild, name) for name in klue_rebuild.__all__}
    functions = [one for one in public.values() if inspect.isfunction(one)]
    records = [one for one in public.values() if is_dataclass(one)]
    errors = [one for one in public.values() if _is_error(one)]
    parts = [
        _INTRODUCTION,
        "## Functions",
        *(_function(f"klue_rebuild.{one.__name__}", one, level=3) for one in functions),
        "## Results",
        "Records also have `notes`, what the command would say on standard error, and `record`, the"
        " object of `--json`, which `as_json()` gives without temporary files.",
        *(_record(one) for one in records),
        "## Errors",
        *(f"### {one.__name__}\n\n{_text(one)}" for one in errors),
    ]
    return "\n\n".join(parts) + "\n"


def _is_error(one: object) -> bool:
    return inspect.isclass(one) and issubclass(one, Exception)


def _function(name: str, function: Callable[..., Any], *, level: int) -> str:
    short = name.rpartition(".")[2]
    heading = f"{'#' * level} {short} {{ #{name} }}"
    return f"{heading}\n\n```python\n{_signature(name, function)}\n```\n\n{_text(function)}"


def _signature(name: str, function: Callable[..., Any]) -> str:
    """Return a signature, a parameter a line where it has more than two."""
    signature = inspect.signature(function)
    parameters = [one for one in signature.parameters.values() if one.name != "self"]
    shown = list(_parameters(parameters))
    inside = ", ".join(shown) if len(shown) < 4 else "\n    " + ",\n    ".join(shown) + ",\n"
    return f"{name}({inside}) -> {signature.return_annotation}"


def _parameters(parameters: list[inspect.Parameter]) -> Iterator[str]:
    named = False
    for one in parameters:
        if one.kind is one.KEYWORD_ONLY and not named:
            named = True
            yield "*"
        default = "" if one.default is one.empty else f" = {one.default!r}"
        yield f"{one.name}: {one.annotation}{default}"


def _record(kind: type[Any]) -> str:
    inherited = {one.name for one in fields(Record)}
    own = [one for one in fields(kind) if one.name not in inherited]
    rows = "\n".join(f"| `{one.name}` | `{_shown(one.type)}` |" for one in own)
    parts = [f"### {kind.__name__}", _text(kind), f"| field | type |\n|---|---|\n{rows}"]
    return "\n\n".join((*parts, *_members(kind)))


def _shown(kind: object) -> str:
    return str(kind).replace("|", r"\|")


def _members(kind: type[Any]) -> list[str]:
    """Return the public methods of a class."""
    return [
        _function(f"{kind.__name__}.{name}", member, level=4)
        for name, member in vars(kind).items()
        if inspect.isfunction(member) and not name.startswith("_")
    ]


def _text(described: object) -> str:
    text = (inspect.getdoc(described) or "").replace("``", "`")
    text = _PAGE.sub(r"[\1](../\1)", text)
    return _EXAMPLE.sub(lambda match: f"```pycon\n{match[0]}\n```", text)
