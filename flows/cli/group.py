"""Groups of commands: how all of them show help, and say what is wrong with how one was called."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from shutil import get_terminal_size
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from flows.view.console import report_error

#: On a terminal of fewer columns a table of options would cut their names.
_NARROW: Final = 60


def _prepare_help(command: TyperCommand | TyperGroup) -> None:
    """Let help be plain lines on a narrow terminal, and without escape codes under NO_COLOR.

    Typer alone would keep bold letters.
    """
    from typer import rich_utils

    command.rich_markup_mode = "rich" if get_terminal_size().columns >= _NARROW else None
    rich_utils.COLOR_SYSTEM = None if os.environ.get("NO_COLOR") else "auto"


def _flags_without_type(parameters: list[Any]) -> list[Any]:
    """Return parameters, whose flags show no type in help: a flag takes no value."""
    for parameter in parameters:
        if getattr(parameter, "is_flag", False):
            parameter.display_type_rich = _no_type
    return parameters


def _no_type(ctx: Any) -> None:
    """Return no type to be shown."""


class _Command(TyperCommand):
    def get_params(self, ctx: Any) -> list[Any]:
        return _flags_without_type(super().get_params(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _prepare_help(self)
        super().format_help(ctx, formatter)


class Group(TyperGroup):
    """A group whose wrong uses are one line, as all errors of this project are."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options, as help shows them."""
        return _flags_without_type(super().get_params(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help."""
        _prepare_help(self)
        super().format_help(ctx, formatter)

    def main(  # type: ignore[override]
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        **extra: Any,
    ) -> Any:
        """Run the command that the words name; a wrong use ends with a line and exit code 2."""
        words = sys.argv[1:] if args is None else args
        try:
            extra["standalone_mode"] = False
            code = super().main(words, prog_name, complete_var, **extra)
        except typer.TyperException as error:
            if type(error).__name__ != "NoArgsIsHelpError":  # then the help is already printed
                report_error(_wrong_use(error), error.exit_code, as_json="--json" in words)
            code = error.exit_code
        sys.exit(code or 0)


class Commands(typer.Typer):
    """A group of commands, which without one prints its help."""

    def __init__(self, *, cls: type[Group] = Group, **settings: Any) -> None:
        """Take what Typer takes."""
        names = {"help_option_names": ["-h", "--help"]}
        super().__init__(cls=cls, no_args_is_help=True, context_settings=names, **settings)

    def command(  # type: ignore[override]
        self, name: str | None = None, **settings: Any
    ) -> Callable[[Callable[..., None]], Callable[..., None]]:
        """Add a command, as Typer does."""
        return super().command(name, cls=_Command, **settings)


def _wrong_use(error: typer.TyperException) -> str:
    """Return in one line what is wrong, what is allowed, and where help is."""
    text, parameter = error.message.rstrip("."), getattr(error, "param", None)
    if parameter is not None:
        text = _wrong_value(parameter, text.removeprefix("Value error, "))
    elif possible := getattr(error, "possibilities", None):
        text = f"{text}. Did you mean {' or '.join(sorted(possible))}?"
    context: Any = getattr(error, "ctx", None)
    if text.startswith("No such command") and not text.endswith("?") and context.parent:
        text = f"{text}; allowed: {', '.join(context.command.list_commands(context))}"
    path = "klue" if context is None else context.command_path
    for ours, typers in {"no such": "No such", "; did": ". Did", "got ": "Got "}.items():
        text = text.replace(typers, ours)
    return f"{text}{'' if text.endswith('?') else ';'} see {path} --help"


def _wrong_value(parameter: Any, text: str) -> str:
    option = max(parameter.opts, key=len)
    where = option if option.startswith("-") else parameter.metavar or parameter.name.upper()
    choices = parameter.type_descriptor.choices
    allowed = "" if choices is None else f"; allowed: {', '.join(map(str, choices))}"
    if not text:
        return f"{where} is missing{allowed}"
    value, is_choice, _ = text.partition(" is not one of ")
    if is_choice:
        return f"{where} {value}: is not known{allowed}"
    fault = text.partition(", unable")[0].replace("Input should be", "the value should be")
    return f"{where}: {fault}"
