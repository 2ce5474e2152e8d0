"""The script of completion for zsh, which Typer's own leaves without an answer at the first Tab."""

from __future__ import annotations

from typing import Final

#: zsh loads the file at the first Tab and runs it in place of the function that it is about to
#: define: then it has to answer at once. The command is asked as it was typed, .venv/bin/klue too.
_ZSH: Final = """
#compdef %(prog_name)s

%(complete_func)s() {
  local typed="${words[1,$CURRENT]}"
  eval $(env _TYPER_COMPLETE_ARGS="$typed" %(autocomplete_var)s=complete_zsh ${~words[1]})
}

if [ "$funcstack[1]" = "_%(prog_name)s" ]; then
  %(complete_func)s "$@"
else
  compdef %(complete_func)s %(prog_name)s
fi
"""


def mend_zsh() -> None:
    """Let Typer install and show this script for zsh."""
    from typer import _completion_shared

    _completion_shared._completion_scripts["zsh"] = _ZSH
