"""The manifest of a release: what it was made of, what is in it, and the digests of its files.

`release_hash` is a digest of all that the manifest tells: of every setting and count, and of the
names and contents of all files, the private ones included. Left out is the page of the report, for
it holds a library for charts, whose versions are many; its numbers are those of the record beside
it. The manifest tells no time, host, absolute path, number of workers, person or file of votes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

from pydantic import Field, ValidationError

from pipeline.contracts.own_task import register_released
from pipeline.contracts.registry import TASKS
from pipeline.contracts.splits import Split
from pipeline.core.buildfile import Profile
from pipeline.core.errors import InputError, StoreError
from pipeline.core.files import reason_of, regular_file
from pipeline.core.jsontext import canonical, parsed
from pipeline.core.specs import Spec
from pipeline.core.store import MANIFEST, json_text, write_json
from pipeline.release.contained import MOST_BYTES, released_file
from pipeline.release.material import (
    Material,
    RawFile,
    ScoreScale,
    portable,
    public_settings,
)
from pipeline.release.privacy import key_check

#: The form of manifests that this version writes, and the newest that it reads.
FORMAT: Final = 1
#: The folder of a release that holds the specs and guidelines of own tasks.
SPECS: Final = "specs"
#: The key of `build` of a release that was imported from official files: their version.
OFFICIAL: Final = "official"
M = TypeVar("M", bound=Spec)


class Entry(Spec):
    """A file: its size, its digest, and the rows of a table."""

    bytes: int
    sha256: str
    rows: int | None = None


Files = dict[str, Entry]


class Input(Spec):
    """A source and what was read of it; a profile of personal data that is not the build's."""

    source: str
    licence: str
    files: list[RawFile]
    profile: Profile | None = Field(None, exclude_if=lambda value: value is None)


class TaskEntry(Spec):
    """A task: the spec it was annotated by, its split rule, its counts, and the scale of scores."""

    task: str
    spec: str
    spec_digest: str
    rule: str
    splits: dict[Split, int]
    gold: int
    unresolved: int
    removed: int
    left_out: int
    scale: ScoreScale | None = Field(None, exclude_if=lambda scale: scale is None)


class StageEntry(Spec):
    """A call of a stage for a source or task, and its counts."""

    stage: str
    source: str
    rows_in: int
    rows_out: int
    dropped: int
    quarantined: int
    edited: int


class Private(Spec):
    """The digest of the names and contents of the private files."""

    digest: str


class WithdrawnEntry(Spec):
    """An example that this version and all later ones omit, and why: a word of `REASONS`."""

    id: str
    reason: str


class Tool(Spec):
    """What made the release."""

    name: str
    version: str


class Manifest(Spec):
    """The whole of manifest.json.

    `names` tells how annotators got their public names: keyed ones need a secret key, plain ones
    can be undone by whoever guesses ids. `key_check` tells keys apart, '' without one.
    """

    format: int
    name: str
    version: str
    simulated: bool
    seed: int
    names: Literal["keyed", "plain"] = "plain"
    key_check: str = ""
    build: dict[str, Any]
    inputs: list[Input]
    tasks: dict[str, TaskEntry]
    stages: list[StageEntry]
    files: Files
    withdrawn: list[WithdrawnEntry] = Field([], exclude_if=lambda entries: not entries)
    private: Private
    release_hash: str
    tool: Tool


class PrivateManifest(Spec):
    """The manifest of the private folder; `manifest` is the digest of the public manifest.json."""

    format: int
    name: str
    version: str
    files: Files
    manifest: str


def build_manifest(material: Material, files: Files, private: Files) -> Manifest:
    """Return the manifest of a release with these files."""
    facts = material.facts
    manifest = Manifest(
        format=FORMAT,
        name=facts.name,
        version=facts.version,
        simulated=facts.simulated,
        seed=facts.seed,
        names="keyed" if material.key else "plain",
        key_check=key_check(material.key),
        build=public_settings(material.build),
        inputs=[
            Input(
                source=source.id,
                licence=source.licence,
                files=[
                    RawFile(file=portable(raw.file), sha256=raw.sha256) for raw in source.inputs
                ],
                profile=source.profile,
            )
            for source in sorted(facts.sources, key=lambda source: source.id)
        ],
        tasks={
            task.config: TaskEntry(
                task=task.id,
                spec=task.spec,
                spec_digest=task.spec_digest,
                rule=task.split_rule,
                splits=dict(task.splits),
                gold=task.gold,
                unresolved=task.unresolved,
                removed=task.removed,
                left_out=task.left_out,
                scale=task.scale,
            )
            for task in facts.tasks
        },
        stages=stage_entries(material.stages),
        files=files,
        withdrawn=[WithdrawnEntry(id=name, reason=why) for name, why in sorted(facts.withdrawn)],
        private=Private(digest=digest_of(private)),
        release_hash="",
        tool=Tool(name=facts.tool, version=facts.tool_version),
    )
    return manifest.model_copy(update={"release_hash": release_hash(manifest)})


def stage_entries(stages: Sequence[Mapping[str, Any]]) -> list[StageEntry]:
    """Return the entries of calls of stages, as `flows/view/funnel.stages` counts them."""
    return [
        StageEntry(**{name: row.get(name, 0) for name in StageEntry.model_fields}) for row in stages
    ]


def digest_of(files: Files) -> str:
    """Return the digest of files by their names, sizes, rows and contents."""
    return digest(plain(files))


def release_hash(manifest: Manifest) -> str:
    """Return the digest of a release: its manifest without this digest and the report's pages."""
    body = _plainly(manifest)
    del body["release_hash"]
    body["files"] = {path: entry for path, entry in body["files"].items() if not is_page(path)}
    return digest(body)


def is_page(path: str) -> bool:
    """Tell whether a file of a release is a page of its report, which shows what others hold."""
    return path.startswith("report/") and path.endswith(".html")


def plain(files: Files) -> dict[str, dict[str, Any]]:
    """Return the entries of files as plain data."""
    return {path: entry.model_dump(exclude_none=True) for path, entry in files.items()}


def write_manifest(folder: Path, manifest: Manifest | PrivateManifest) -> None:
    """Write a manifest into its folder."""
    write_json(folder / MANIFEST, _plainly(manifest))


def is_as_written(folder: Path, manifest: Manifest | PrivateManifest) -> bool:
    """Return whether the file of a manifest holds nothing but the manifest."""
    return (folder / MANIFEST).read_bytes() == json_text(_plainly(manifest)).encode()


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a release.

    Own tasks that are not known yet are registered by the specs that the release holds. Raises
    StoreError when there is none, it is damaged, or a newer version of this tool wrote it, and
    InputError for a folder of another kind.
    """
    manifest = read_as(folder, Manifest)
    for entry in manifest.tasks.values():
        spec = f"{SPECS}/{entry.task}/spec.yaml"
        if spec in manifest.files and entry.task not in TASKS:
            register_released(released_file(folder, spec, manifest.files).parent)
    return manifest


def read_private_manifest(folder: Path) -> PrivateManifest:
    """Read the manifest of a private folder; raises StoreError as `read_manifest` does."""
    return read_as(folder, PrivateManifest)


def private_folder(folder: Path) -> Path:
    """Return where the private files of a release lie: beside it."""
    place = folder.resolve()
    return place.with_name(f"{place.name}.private")


def read_as(folder: Path, model: type[M]) -> M:
    """Read a manifest of one kind; raises StoreError and InputError as `read_manifest` does."""
    path = folder / MANIFEST
    try:
        data = parsed(regular_file(path, most=MOST_BYTES).read_text("utf-8"))
        made_by = data["format"]
        if isinstance(made_by, int) and made_by > FORMAT:
            raise StoreError(
                f"{path}: made by a newer version of this tool: format {made_by}, this one reads"
                f" {FORMAT}; update"
            )
        kind = data.get("kind", "release")
        if ("kind" in model.model_fields) != ("kind" in data):
            raise InputError(f"{folder}: is a {kind}; another kind of folder is wanted here")
        return model.model_validate(data)
    except (FileNotFoundError, NotADirectoryError):
        raise StoreError(
            f"{folder}: no release is there, for it has no {MANIFEST}; check the path"
        ) from None
    except PermissionError as error:
        raise StoreError(f"{path}: {error.strerror}; permit it to this user") from None
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"])) or "its form"
        raise StoreError(f"{path}: damaged ({where}); fetch or build the release again") from None
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise StoreError(
            f"{path}: damaged ({reason_of(error)}); fetch or build the release again"
        ) from None


def _plainly(manifest: Manifest | PrivateManifest) -> dict[str, Any]:
    return {**manifest.model_dump(mode="json"), "files": plain(manifest.files)}


def digest(value: object) -> str:
    """Return the digest of plain data."""
    return sha256(canonical(value).encode()).hexdigest()
