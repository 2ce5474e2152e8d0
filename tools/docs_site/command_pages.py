"""Makes the reference of commands out of the command line itself: a page a panel of `--help`.

Every command, argument, option, type, default and exit code is read from the Typer application, so
that the pages follow it. Nothing is run.
"""

from __future__ import annotations

import inspect
import re
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import typer

from flows.cli import app
from pipeline.core import errors

FOLDER = "reference/commands"
#: What Markdown would read as markup.
_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~])")

#: Types of Python by the words for people.
_TYPES = {"str": "text", "int": "number", "int range": "number", "float": "decimal number"}


@dataclass(frozen=True, kw_only=True)
class Command:
    """A command with the words that call it; `panel` is that of the first of them."""

    words: tuple[str, ...]
    panel: str
    command: Any
    context: Any

    @property
    def title(self) -> str:
        """What one types: `klue store gc`."""
        return " ".join(("klue", *self.words))

    @property
    def anchor(self) -> str:
        """The place of the command on its page."""
        return "-".join(("klue", *self.words))

    @property
    def page(self) -> str:
        """The file of its panel."""
        return f"{slug(self.panel)}.md"


def slug(panel: str) -> str:
    """Return the name of a panel's page."""
    return re.sub(r"\W+", "-", panel.lower()).strip("-")


def commands() -> list[Command]:
    """Return every command that can be called, groups resolved, in the order of `klue --help`."""
    top = typer.main.get_command(app)
    context = top.context_class(top, info_name="klue")
    return list(_below(top, context, (), ""))


def _below(group: Any, context: Any, words: tuple[str, ...], panel: str) -> Iterator[Command]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command.hidden:
            continue
        inner = command.context_class(command, info_name=name, parent=context)
        place = panel or command.rich_help_panel
        if hasattr(command, "commands"):
            yield from _below(command, inner, (*words, name), place)
        else:
            yield Command(words=(*words, name), panel=place, command=command, context=inner)


def pages() -> dict[str, str]:
    """Return the pages by file name: index.md, and one for each panel."""
    known = commands()
    panels = list(dict.fromkeys(one.panel for one in known))
    made = {"index.md": _index(known, panels)}
    for panel in panels:
        own = [one for one in known if one.panel == panel]
        text = "\n\n".join(_section(one) for one in own)
        made[own[0].page] = f"# {panel}\n\n{text}\n"
    return made


def _index(known: list[Command], panels: list[str]) -> str:
    parts = [
        "# Commands",
        "Made from the command line itself; `klue COMMAND --help` prints the same.",
        "A result goes to standard output, everything else to standard error. With `--json`"
        " standard output is exactly one JSON object.",
        _options_of_all(),
    ]
    for panel in panels:
        rows = [
            f"| [`{one.title}`]({one.page}#{one.anchor}) | {_escaped(_summary(one))} |"
            for one in known
            if one.panel == panel
        ]
        parts.append(
            "\n".join((f"## {panel}", "", "| command | what it does |", "|---|---|", *rows))
        )
    return "\n\n".join((*parts, _exit_codes())) + "\n"


def _options_of_all() -> str:
    top = typer.main.get_command(app)
    return _table(top, top.context_class(top, info_name="klue"), "## Options of `klue` itself\n\n")


def _exit_codes() -> str:
    rows = [
        ("0", "The command did what it was asked for."),
        (
            "1",
            "It did, and what it checked does not hold (`ok` is false in the object of `--json`).",
        ),
        ("2", "An option or argument is missing, unknown or of the wrong kind."),
    ]
    kinds = [
        kind
        for kind in vars(errors).values()
        if inspect.isclass(kind) and issubclass(kind, errors.KlueError)
    ]
    bases = {base for kind in kinds for base in kind.__bases__}
    rows += [
        (str(kind.code), f"`{kind.__name__}`: {inspect.getdoc(kind)}".partition("\n\n")[0])
        for kind in kinds
        if kind not in bases
    ]
    rows += [
        (str(128 + number), f"It was interrupted by {number.name}; it says how to go on.")
        for number in (signal.SIGINT, signal.SIGTERM)
    ]
    lines = [f"| {code} | {' '.join(text.split())} |" for code, text in sorted(rows, key=_by_code)]
    return "\n".join(("## Exit codes", "", "| code | when |", "|---|---|", *lines))


def _by_code(row: tuple[str, str]) -> int:
    return int(row[0])


def _section(one: Command) -> str:
    pieces = one.command.collect_usage_pieces(one.context)
    usage = " ".join((one.title, *(piece for piece in pieces)))
    failure = _failure(one.command)
    parts = [
        f"## {one.title} {{ #{one.anchor} }}",
        _escaped(_help(one)),
        f"```text\n{usage}\n```",
        _table(one.command, one.context),
        f"Exit code {failure} where what it checks does not hold." if failure != 1 else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _failure(command: Any) -> int:
    """Return the exit code of a record whose `ok` is false (`calls` of flows/cli/options.py)."""
    code: int = inspect.getclosurevars(
        inspect.unwrap(command.callback, stop=_is_call)
    ).nonlocals.get("failure", 1)
    return code


def _is_call(function: Any) -> bool:
    return "failure" in function.__code__.co_freevars


def _help(one: Command) -> str:
    return inspect.cleandoc(one.command.help or "")


def _summary(one: Command) -> str:
    return " ".join(_help(one).split("\n\n", maxsplit=1)[0].split())


def _table(command: Any, context: Any, title: str = "") -> str:
    rows = [
        f"| {_names(one)} | {_kind(one, context)} | {_default(one, context)} | {_about(one)} |"
        for one in command.params
        if not one.hidden
    ]
    if not rows:
        return ""
    head = "| argument or option | type | default | what it does |"
    return title + "\n".join((head, "|---|---|---|---|", *rows))


def _names(one: Any) -> str:
    names = [one.display_name_raw] if one.param_type_name == "argument" else one.opts
    shown = ", ".join(f"`{name}`" for name in names)
    others = ", ".join(f"`{name}`" for name in one.secondary_opts)
    return f"{shown} / {others}" if others else shown


def _kind(one: Any, context: Any) -> str:
    if getattr(one, "is_flag", False):
        return "flag"
    kind = one.display_type(context).strip("<>").removeprefix("list[").removesuffix("]")
    kind = _TYPES.get(kind, kind).replace("|", ", ")
    limits = [
        f"{word} {value}"
        for word, value in (("from", one.min), ("to", one.max))
        if value is not None
    ]
    repeated = "may be given again" if one.multiple else ""
    return _escaped(", ".join(filter(None, (kind, " ".join(limits), repeated))))


def _default(one: Any, context: Any) -> str:
    if one.required:
        return "required"
    value = one.get_default(context, call=False)
    if value is None or value is False or value in ((), [], Path()):
        return ""
    if isinstance(value, list | tuple):
        return ", ".join(f"`{_plain(item)}`" for item in value)
    return f"`{_plain(value)}`"


def _plain(value: Any) -> str:
    return str(value.value if isinstance(value, Enum) else value)


def _about(one: Any) -> str:
    words = [_escaped(" ".join((one.help or "").split()))]
    if one.envvar:
        names = [one.envvar] if isinstance(one.envvar, str) else one.envvar
        words.append(f"Environment: {', '.join(f'`{name}`' for name in names)}.")
    return " ".join(words)


def _escaped(text: str) -> str:
    return _MARKS.sub(r"\\\1", text)
