"""How a translator is named, told by its identity, and opened.

Settings are those of `Translator` (core/candidates_config.py) as a JSON object, with whole paths.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pipeline.core.errors import InputError
from pipeline.tasks.sts.candidates.translation import papago, ready, seq2seq
from pipeline.tasks.sts.candidates.translation.journal import Journal
from pipeline.tasks.sts.candidates.translation.protocol import Translator
from pipeline.tasks.sts.candidates.translation.twostep import TwoStep


def identity(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return what decides the translations: kind, name (with digests of files), languages, style.

    Nothing is loaded, asked or paid for. Raises InputError for a file or checkpoint that is not
    there, MissingDependencyError for a library that is not installed.
    """
    return {
        "kind": settings["kind"],
        "name": _name(settings),
        "format": settings["format"] if settings["kind"] == "file" else None,
        "pivot": settings["pivot"],
        "honorific": None if settings["kind"] == "seq2seq" else settings["honorific"],
    }


@contextmanager
def opened(settings: Mapping[str, Any], journal: Path | None) -> Iterator[Translator]:
    """Open the translator of the settings; `journal` is the folder of its answers.

    The keys of a service are asked for even where the journal holds every answer: that it does
    shows only when the last one was looked up. Raises InputError when the translator cannot be
    used: keys, files, checkpoints, no journal.
    """
    name, pivot = _name(settings), settings["pivot"]
    if settings["kind"] == "file":
        yield ready.load_ready(
            Path(settings["paths"][0]),
            settings["format"],
            pivot=pivot,
            honorific=settings["honorific"],
        )
        return
    if journal is None:
        raise InputError("a translator needs a folder for its journal; none is given")
    with Journal(journal, name) as kept:
        if settings["kind"] == "seq2seq":
            loaded = seq2seq.load_seq2seq(
                settings["paths"], pivot=pivot, beams=settings["beams"], codes=settings["codes"]
            )
            yield TwoStep(name, pivot, loaded.translate, kept)
            return
        given = papago.access(settings, os.environ)
        with papago.opened(given, honorific=settings["honorific"]) as service:
            yield TwoStep(name, pivot, service.translate, kept)


def _name(settings: Mapping[str, Any]) -> str:
    pivot, honorific = settings["pivot"], settings["honorific"]
    if settings["kind"] == "file":
        return ready.identity(Path(settings["paths"][0]), pivot=pivot, honorific=honorific)
    if settings["kind"] == "papago":
        return papago.identity(settings.get("url") or papago.URL, pivot=pivot, honorific=honorific)
    return seq2seq.identity(
        settings["paths"], pivot=pivot, beams=settings["beams"], codes=settings["codes"]
    )
