"""A column of an Arrow schema as a field of Croissant, with what is nested in it."""

from __future__ import annotations

from typing import Any, Final

import pyarrow as pa

from pipeline.core.errors import SchemaError

Json = dict[str, Any]

_KINDS: Final = (
    (pa.types.is_boolean, "sc:Boolean"),
    (pa.types.is_integer, "sc:Integer"),
    (pa.types.is_floating, "sc:Float"),
    (pa.types.is_date, "sc:Date"),
    (pa.types.is_timestamp, "sc:DateTime"),
    (pa.types.is_string, "sc:Text"),
    (pa.types.is_large_string, "sc:Text"),
)


def record_field(config: str, column: pa.Field) -> Json:
    """Return the field of a column: text, numbers, truth, lists of them, objects, lists of objects.

    Objects become fields with `subField`, each read out of its column by a JSON path. Raises
    SchemaError for a type that Croissant has no word for.
    """
    source: Json = {"fileSet": {"@id": f"{config}-files"}, "extract": {"column": column.name}}
    return _field(f"{config}/{column.name}", column, source)


def _field(name: str, column: pa.Field, source: Json) -> Json:
    kind, deep = _unlisted(column.type)
    made: Json = {"@type": "cr:Field", "@id": name, "name": name, **_array(deep)}
    if pa.types.is_struct(kind):
        parts = [kind.field(place) for place in range(kind.num_fields)]
        made["subField"] = [_part(name, part, source) for part in parts]
        return made
    return {**made, "dataType": _kind(name, kind), "source": source}


def _part(name: str, part: pa.Field, source: Json) -> Json:
    steps = [*source.get("transform", []), {"jsonPath": f"$['{part.name}']"}]
    return _field(f"{name}/{part.name}", part, {**source, "transform": steps})


def _unlisted(kind: pa.DataType) -> tuple[pa.DataType, int]:
    """Return the type inside lists, and how many lists it is in."""
    deep = 0
    while pa.types.is_list(kind) or pa.types.is_large_list(kind):
        kind, deep = kind.value_type, deep + 1
    return kind, deep


def _array(deep: int) -> Json:
    return {"isArray": True, "arrayShape": ",".join(["-1"] * deep)} if deep else {}


def _kind(name: str, kind: pa.DataType) -> str:
    for matches, word in _KINDS:
        if matches(kind):
            return word
    raise SchemaError(f"column {name}: Croissant has no type for {kind}")
