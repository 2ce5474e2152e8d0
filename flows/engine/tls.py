"""One TLS context for all clients of a run.

Prefect makes one for each of its nine, even where the address is one without TLS; reading the
certificates takes 25 ms of processor time.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any


@contextmanager
def shared_contexts() -> Iterator[None]:
    """Give all who ask for the certificates of a file one context, for the length of a block.

    It verifies like any other if an address without TLS redirects to one with TLS. Addresses with
    TLS need contexts of their own: each connection sets the protocols of its context, and another
    thread may read them at that moment. Who asks for anything but a file gets a context of its own.
    """
    create = ssl.create_default_context

    @cache
    def of_file(file: str) -> ssl.SSLContext:
        return create(cafile=file)

    def shared(*purpose: ssl.Purpose, **sources: Any) -> ssl.SSLContext:
        alone = not purpose and sources.keys() == {"cafile"}
        return of_file(sources["cafile"]) if alone else create(*purpose, **sources)

    ssl.create_default_context = shared
    try:
        yield
    finally:
        ssl.create_default_context = create
