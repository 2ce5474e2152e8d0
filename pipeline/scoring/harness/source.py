"""The text of `utils.py`: modules of this project as one module that needs none of them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from pipeline.contracts.parts import part_module
from pipeline.contracts.task import Task

_RUNTIME: Final = "pipeline.scoring.harness.runtime"
#: The prompts of a task without the part: a function of its kind of answer makes them.
_DEFAULT: Final = "pipeline.tasks.kinds.prompts"
_TAIL: Final = '''

def load(**settings: Any) -> dict[str, Any]:
    """Return the splits beside this file."""
    return load_splits(__file__, PROMPTS, **settings)


def process(doc: dict[str, Any], results: list[Any]) -> dict[str, Any]:
    """Return what is counted of a document, by metric."""
    return results_of(PROMPTS, doc, results)
'''


def source_of(task: Task) -> str:
    """Return the text of `utils.py`: the part `prompts` of a task after all that it imports.

    Raises ValueError where two modules of it define one name.
    """
    module, texts = part_module(task.id, "prompts") or _DEFAULT, dict[str, str]()
    for name in (module, _RUNTIME):
        _collect(name, texts)
    _check_names(texts)
    body = "\n\n".join(text.strip("\n") + "\n" for text in texts.values())
    by_kind = ""
    if module == _DEFAULT:
        fields = {name: task.titles.get(name, name) for name in task.fields}
        by_kind = f"\n\nPROMPTS = prompts_of_kind({task.kind!r}, {fields!r})\n"
    head = f'"""Data, prompts and metrics of {task.id}; written by `klue export-eval`."""\n\n'
    return f"{head}from __future__ import annotations\n\n{body}{by_kind}{_TAIL}"


def _collect(module: str, texts: dict[str, str]) -> None:
    """Add the text of a module after those of the modules of this project that it imports."""
    spec = find_spec(module)
    text = Path(spec.origin if spec and spec.origin else module).read_text(encoding="utf-8")
    tree = ast.parse(text)
    dropped = {0} if ast.get_docstring(tree) else set()
    for place, node in enumerate(tree.body):
        if isinstance(node, ast.ImportFrom) and node.module:
            own = node.module.split(".")[0] in ("pipeline", module.split(".", maxsplit=1)[0])
            if own and node.module not in texts:
                _collect(node.module, texts)
            if own or node.module == "__future__":
                dropped.add(place)
    lines = text.splitlines()
    for place in dropped:
        node = tree.body[place]
        end = node.end_lineno or node.lineno
        lines[node.lineno - 1 : end] = [""] * (end - node.lineno + 1)
    texts[module] = "\n".join(lines)


def _check_names(texts: Mapping[str, str]) -> None:
    seen: dict[str, str] = {}
    for module, text in texts.items():
        for node in ast.parse(text).body:
            names = [node.name] if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
            if isinstance(node, ast.Assign):
                names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            for name in names:
                if seen.setdefault(name, module) != module:
                    raise ValueError(f"{module} and {seen[name]} both define {name}")
