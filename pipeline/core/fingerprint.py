"""Fingerprints: digests of files, of values and of the code that a stage runs."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any, Final

from pipeline.core.files import regular_file, walk
from pipeline.core.packages import PREFIX, package_folder
from pipeline.core.user_cache import keep_values, load_values

ROOT = Path(__file__).resolve().parents[2]


def of_file(path: Path) -> str:
    """Return the SHA-256 of a file's content; raises OSError as `regular_file`."""
    with regular_file(path).open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


def of_path(path: Path, pattern: str = "") -> str:
    """Return the SHA-256 of a file, or of the names, kinds and contents of the files of a folder.

    These are all files below it, or those that match a `pattern`.
    """
    if not path.is_dir():
        return of_file(path)
    entries = sorted(files_of(path, pattern))
    return of_value([[printable(p.relative_to(path).as_posix()), *_kind(p)] for p in entries])


def files_of(folder: Path, pattern: str = "") -> list[Path]:
    """Return the files below a folder, or those that match a pattern such as ``*.txt``."""
    if not pattern:
        return list(walk(folder))
    return [path for path in folder.glob(pattern) if not path.is_dir()]


def printable(name: str) -> str:
    """Return a file name that may hold bytes of another encoding, with these as escapes."""
    return name.encode("utf-8", "backslashreplace").decode()


def _kind(path: Path) -> tuple[str, ...]:
    if path.is_symlink():
        content = of_file(path) if path.is_file() else ""
        return "link", printable(str(path.readlink())), content
    return ("file", of_file(path)) if path.is_file() else ("other", "")


def of_value(value: object) -> str:
    """Return the SHA-256 of a JSON value with sorted keys."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def of_code(module: str) -> str:
    """Return a digest of a module and of all modules of `pipeline` that it imports, however deep.

    It covers what the code does: the syntax tree without docstrings, comments and annotations,
    except the annotations of class fields, which dataclasses and pydantic read. The source is
    parsed, not imported, so that this is cheap and has no side effects. Raises ValueError for a
    module of `pipeline`, or of the user, that has no source file.
    """
    return _of_code(module, package_folder(module))


@cache
def _of_code(module: str, _folder: Path | None) -> str:
    if module.startswith(("pipeline.", PREFIX)) and _source(module) is None:
        raise ValueError(f"no source of module {module}")
    seen: dict[str, str] = {}
    waiting, known = [module], len(_parsed()[1])
    while waiting:
        name = waiting.pop()
        path = _source(name)
        if name in seen or path is None:
            continue
        seen[name], more = _parse(path, path.stat().st_mtime_ns)
        waiting += filter(_is_ours, more)
    name, parsed = _parsed()
    if len(parsed) > known:
        keep_values(name, parsed)
    return of_value(seen)


@cache
def _parse(path: Path, _changed: int) -> tuple[str, list[str]]:
    """Return the digest of a module's behaviour, and what it imports; parsed once a change."""
    source = path.read_bytes()
    key, (_, parsed) = sha256(source).hexdigest(), _parsed()
    if key not in parsed:
        tree = ast.parse(source)
        parsed[key] = of_behaviour(tree), _imports(tree)
    behaviour, names = parsed[key]
    return behaviour, names


@cache
def _parsed() -> tuple[str, dict[str, Any]]:
    """Return behaviour and imports of all sources parsed so far, and the name they are kept by.

    Other code of this module, or another Python, may parse them differently.
    """
    name = f"code-{sys.implementation.cache_tag}-{of_file(Path(__file__))[:16]}.json"
    return name, load_values(name)


def of_behaviour(tree: ast.Module) -> str:
    """Return the SHA-256 of a syntax tree without docstrings, comments and annotations."""
    parts: list[str] = []
    _describe(tree, parts)
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _describe(value: object, parts: list[str], *, in_class: bool = False) -> None:
    """Append the behaviour of a syntax tree's node, in a form that only equal trees share."""
    if isinstance(value, ast.AnnAssign) and not in_class:
        if value.value is not None:
            _describe(ast.Assign(targets=[value.target], value=value.value), parts)
    elif isinstance(value, ast.AST):
        parts.append(type(value).__name__)
        for name in value._fields:
            if name not in _ANNOTATIONS.get(type(value), ()):
                _describe(getattr(value, name, None), parts, in_class=type(value) is ast.ClassDef)
    elif isinstance(value, list):
        statements = [child for child in value if not _is_docstring(child)]
        parts.append("[")
        for child in statements:
            _describe(child, parts, in_class=in_class)
        parts.append("]")
    else:
        parts.append(repr(value))


def _is_docstring(node: object) -> bool:
    constant = node.value if isinstance(node, ast.Expr) else None
    return isinstance(constant, ast.Constant) and isinstance(constant.value, str)


#: Fields of nodes that hold annotations; those of class fields are read by dataclasses.
_ANNOTATIONS: Final[dict[type[ast.AST], tuple[str, ...]]] = {
    ast.FunctionDef: ("returns", "type_comment"),
    ast.AsyncFunctionDef: ("returns", "type_comment"),
    ast.arg: ("annotation", "type_comment"),
}


def imports(source: str) -> list[str]:
    """Return the dotted names of `pipeline` and `flows` modules that a source text imports."""
    return [name for name in _imports(ast.parse(source)) if _is_ours(name)]


def _imports(tree: ast.Module) -> list[str]:
    names: list[str] = []
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.append(node.module)
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


def _is_ours(module: str) -> bool:
    return module.startswith(("pipeline.", "flows.")) or package_folder(module) is not None


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what stands in the bodies of a node, however deep, but not the expressions in it."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        body = getattr(node, name, ())
        for child in body if isinstance(body, list) else ():
            yield child
            yield from _statements(child)


def _source(module: str) -> Path | None:
    package, *parts = module.split(".")
    base = (package_folder(module) or ROOT / package).joinpath(*parts)
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.is_file():
            return path
    return None
