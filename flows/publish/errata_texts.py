"""What the cards of a release say once errata made a new version of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from pipeline.contracts.splits import FILES, SPLITS
from pipeline.core.wording import count
from pipeline.release.cards import code, codes
from pipeline.release.errata.rows import Patched, sizes
from pipeline.release.manifest import Files, Manifest

#: So many examples of a config are named in the changelog; the ledger has all.
_NAMED: Final = 20
_TITLE: Final = re.compile(r"^# .*$", re.MULTILINE)


def change_log(
    before: str,
    manifest: Manifest,
    changed: Mapping[str, Patched],
    tests: Mapping[str, set[str]],
) -> str:
    """Return the changelog of a release with an entry for a version; test examples are unnamed."""
    source = manifest.build["errata"][-1]
    lines = [
        f"## {manifest.version}",
        "",
        f"Version {source['of']} with {count(source['patches'], 'patch', 'patches')} of an errata"
        " file (SHA-256"
        f" {source['sha256'][:16]}…); each is a row of `ledger/CONFIG/errata.parquet`.",
        "",
    ]
    for config, patched in changed.items():
        hidden = tests[config] | {
            guid for guid, split in patched.removed.items() if split == "test"
        }
        for what, guids in (("edited", patched.edited), ("removed", set(patched.removed))):
            if guids:
                named = sorted(guids - hidden)
                names = f": {codes(named[:_NAMED])}" if named else ""
                more = f" and {len(guids) - _NAMED:,} more" * (len(guids) > _NAMED)
                lines.append(f"- {code(config)}: {len(guids):,} {what}{names}{more}")
    entry = "\n".join(lines) + "\n"
    title = _TITLE.search(before)
    if title is None:
        return f"# Changelog\n\n{entry}"
    rest = before[title.end() :].lstrip("\n")
    return f"{before[: title.end()]}\n\n{entry}\n{rest}"


def readme(text: str, old: str, manifest: Manifest, changed: Mapping[str, Patched]) -> str:
    """Return the card of a release with the new version, and the sizes that are others now."""
    name = manifest.name
    text = text.replace(f"pretty_name: {name} {old}", f"pretty_name: {name} {manifest.version}", 1)
    title = _TITLE.search(text)
    if title is None:
        return text
    source = manifest.build["errata"][-1]
    lines = [
        "## Errata",
        "",
        f"This is version {manifest.version}: version {old} with"
        f" {count(source['patches'], 'patch', 'patches')}, see"
        " `CHANGELOG.md`.",
    ]
    smaller = {config: sizes(patched) for config, patched in changed.items() if patched.removed}
    if smaller:
        heads = " | ".join(FILES[split] for split in SPLITS)
        lines += ["", "Examples were removed; these numbers replace those below.", ""]
        lines += [f"| config | {heads} |", "| --- | ---: | ---: | ---: |"]
        lines += [
            f"| {code(config)} | {' | '.join(f'{by_split[split]:,}' for split in SPLITS)} |"
            for config, by_split in smaller.items()
        ]
    head = title[0].replace(old, manifest.version)
    section = "\n".join(lines)
    return f"{text[: title.start()]}{head}\n\n{section}\n{text[title.end() :]}"


def croissant_card(card: dict[str, Any], old: str, new: str, files: Files) -> str:
    """Return croissant.json with the new version, and the digests of all files."""
    cite = card["citeAs"].replace(f"version = {{{old}}}", f"version = {{{new}}}")
    card |= {"version": new, "citeAs": cite}
    for place in card["distribution"]:
        if entry := files.get(str(place.get("contentUrl"))):
            place |= {"sha256": entry.sha256, "contentSize": f"{entry.bytes} B"}
    return json.dumps(card, ensure_ascii=False, indent=1) + "\n"
