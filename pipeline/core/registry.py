"""Objects by name that are imported when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, TypeVar

from pipeline.core.errors import SpecError

T = TypeVar("T")


class Registry(Mapping[str, T]):
    """Objects by name; an unknown name raises SpecError with the known ones.

    `kind` is the word for an object in errors ("reader"); `places` maps each name to
    ``package.module:ATTRIBUTE``, or to ``package.module`` for the module itself.
    """

    def __init__(self, kind: str, places: Mapping[str, str]) -> None:
        """Take the places; nothing is imported."""
        self.kind = kind
        self.places = dict(places)

    def module(self, name: str) -> str:
        """Return the dotted path of the module that holds an object, for fingerprints."""
        return self._place(name)[0]

    def __getitem__(self, name: str) -> T:
        """Import and return the object of that name."""
        path, attribute = self._place(name)
        module: Any = import_module(path)
        value: Any = getattr(module, attribute) if attribute else module
        return value  # type: ignore[no-any-return]

    def __contains__(self, name: object) -> bool:
        """Return whether there is an object of that name, without importing it."""
        return name in self.places

    def __iter__(self) -> Iterator[str]:
        """Return an iterator over the names."""
        return iter(self.places)

    def __len__(self) -> int:
        """Return the number of names."""
        return len(self.places)

    def _place(self, name: str) -> tuple[str, str]:
        if name not in self.places:
            raise SpecError(f"unknown {self.kind} {name!r}; known: {', '.join(self)}")
        module, _, attribute = self.places[name].partition(":")
        return module, attribute
