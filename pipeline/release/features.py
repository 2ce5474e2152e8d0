"""The features of a config as `datasets` writes them into a card: labels that load as numbers.

The Parquet files hold the names of labels. `load_dataset` makes of them the numbers of the hub, by
the ClassLabel of each column that `Columns.classes` names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

Feature = dict[str, Any]
Classes = Mapping[str, Sequence[str]]


def features(fields: Iterable[pa.Field], classes: Classes, where: str = "") -> list[Feature]:
    """Return the features of columns, or of the fields of a struct at the path `where`."""
    return [
        {"name": field.name, **_feature(field.type, classes, f"{where}{field.name}")}
        for field in fields
    ]


def _feature(kind: pa.DataType, classes: Classes, path: str) -> Feature:
    if pa.types.is_struct(kind):
        return {"struct": features(kind, classes, f"{path}.")}
    if pa.types.is_list(kind):
        inner = _feature(kind.value_type, classes, path)
        return {"list": inner["struct"]} if "struct" in inner else {"sequence": inner["dtype"]}
    if path in classes:
        names = {str(number): name for number, name in enumerate(classes[path])}
        return {"dtype": {"class_label": {"names": names}}}
    return {"dtype": "float64" if pa.types.is_float64(kind) else str(kind)}
