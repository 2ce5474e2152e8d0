"""Commands that a result suggests, as they can be pasted into the shell that runs this one."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path


def command_line(*words: object) -> str:
    """Return `klue` with words, quoted for a shell, called as this process was."""
    klue = sys.argv[0] if Path(sys.argv[0]).name == "klue" else "klue"
    return shlex.join([klue, *map(str, words)])
