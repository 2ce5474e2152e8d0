"""Options that several commands have, and how a command is called with its options."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Collection
from contextlib import nullcontext
from enum import Enum, StrEnum
from functools import wraps
from pathlib import Path
from pkgutil import resolve_name
from typing import Annotated, Any, Final, Literal

import typer

from flows.view.console import handle_errors, is_main_process, print_result, say_versions
from flows.view.memory import LIGHT
from flows.view.progress import show_steps
from flows.view.verbosity import Verbosity, speaking
from pipeline.core.errors import KlueError
from pipeline.core.objects.address import address_of, require_file_system
from pipeline.tasks import PACKAGES

WORK: Final = Path("data/work")
#: The usual key of draws.
SEED: Final = 20201201

_ALL_TASKS: Final = tuple(PACKAGES)
TASKS: Final = f"{', '.join(_ALL_TASKS[:-1])} or {_ALL_TASKS[-1]}."
#: What options with a fixed set of values may be; tests hold them against the code behind.
Tool = Literal[
    "label-studio",
    "doccano",
    "argilla",
    "jsonl",
]
VotesFrom = Literal["votes", "klue", Tool, "potato"]
ItemsFrom = Literal["items", "klue"]
FileForm = Literal["text", "jsonl", "csv", "parquet"]
OfficialForm = Literal["klue"]
EngineName = Literal["local", "dask"]
Precision = Literal["auto", "bf16", "float32"]


class OfficialForms(StrEnum):
    """The same for an option that may be given several times, where Typer takes no literals."""

    KLUE = "klue"


def completes(*values: str) -> Callable[[str], list[str]]:
    """Return what completes an option that takes these values, and others."""

    def complete(incomplete: str) -> list[str]:
        return [value for value in values if value.startswith(incomplete)]

    return complete


def complete_task(context: typer.Context, incomplete: str) -> list[str]:
    """Return the tasks that begin so: KLUE's, and own ones that the command knows.

    Those are named by the environment, or by the builds of a work directory on the line.
    """
    from flows.lineage.notes import own_tasks
    from pipeline.contracts.parts import FOLDERS_VARIABLE, packages

    place = next(filter(None, map(context.params.get, ("work", "votes"))), None)
    names: Collection[str] = _ALL_TASKS
    try:
        if os.environ.get(FOLDERS_VARIABLE):
            names = packages()
        if place is not None:
            names = dict.fromkeys((*names, *own_tasks(Path(place))))
    except (KlueError, OSError):
        pass  # the command itself says what is wrong
    return completes(*names)(incomplete)


TaskName = Annotated[str, typer.Argument(metavar="TASK", help=TASKS, autocompletion=complete_task)]
TaskOption = Annotated[
    str, typer.Option("--task", metavar="TASK", help=TASKS, autocompletion=complete_task)
]
OptionalTask = Annotated[
    str | None, typer.Option("--task", metavar="TASK", help=TASKS, autocompletion=complete_task)
]
Specs = Annotated[
    Path | None, typer.Option("--specs", help="A folder of specs instead of the project's.")
]
JoinMemory = Annotated[
    int | None,
    typer.Option("--memory", help="MiB that a search for duplicates may take; 256 if not given."),
]
Engine = Annotated[
    EngineName,
    typer.Option("--engine", help="Where stages run: processes here, or a Dask cluster."),
]
Address = Annotated[
    str | None, typer.Option(help="Address of a running Dask scheduler, for --engine dask.")
]
CoreWorkers = Annotated[
    int | None, typer.Option("--workers", help="Worker processes; all cores if not given.")
]
Workers = Annotated[int, typer.Option("--workers", help="Worker processes.")]
TextColumn = Annotated[
    str, typer.Option("--text-column", help="The column or key that holds the texts.")
]
Seed = Annotated[int, typer.Option(help="The key of every draw.")]
Force = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]
NewFolder = Annotated[Path, typer.Option("--out", help="The folder to write, new or empty.")]
Draws = Annotated[int, typer.Option(help="Draws of the bootstrap over examples.")]
Confidence = Annotated[float, typer.Option(help="What an interval holds, 0 to 1.")]
ModelPrecision = Annotated[
    Precision, typer.Option("--precision", help="Of numbers; auto is bf16 on a GPU.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A number of the recipe: epochs=3."),
]
BuildFile = Annotated[
    Path, typer.Argument(metavar="BUILD.yaml", help="The build file.", readable=False)
]
BuildName = Annotated[
    str | None,
    typer.Option("--build", help="The build, by the name in its build file; needed of several."),
]


def _common(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print exactly one JSON object.")] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Write errors and the result only.")
    ] = False,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose",
            "-v",
            help="Also write versions, steps with their times, and of a fault the traceback.",
        ),
    ] = False,
) -> None:
    """Declare the options that every command has."""


_COMMON: Final = [
    parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
    for parameter in inspect.signature(_common, eval_str=True).parameters.values()
]


def calls(
    target: str,
    *,
    resumes: bool = True,
    failure: int = 1,
    needs: int = LIGHT,
    releases: Collection[str] = (),
    addresses: Collection[str] = (),
    shows_steps: bool = True,
    launched: bool = False,
    own_tasks: str = "",
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a command of a function that only declares its options; add those that all have.

    The command calls `target` (MODULE:FUNCTION, imported only then) with the options that were
    given, and prints the result that it returns. Of an interrupted command `resumes` tells whether
    it goes on where it stopped. `failure` is the exit code of a record whose `ok` is false;
    `needs` is the address space, in bytes, that it does not run without; `releases` and
    `addresses` are as `arguments` takes them. Unless it `shows_steps`, it has no progress bar. Of
    several processes of a command that may be `launched` by torchrun the first alone speaks.
    Before it runs, the own tasks become known of the builds in the work directory that the option
    named `own_tasks` gives.
    """

    def command_of(declared: Callable[..., None]) -> Callable[..., None]:
        @wraps(declared)
        def command(
            *, context: typer.Context, as_json: bool, quiet: bool, verbose: bool, **options: Any
        ) -> None:
            speaks = not launched or is_main_process()
            level = Verbosity(quiet=quiet or not speaks, verbose=verbose, as_json=as_json)
            with (
                speaking(level),
                handle_errors(as_json=as_json, resumes=resumes, needs=needs),
            ):
                if verbose:
                    say_versions()
                with show_steps(context.command_path) if shows_steps else nullcontext():
                    given = arguments(options, releases=releases, addresses=addresses)
                    if own_tasks in given:
                        _know_own_tasks(given[own_tasks])
                    result = resolve_name(target)(**given)
                if speaks:
                    print_result(result, as_json=as_json)
                if not result[0].get("ok", True):
                    raise typer.Exit(failure)

        own = inspect.signature(declared, eval_str=True)
        parameters = [*own.parameters.values(), *_COMMON]
        command.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        return command

    return command_of


def _know_own_tasks(place: Path) -> None:
    from flows.lineage.notes import know_own_tasks

    know_own_tasks(place)


def arguments(
    options: dict[str, Any],
    *,
    releases: Collection[str] = (),
    addresses: Collection[str] = (),
) -> dict[str, Any]:
    """Return those options of a command that were given; lists become tuples.

    Of the options named `releases`, the address of a release in an object store becomes its local
    copy; those named `addresses` keep one. Raises InputError for an address in any other option.
    """
    return {
        name: value if name in addresses else _on_file_system(name, value, name in releases)
        for name, value in options.items()
        if value is not None
    }


def _on_file_system(name: str, value: Any, is_release: bool) -> Any:
    if isinstance(value, list):
        return tuple(_on_file_system(name, item, is_release) for item in value)
    if isinstance(value, Enum):
        return value.value
    if not isinstance(value, Path | str) or (address := address_of(value)) is None:
        return value
    if not is_release:
        require_file_system(name.replace("_", "-"), value)
    from flows.commands.stored import local_release

    return local_release(address)
