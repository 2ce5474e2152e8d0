"""`klue doctor`: what is installed here, what each missing extra would add, what else is found."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any, Final

from flows.view.console import Result, print_line, print_table
from pipeline.core.errors import KlueError
from pipeline.core.extras import install_command
from pipeline.core.resources import DATA

_PROJECT: Final = "klue-rebuild"
#: What the extras of pyproject.toml are for, in its order.
NEEDED_FOR: Final = {
    "dask": "klue build --engine dask",
    "crowd": "rules dawid_skene, mace, glad: klue aggregate, klue next, specs of own tasks",
    "gamma": "klue audit --gamma",
    "pandas": "import klue_rebuild",
    "postgresql": "klue leaderboard on PostgreSQL",
    "reference": "comparisons with krippendorff (GPL-3) and rouge-score",
    "s3": "addresses s3://, klue fetch",
    "train": "klue train, pretrain, tokenizer; detectors, taggers and translators of transformers",
    "docs": "make docs",
    "dev": "make test, check, bench",
}
#: So many packages are named in the table; `--json` has all.
_SHOWN: Final = 3
#: Programs that open a page, the first that is there.
_BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "firefox")
_REQUIREMENT: Final = re.compile(r"""([\w.-]+)(?:.*extra == ['"]([\w-]+)['"])?""")


def doctor() -> Result:
    """Return versions, extras with the packages that they lack, and what was found around them.

    `ok` tells whether all that `klue build` needs is there. Sizes are those of data/extras.json, in
    MB on the disk. Nothing is changed, and nothing is asked of a network.
    """
    lacks = _lacking()
    sizes = json.loads((DATA / "extras.json").read_text("utf-8"))
    dictionary = _dictionary()
    record = {
        "ok": not lacks[""] and dictionary["found"] is not None,
        "python": platform.python_version(),
        "version": version(_PROJECT),
        "core": {"lacks": lacks[""], "megabytes": sizes["core"]["megabytes"]},
        "extras": {
            name: {
                "installed": not lacks[name],
                "lacks": lacks[name],
                "needed_for": needed_for,
                "megabytes": sizes["extras"][name]["megabytes"],
            }
            for name, needed_for in NEEDED_FOR.items()
        },
        "around": {
            "mecab dictionary": dictionary,
            "Korean font": _look_for(_korean_font, "pages may show boxes; install fonts-nanum"),
            "browser": _look_for(_browser, "nothing here needs it; pages open in any other place"),
            "KLUE_DATA": _look_for(_data_folder, "set it to the folder of your raw corpora"),
        },
    }
    return record, _show


def _lacking() -> dict[str, list[str]]:
    """Return the packages that are not installed, by extra; "" are those of every installation."""
    lacking: dict[str, list[str]] = {"": [], **{name: [] for name in NEEDED_FOR}}
    for requirement in requires(_PROJECT) or ():
        match = _REQUIREMENT.match(requirement)
        if match is not None and not _is_installed(match[1]):
            lacking.setdefault(match[2] or "", []).append(match[1])
    return lacking


def _is_installed(name: str) -> bool:
    try:
        return bool(version(name))
    except PackageNotFoundError:
        return False


def _dictionary() -> dict[str, str | None]:
    """Cut a word, as every build does; the fault says what to do."""
    from pipeline.core.morphology import morphemes

    try:
        morphemes("가")
    except KlueError as error:
        return {"found": None, "hint": str(error)}
    return {"found": f"python-mecab-ko-dic {version('python-mecab-ko-dic')}", "hint": None}


def _look_for(find: Callable[[], str | None], hint: str) -> dict[str, str | None]:
    found = find()
    return {"found": found, "hint": None if found else hint}


def _korean_font() -> str | None:
    """Return a font with Korean letters, by fontconfig."""
    if (program := shutil.which("fc-list")) is None:
        return None
    done = subprocess.run([program, ":lang=ko", "family"], capture_output=True, timeout=30)
    fonts = sorted(done.stdout.decode("utf-8", "replace").split("\n"))
    return next((font.partition(",")[0].strip() for font in fonts if font.strip()), None)


def _browser() -> str | None:
    return next(filter(None, map(shutil.which, _BROWSERS)), None)


def _data_folder() -> str | None:
    folder = os.environ.get("KLUE_DATA")
    return folder if folder and Path(folder).is_dir() else None


def _show(record: dict[str, Any]) -> None:
    core = record["core"]
    print_line(f"klue-rebuild {record['version']}, Python {record['python']}")
    lacking = f"lacks {', '.join(core['lacks'])}" if core["lacks"] else "complete"
    print_line(f"core: {lacking} (about {core['megabytes']:,} MB)")
    rows = [
        (
            name,
            "yes" if extra["installed"] else f"no: {_few(extra['lacks'])}",
            "" if extra["installed"] else f"+{extra['megabytes']:,}",
            extra["needed_for"],
        )
        for name, extra in record["extras"].items()
    ]
    left = ("installed", "needed for")
    print_table("", ("extra", "installed", "MB", "needed for"), rows, left=left)
    for name, place in record["around"].items():
        print_line(f"{name}: {place['found'] or 'not found; ' + str(place['hint'])}")
    if not all(extra["installed"] for extra in record["extras"].values()):
        print_line(f"to add an extra: {install_command('NAME')}")


def _few(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= _SHOWN else f"{len(names)} packages"
