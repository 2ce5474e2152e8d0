"""What is wrong with a round: how its build ended, what it left, and the bytes that came of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from build_site import Reference, Site, digests
from build_watch import Ended

from flows.publish.verified import verify_release
from pipeline.core import store
from pipeline.core.errors import StoreError
from pipeline.core.fingerprint import of_file

#: What an error advises: one of these words, after what is wrong.
_ADVICE: Final = re.compile(
    r"\b(run|remove|mend|give|make room|set|correct|move|raise|start|free|check|build)\b"
)
_PLACE: Final = re.compile(r"/|WORK|server|worker|scheduler|ulimit|source \w+")


def end_of(ended: Ended, reference: Reference) -> str:
    """Return how a build ended: same, other input, killed, error or wrong."""
    if ended.code == 0 and ended.record is not None:
        hashes = ended.record.get("fingerprint"), ended.record.get("release_hash")
        return "same" if hashes == reference.hashes else "other input"
    if ended.code < 0:
        return "killed"
    return "error" if ended.code in (1, 2) else "wrong"


def faults_of_words(ended: Ended, end: str, reference: Reference) -> Iterator[str]:
    """Yield what is wrong with what a build said, and with what outlived it."""
    said = ended.out + ended.error
    if ended.hung:
        yield "the build hung"
    if "Traceback" in said:
        yield "it printed a traceback"
    if any(value in said for value in reference.private_values):
        yield "it printed a personal value"
    for words in ended.left:
        yield f"a process outlived it: {words[:120]}"
    lines = ended.error.splitlines()
    if end == "same" and lines:
        yield f"it printed {lines[0][:200]!r} though it went well"
    if end == "error":
        errors = [line for line in lines if line.startswith("error: ")]
        if len(errors) != 1 or len(lines) != 1:
            yield f"it printed {len(lines)} lines, {len(errors)} of them errors: {lines[:3]}"
        elif not (_ADVICE.search(errors[0]) and _PLACE.search(errors[0])):
            yield f"its error does not say where, or what to do: {errors[0][:300]}"
        if set(ended.record or {}) != {"error", "code"}:
            yield f"its JSON is {ended.out[:100]!r}, not the error"
    if end == "wrong":
        yield f"it ended with code {ended.code}: {lines[-3:]}"


def faults_of_store(site: Site, reference: Reference) -> Iterator[str]:
    """Yield what has its final name in a store and is not whole, or not what it should be."""
    for folder in sorted((site.work / "store").glob("*/*")):
        if folder.name.startswith(".") or folder.name.endswith(".partial"):
            continue
        name = folder.relative_to(site.work).as_posix()
        try:
            manifest = store.read_manifest(folder)
        except StoreError as error:
            yield f"{name}: {error}"
            continue
        assert manifest is not None
        for file, entry in manifest.files.items():
            digest = of_file(folder / file)
            expected = reference.store.get(f"{name.removeprefix('store/')}/{file}", digest)
            if digest != entry["sha256"] or digest != expected:
                yield f"{name}/{file} is not what it should be"


def faults_of_result(site: Site, reference: Reference) -> Iterator[str]:
    """Yield how a build that ended well differs from the reference: releases, verify, store, gc."""
    yield from _differences("releases", digests(site.releases), reference.releases)
    for release in sorted(site.releases.glob("*/*")):
        if not release.name.endswith(".private"):
            for check in verify_release(release):
                if not check.ok:
                    yield f"klue verify: {check.name}: {check.detail}"
    done = site.klue("store", "gc", "--work", site.work, "--json")
    if done.returncode or done.stderr:
        yield f"klue store gc: {done.stderr[:200]}"
    yield from _differences("store", digests(site.work / "store"), reference.store)


def _differences(name: str, found: dict[str, str], expected: object) -> Iterator[str]:
    assert isinstance(expected, dict)
    for path in sorted(found.keys() | expected.keys()):
        if path not in found:
            yield f"{name}/{path} is missing"
        elif path not in expected:
            yield f"{name}/{path} should not be there"
        elif found[path] != expected[path]:
            yield f"{name}/{path} has other bytes"
