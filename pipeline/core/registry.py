"""Objects by name that are imported when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Any, TypeVar

from pipeline.core.errors import InputError, SpecError

T = TypeVar("T")


class Registry(Mapping[str, T]):
    """Objects by name; an unknown name raises SpecError with the known ones.

    `kind` is the word for an object in errors ("reader"); `places` maps each name to
    ``package.module:ATTRIBUTE``, or to ``package.module`` for the module itself.
    """

    def __init__(self, kind: str, places: Mapping[str, str]) -> None:
        self.kind = kind
        self.places = dict(places)

    def module(self, name: str) -> str:
        """Return the dotted path of the module that holds an object, for fingerprints."""
        return self._place(name)[0]

    def __getitem__(self, name: str) -> T:
        path, attribute = self._place(name)
        module: Any = import_module(path)
        value: Any = getattr(module, attribute) if attribute else module
        return value  # type: ignore[no-any-return]

    def __contains__(self, name: object) -> bool:
        return name in self.places

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def _place(self, name: str) -> tuple[str, str]:
        if name not in self.places:
            raise SpecError(f"unknown {self.kind} {name!r}; known: {', '.join(self)}")
        module, _, attribute = self.places[name].partition(":")
        return module, attribute


class Models(Registry[Callable[..., T]]):
    """Loaders of models by kind; a model is named ``KIND`` or ``KIND:REST``.

    A loader takes the rest ("" for none) and `name`, and returns an object with a `digest`. `forms`
    are the allowed names, with a word in capitals for the rest. `digests` are functions that return
    the digest of a rest without loading the model, by the kinds that have one.
    """

    def __init__(
        self,
        kind: str,
        places: Mapping[str, str],
        *,
        forms: Sequence[str],
        digests: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Take the places; nothing is imported."""
        super().__init__(kind, places)
        self.forms = tuple(forms)
        self.digests: Registry[Callable[[str], str]] = Registry(kind, digests)

    def load(self, spec: str) -> T:
        """Return the model of that name.

        Raises InputError for an unknown name and what its loader raises: InputError for a model
        that is missing or damaged, MissingDependencyError without its libraries.
        """
        kind, rest = self._split(spec)
        return self[kind](rest, name=spec)

    def digest_of(self, spec: str) -> str:
        """Return the digest of the model of that name; raises what `load` raises."""
        kind, rest = self._split(spec)
        if kind in self.digests:
            return self.digests[kind](rest)
        model: Any = self.load(spec)
        return str(model.digest)

    def _split(self, spec: str) -> tuple[str, str]:
        kind, colon, rest = spec.partition(":")
        with_rest = any(form.startswith(f"{kind}:") for form in self.forms)
        if not (with_rest and rest if colon else spec in self.forms):
            raise InputError(f"unknown {self.kind} {spec!r}; allowed: {', '.join(self.forms)}")
        return kind, rest
