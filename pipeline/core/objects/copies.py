"""Local copies of objects that are inputs: brought once, and again when the store has others.

    FOLDER/DIGEST/NAME         the object, or a folder of the objects below the prefix
    FOLDER/DIGEST.jsonl        a line for each: its key, and the token by which a listing knows it

What a build makes depends on the bytes of a copy, as on those of any file, and on nothing else.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Final

from pipeline.core.errors import InputError
from pipeline.core.files import input_errors, leads_out, replacing, walk
from pipeline.core.fingerprint import of_value
from pipeline.core.objects.access import Found, ObjectStore
from pipeline.core.objects.address import Address

#: So often an object that changes while it is read is read again.
_ATTEMPTS: Final = 3
#: The key of the one object that is no folder.
_ITSELF: Final = ""


def copy_of(source: Address, folder: Path, *, pattern: str = "") -> Path:
    """Return a copy of an object, or of the objects below a prefix, in a folder of copies.

    Of a prefix, objects whose names cannot match `pattern` are left out. Raises InputError where
    there is none, for keys that are no file names, and as ObjectStore does.
    """
    store = ObjectStore(source.scheme)
    wanted = _listed(store, source, pattern)
    place = folder / of_value(str(source))[:16]
    copies = _Copies(store, source, place / source.name, place.with_name(f"{place.name}.jsonl"))
    with input_errors(copies.target, "written"):
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        copies.update(wanted)
    return copies.target


def _listed(store: ObjectStore, source: Address, pattern: str) -> dict[str, Found]:
    found = store.stat(source)
    if found is not None:
        return {_ITSELF: found}
    last = PurePosixPath(pattern).name or "*"
    below = {
        key: found
        for key, found in store.find(source).items()
        if fnmatchcase(PurePosixPath(key).name, last)
    }
    if not below:
        raise InputError(f"{source}: no such object, and none below it; correct the address")
    for key in below:
        if leads_out(key) or str(PurePosixPath(key)) != key:
            raise InputError(f"{source}: the key {key!r} below it is no path of a file; rename it")
    return below


@dataclass(frozen=True)
class _Copies:
    store: ObjectStore
    source: Address
    target: Path
    notes: Path

    def update(self, wanted: dict[str, Found]) -> None:
        """Make the target hold these objects and no others."""
        single = _ITSELF in wanted
        if self.target.exists() and self.target.is_file() != single:
            self._clear()
        known, tokens = dict(self._noted()), dict[str, str]()
        with self.notes.open("a", encoding="utf-8") as notes:
            for key, found in wanted.items():
                path = self._path(key)
                whole = path.is_file() and path.stat().st_size == found.size
                tokens[key] = known.get(key, "")
                if not whole or tokens[key] != found.token:
                    tokens[key] = self._bring(key, path)
                    notes.write(_line(key, tokens[key]))
                    notes.flush()
        with replacing(self.notes) as draft:
            draft.write_text("".join(_line(*item) for item in tokens.items()), "utf-8")
        if not single:
            there = {self._path(key) for key in wanted}
            for path in [path for path in walk(self.target) if path not in there]:
                path.unlink()

    def _bring(self, key: str, path: Path) -> str:
        """Copy one object, and return the token of what was copied."""
        address = self._address(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        for _ in range(_ATTEMPTS):
            before = self.store.stat(address)
            with replacing(path) as draft:
                self.store.download(address, draft)
                size = draft.stat().st_size
            if before is not None and before == self.store.stat(address) and before.size == size:
                return before.token
        raise InputError(f"{address}: changes while it is read; run again when it is whole")

    def _address(self, key: str) -> Address:
        return self.source if key == _ITSELF else self.source / key

    def _path(self, key: str) -> Path:
        return self.target if key == _ITSELF else self.target / key

    def _clear(self) -> None:
        self.notes.unlink(missing_ok=True)
        if self.target.is_dir():
            shutil.rmtree(self.target)
        else:
            self.target.unlink()

    def _noted(self) -> Iterator[tuple[str, str]]:
        """Yield keys and tokens; the last line of a run that was killed may be cut."""
        with suppress(FileNotFoundError, ValueError):
            for line in self.notes.read_text("utf-8").splitlines():
                key, token = json.loads(line)
                yield key, token


def _line(key: str, token: str) -> str:
    return json.dumps([key, token], ensure_ascii=False) + "\n"
