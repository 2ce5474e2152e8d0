"""Options that several commands have, and how a command is called with its options."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import wraps
from pathlib import Path
from pkgutil import resolve_name
from typing import Annotated, Any, Final

import typer

from flows.view.console import handle_errors, print_result
from flows.view.memory import LIGHT
from pipeline.core.objects.address import address_of, require_file_system

TASKS: Final = "tc, sts, nli, ner, re, dp, mrc or dst."
FORMATS: Final = "label-studio, doccano, argilla or jsonl"
WORK: Final = Path("data/work")
#: The usual key of draws.
SEED: Final = 20201201

TaskOption = Annotated[str, typer.Option("--task", help=TASKS)]
Specs = Annotated[
    Path | None, typer.Option("--specs", help="A folder of specs instead of the project's.")
]
JoinMemory = Annotated[
    int | None,
    typer.Option("--memory", help="MiB that a search for duplicates may take; 256 if not given."),
]
Seed = Annotated[int, typer.Option(help="The key of every draw.")]
Force = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]
Json = Annotated[bool, typer.Option("--json", help="Print exactly one JSON object.")]


def calls(
    target: str,
    *,
    resumes: bool = True,
    failure: int = 1,
    needs: int = LIGHT,
    releases: Collection[str] = (),
    addresses: Collection[str] = (),
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a command of a function that only declares its options.

    The command calls `target` (MODULE:FUNCTION, imported only then) with the options that were
    given, and prints the result that it returns. Of an interrupted command `resumes` tells whether
    it goes on where it stopped. `failure` is the exit code of a record whose `ok` is false;
    `needs` is the address space, in bytes, that it does not run without; `releases` and
    `addresses` are as `arguments` takes them.
    """

    def command_of(declared: Callable[..., None]) -> Callable[..., None]:
        @wraps(declared)
        def command(*, as_json: bool = False, **options: Any) -> None:
            with handle_errors(as_json=as_json, resumes=resumes, needs=needs):
                given = arguments(options, releases=releases, addresses=addresses)
                result = resolve_name(target)(**given)
                print_result(result, as_json=as_json)
                if not result[0].get("ok", True):
                    raise typer.Exit(failure)

        return command

    return command_of


def arguments(
    options: dict[str, Any],
    *beside: str,
    releases: Collection[str] = (),
    addresses: Collection[str] = (),
) -> dict[str, Any]:
    """Return those options of a command that were given, but for some; lists become tuples.

    Of the options named `releases`, the address of a release in an object store becomes its local
    copy; those named `addresses` keep one. Raises InputError for an address in any other option.
    """
    return {
        name: value if name in addresses else _on_file_system(name, value, name in releases)
        for name, value in options.items()
        if value is not None and name not in beside
    }


def _on_file_system(name: str, value: Any, is_release: bool) -> Any:
    if isinstance(value, list):
        return tuple(_on_file_system(name, item, is_release) for item in value)
    if not isinstance(value, Path | str) or (address := address_of(value)) is None:
        return value
    if not is_release:
        require_file_system(name.replace("_", "-"), value)
    from flows.commands.stored import local_release

    return local_release(address)
