"""YAML files to frozen models; faults are reported with file, line and key."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    StringConstraints,
    ValidationError,
)

from pipeline.core.errors import SpecError
from pipeline.core.files import read_text

Location = tuple[str | int, ...]
M = TypeVar("M", bound="Spec")
T = TypeVar("T")

#: The parser in C where there is one, ten times as fast.
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
#: More bytes and levels than any spec has.
_MOST_BYTES: Final = 16 * 1024**2
_DEEPEST: Final = 50


def _as_tuple(value: Any) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError("must be a list, such as [a, b]")
    twice = [item for i, item in enumerate(value) if item in value[:i]]
    if twice:
        raise ValueError(f"lists {twice[0]!r} twice; keep one")
    return tuple(value)


#: A list without repetitions, kept as a tuple; and a text that is not blank.
Many = Annotated[tuple[T, ...], BeforeValidator(_as_tuple)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]

#: What an id of a spec or catalogue may be, in words.
IDENTIFIER: Final = "a to z, 0 to 9 and _, beginning with a letter"


def matching(pattern: str, allowed: str) -> AfterValidator:
    """Return what checks that a text is of a form; its fault says in words what is `allowed`."""

    def check(value: str) -> str:
        if not re.fullmatch(pattern, value):
            raise ValueError(f"must be {allowed}")
        return value

    return AfterValidator(check)


class Spec(BaseModel):
    """Base of every model read from YAML: frozen, unknown keys are errors, no coercion."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def load(
    path: Path,
    model: type[M],
    *,
    context: dict[str, Any] | None = None,
    faults: Callable[[M], Iterable[tuple[Location, str]]] = lambda _: (),
) -> M:
    """Read one YAML file into a model; validators of its fields may read `context`.

    `faults` yields what else is wrong with the whole, and where. Raises SpecError with one line for
    every fault: ``file:line: key: what (given ...)``.
    """
    node, data = _read(path)
    if node is None:
        raise SpecError(f"{path}:1: the file is empty; it must hold the keys {_needed(model)}")
    lines: dict[Location, int] = {}
    problems: list[str] = []
    _walk(node, (), lines, problems, path, set())
    if problems:
        raise SpecError("\n".join(problems))
    try:
        loaded = model.model_validate(data, context=context)
    except ValidationError as error:
        problems = [_describe(path, lines, e, model) for e in error.errors(include_url=False)]
        raise SpecError("\n".join(problems)) from None
    problems = [f"{path}:{lines[at]}: {_key_path(at)}: {message}" for at, message in faults(loaded)]
    if problems:
        raise SpecError("\n".join(problems))
    return loaded


def read_yaml(path: Path) -> Any:
    """Return the data of a YAML file; raises SpecError for a file that is not there or not YAML."""
    return _read(path)[1]


def _read(path: Path) -> tuple[yaml.Node | None, Any]:
    text = read_text(path, "the path of a YAML file", most=_MOST_BYTES, error=SpecError)
    try:
        _check_depth(path, text)
        loader = _LOADER(text)
        node = loader.get_single_node()
        return node, None if node is None else loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line if error.problem_mark else 0
        is_tab = re.match(r"\s*\t", "".join(text.splitlines()[line : line + 1]))
        problem = "indented by a tab; use blanks" if is_tab else error.problem
        raise SpecError(f"{path}:{line + 1}: not YAML: {problem}") from None
    except (yaml.YAMLError, ValueError, KeyError, AttributeError) as error:
        # a value with a tag that it does not fit, such as `!!int x` or 2020-02-31
        raise SpecError(f"{path}: not YAML: {str(error).splitlines()[0]}") from None


def _check_depth(path: Path, text: str) -> None:
    """Raise SpecError for nesting that the parser, which calls itself for each level, dies of."""
    depth = 0
    for event in yaml.parse(text, Loader=_LOADER):
        starts = isinstance(event, yaml.CollectionStartEvent)
        depth += starts - isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise SpecError(f"{path}: nested too deep; allowed: {_DEEPEST} levels")


def _walk(
    node: yaml.Node,
    where: Location,
    lines: dict[Location, int],
    problems: list[str],
    path: Path,
    seen: set[int],
) -> None:
    if where and id(node) in seen:
        problems.append(
            f"{path}:{node.start_mark.line + 1}: {_key_path(where)}: an alias (*name); write it out"
        )
        return
    seen.add(id(node))
    lines[where] = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        for key_node, value in node.value:
            location = (*where, str(key_node.value))
            line = key_node.start_mark.line + 1
            if location in lines:
                problems.append(
                    f"{path}:{line}: {_key_path(location)}: given twice, first on line"
                    f" {lines[location]}; keep one"
                )
            _walk(value, location, lines, problems, path, seen)
            lines[location] = line
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            _walk(value, (*where, index), lines, problems, path, seen)


def _describe(path: Path, lines: dict[Location, int], error: Any, model: type[Spec]) -> str:
    where = _in_file(error["loc"], lines)
    known = where
    while known not in lines and known:
        known = known[:-1]
    line = lines.get(known, 1)
    key = _key_path(where) or "(whole file)"
    if error["type"] == "extra_forbidden":
        allowed = ", ".join(_siblings(model, error["loc"])) or "none"
        return f"{path}:{line}: {key}: unknown key; allowed here: {allowed}"
    if error["type"] == "missing":
        return f"{path}:{line}: {key}: missing; add this key"
    if error["input"] is None and error["type"] in _EMPTY:
        return f"{path}:{line}: {key}: empty; write what belongs there, or leave the key out"
    message = _plain(error, _model_at(model, error["loc"]))
    if not error["loc"] and (at := _NAMED.match(message)):
        named = _location(at[1])
        key, line, message = at[1], lines.get(named, lines.get(named[:1], 1)), message[at.end() :]
    if isinstance(error["input"], dict) and error["type"] == "value_error":
        return f"{path}:{line}: {key}: {message}"
    value = repr(error["input"])
    value = value if len(value) <= 60 else value[:57] + "..."
    return f"{path}:{line}: {key}: {message} (given: {value})"


#: What pydantic calls a value that is no mapping or list where one is needed.
_MAPPINGS: Final = {"dict_type", "model_type", "model_attributes_type"}
_EMPTY: Final = {*_MAPPINGS, "list_type", "tuple_type", "string_type"}
#: The key that a validator of a whole model names before what it says.
_NAMED: Final = re.compile(r"([a-z_]+(?:\.[\w-]+)*): ")


def _plain(error: Any, models: list[type[BaseModel]]) -> str:
    """Return what is wrong with a value in the words of YAML."""
    if error["type"] in _MAPPINGS:
        return f"must hold keys{f' ({_needed(*models)})' if models else ''}, as in `key: value`"
    if error["type"] == "string_type":
        is_text = isinstance(error["input"], bool | int | float | date)
        return f"must be a text{'; write it in quotes' if is_text else ''}"
    if error["type"] == "too_short" and error["ctx"]["min_length"] == 1:
        return "must not be empty"
    return str(error["msg"]).removeprefix("Value error, ")


def _location(key: str) -> Location:
    return tuple(int(part) if part.isdecimal() else part for part in key.split("."))


def _needed(*models: type[BaseModel]) -> str:
    """Return the keys that these models cannot do without, or all keys of theirs."""
    fields = [item for model in models for item in model.model_fields.items()]
    needed = [item for item in fields if item[1].is_required()]
    return ", ".join(dict.fromkeys(f.alias or name for name, f in needed or fields))


def _in_file(location: Location, lines: dict[Location, int]) -> Location:
    """Return where a fault is in the file, without what only names a member of a union."""
    where: Location = ()
    for place, part in enumerate(location):
        last = place == len(location) - 1
        if (*where, part) in lines or (last and part != "[key]"):
            where = (*where, part)
    return where


def _siblings(model: type[BaseModel], where: Location) -> list[str]:
    """Return the keys allowed beside the last part of a location, walking down the models."""
    members = _model_at(model, where[:-1])
    return sorted({f.alias or name for m in members for name, f in m.model_fields.items()})


def _model_at(model: type[BaseModel], where: Location) -> list[type[BaseModel]]:
    """Return the models that the value at a location may be of."""
    members: list[type[BaseModel]] = [model]
    for part in where:
        if isinstance(part, int):
            continue
        fields = [m.model_fields[part] for m in members if part in m.model_fields]
        if fields:
            members = [m for field in fields for m in _models_in(field.annotation)]
        elif tagged := [m for m in members if _has_tag(m, part)]:
            members = tagged
    return members


def _has_tag(model: type[BaseModel], tag: str) -> bool:
    fields = model.model_fields.values()
    return any(tag in getattr(field.annotation, "__args__", ()) for field in fields)


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    inner = getattr(annotation, "__args__", ())
    return [model for argument in inner for model in _models_in(argument)]


def _key_path(where: Location) -> str:
    return ".".join(str(part) for part in where)
