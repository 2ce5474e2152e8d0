"""Clients of a run share one TLS context, which verifies as any other."""

from __future__ import annotations

import ssl

import certifi
import pytest

from flows.engine.tls import shared_contexts

FILE = certifi.where()


def test_one_context_stands_for_one_file_of_certificates() -> None:
    create = ssl.create_default_context
    with shared_contexts():
        context = ssl.create_default_context(cafile=FILE)
        assert ssl.create_default_context(cafile=FILE) is context
    assert ssl.create_default_context is create
    assert create(cafile=FILE) is not context
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert context.cert_store_stats() == create(cafile=FILE).cert_store_stats()


def test_what_is_asked_for_otherwise_is_shared_with_nobody() -> None:
    """Prefect makes a context without arguments to switch its verification off."""
    with shared_contexts():
        shared = ssl.create_default_context(cafile=FILE)
        own = ssl.create_default_context()
        own.check_hostname = False
        own.verify_mode = ssl.CERT_NONE
        assert ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=FILE) is not shared
        assert ssl.create_default_context(cafile=FILE, capath=None) is not shared
        assert ssl.create_default_context().verify_mode == ssl.CERT_REQUIRED
        assert shared.verify_mode == ssl.CERT_REQUIRED


def test_the_shared_function_is_taken_back_after_an_error() -> None:
    create = ssl.create_default_context
    with pytest.raises(OSError), shared_contexts():
        ssl.create_default_context(cafile="no such file")
    assert ssl.create_default_context is create
