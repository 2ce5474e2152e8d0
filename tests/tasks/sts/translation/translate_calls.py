"""Kept sentences of two sources, a service that translates them, and calls of `translate`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from loopback import Service

from pipeline.core import schemas, store
from pipeline.core.stage import Call, call
from pipeline.tasks.sts.build_inputs import PapagoTranslator, translation_params
from pipeline.tasks.sts.translation import translator_identity

MODULE = "pipeline.tasks.sts.build_inputs"
TEXTS = [f"{n}번째 숙소는 역에서 가까웠다." for n in range(40)]


def unit(source: str, n: int, text: str, cluster: str | None = None) -> dict[str, Any]:
    """Return a row of KEPT; alone in its cluster unless that is told."""
    name = f"{source}-s{n:03}"
    return {
        "id": name,
        "source": source,
        "document": "d",
        "kind": "sentence",
        "ordinal": 0,
        "start": 0,
        "end": 1,
        "text": text,
        "cluster": cluster or name,
    }


def keep(tmp_path: Path, units: list[dict[str, Any]], *, reverse: bool = False) -> Path:
    """Write the kept units, and return their folder."""
    folder = tmp_path / "store" / "all" / "dedup-1"
    folder.mkdir(parents=True, exist_ok=True)
    rows = units[::-1] if reverse else units
    store.write_table(folder, "kept", "x-0000", schemas.build("kept", rows))
    return folder


def make_call(
    tmp_path: Path,
    settings: dict[str, Any] | None,
    *,
    quotas: dict[str, int],
    sources: tuple[str, ...] = ("airbnb",),
    **sampling: Any,
) -> Call:
    """Return a call over the kept units."""
    given = {"quotas": quotas, "shortest": 8, "longest": 60, "reserve": 0.1, "pool": 9, **sampling}
    params = {
        "seed": 7,
        "sampling": translation_params(given),
        "sources": {name: {"kind": "sentence", "style": "colloquial"} for name in sources},
        "translator": None if settings is None else translator_identity(settings),
    }
    made = call(
        MODULE,
        work=tmp_path,
        source="sts",
        params=params,
        arguments={"translator": settings, "journal": str(tmp_path / "journal")},
    )
    folder = tmp_path / "store" / "all" / "dedup-1"
    return Call(**{**made.__dict__, "inputs": (folder,)})


def papago(service: Service, **more: Any) -> dict[str, Any]:
    """Return the settings of a translator that asks the service."""
    given = PapagoTranslator.model_validate(
        {
            "kind": "papago",
            "url": service.url,
            "key_variable": "KEY_VAR",
            "secret_variable": "SECRET_VAR",
            "per_second": 1000.0,
            "retries": 0,
            **more,
        }
    )
    return given.model_dump(mode="json")
