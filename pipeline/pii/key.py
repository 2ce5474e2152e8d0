"""The secret key of pseudonyms: read, made, and recognised without being shown."""

from __future__ import annotations

import hmac
import secrets
import stat
from pathlib import Path
from typing import Final

from pipeline.core.errors import InputError

#: Fewest bytes of a key; 16 bytes are as many as a digest of an original has.
SHORTEST: Final = 16
_LONGEST: Final = 4096
#: Fewer different bytes than this are blanks or zeros, not a key.
_DISTINCT: Final = 6
_CHECK: Final = b"klue pii check value"


def read_key(path: Path) -> bytes:
    """Return the content of a key file, without one newline at its end.

    Raises InputError, which never holds any of the content, when the file cannot be read or has
    fewer than 16 or more than 4096 bytes.
    """
    try:
        with path.open("rb") as stream:
            content = stream.read(_LONGEST + 3)
    except OSError as error:
        raise InputError(
            f"key file {path}: cannot be read ({error.strerror}); give a file of at least"
            f" {SHORTEST} random bytes"
        ) from None
    return checked(content.removesuffix(b"\n").removesuffix(b"\r"), f"key file {path}")


def checked(key: bytes, what: str = "key") -> bytes:
    """Return the key. Raises InputError when it is too short or too long to be one."""
    if SHORTEST <= len(key) <= _LONGEST and len(set(key)) < _DISTINCT:
        raise InputError(
            f"{what}: {len(set(key))} different bytes in {len(key)} are easily guessed; make a key,"
            " for example with `openssl rand -hex 32`"
        )
    if not SHORTEST <= len(key) <= _LONGEST:
        given = f"{len(key)} bytes" if len(key) <= _LONGEST else f"more than {_LONGEST} bytes"
        raise InputError(
            f"{what}: {given}; allowed are {SHORTEST} to {_LONGEST}; make one, for example with"
            " `openssl rand -hex 32`"
        )
    return key


def exposure(path: Path) -> str | None:
    """Return a warning when others than its owner may read a key file, else None.

    A warning and no error: mounted secrets and shared machines often allow no other mode.
    """
    mode = stat.S_IMODE(path.stat().st_mode)
    if not mode & (stat.S_IRGRP | stat.S_IROTH):
        return None
    return f"key file {path}: others may read it (mode {mode:03o}); run `chmod 600 {path}`"


def random_key() -> bytes:
    """Return 32 random bytes: a key for one run, which then cannot be repeated."""
    return secrets.token_bytes(32)


def check_value(key: bytes) -> str:
    """Return 16 hexadecimal digits that tell keys apart and do not give the key away.

    They may stand in fingerprints and manifests.
    """
    return hmac.digest(key, _CHECK, "sha256")[:8].hex()
