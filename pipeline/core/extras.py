"""The command that installs what is missing: an extra, or what every installation has."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from pipeline.core.resources import CHECKOUT


def install_command(extra: str = "") -> str:
    """Return the command that installs an extra here, or without one what all installations have.

    In a checkout it takes the pinned versions, and begins with `cd` where it is run elsewhere.
    """
    named = f"[{extra}]" if extra else ""
    pip = Path(sys.executable).with_name("pip")
    if CHECKOUT is None:
        return f"{shlex.quote(str(pip))} install {shlex.quote(f'klue-rebuild{named}')}"
    if pip.is_relative_to(CHECKOUT):
        pip = pip.relative_to(CHECKOUT)
    what = shlex.quote(f".{named}") if named else "."
    command = f"{shlex.quote(str(pip))} install -e {what} -c constraints.txt"
    is_here = Path.cwd() == CHECKOUT
    return command if is_here else f"cd {shlex.quote(str(CHECKOUT))} && {command}"
