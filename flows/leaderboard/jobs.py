"""What is done with a submission in a child process: it is checked, scored, ranked.

Arguments and results are JSON. `folder` is that of the board, `version` that of the board;
`files` are names in its folder of submissions, which is where a job runs, so that no message tells
a path of the server.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from flows.leaderboard.draws import DrawCache, Sampled
from flows.leaderboard.halves import read_key
from flows.leaderboard.releases import gold, questions, withdrawn
from flows.leaderboard.scoring import Scale, is_gain, sample_file, score_file, standings
from pipeline.contracts.splits import Split
from pipeline.core.fingerprint import of_file
from pipeline.leaderboard.layout import Layout
from pipeline.leaderboard.records import Part
from pipeline.scoring.submission import read_submission

Arguments = Mapping[str, Any]
CHECK: Final = f"{__name__}:Check"
SCORE: Final = f"{__name__}:Score"
RANK: Final = f"{__name__}:Rank"
_SPLITS: Final[Mapping[str, Split]] = {"public": "test", "final": "test", "dev": "dev"}


class ChangedError(Exception):
    """A file is not the one that was received."""


class Check:
    """Reads the files of a submission as `klue score` does, without any test label.

    Arguments: folder, version, task, file, dev_file (or null), most. Returns how many predictions
    each has.
    """

    @staticmethod
    def prepare(arguments: Arguments) -> dict[str, Any]:
        """Return the questions of the parts, and what was withdrawn of them, by part."""
        places = {part: _place(arguments, part) for part, _ in _files(arguments)}
        return {part: (questions(*at), withdrawn(*at)) for part, at in places.items()}

    @staticmethod
    def run(prepared: Mapping[str, Any], arguments: Arguments) -> dict[Part, int]:
        """Read each file as a whole."""
        _enter(arguments)
        counts: dict[Part, int] = {}
        for part, file in _files(arguments):
            wanted, gone = prepared[part]
            predictions = read_submission(file, wanted, most=arguments["most"], withdrawn=gone)
            counts[part] = len(predictions)
        return counts


class Score:
    """Scores the files of a submission; tells no number that the ladder does not show.

    Arguments: as of `Check`, and part (public or final), variant, release and scorer (digests);
    `best` is the file of the best of the ladder (null: the first is shown), `before` and
    `improvements` are the counts of `ladders.shown_before`; `digests` are those of the files, as
    they were received. Returns, by part, `examples`, `shown`,
    `metrics` and `reasons`.
    """

    @staticmethod
    def prepare(arguments: Arguments) -> dict[str, Scale]:
        """Return what each part is scored by."""
        return {part: _scale(arguments, part) for part, _ in _files(arguments)}

    @staticmethod
    def run(scales: Mapping[str, Scale], arguments: Arguments) -> dict[str, Any]:
        """Score each file."""
        _enter(arguments)
        cache = _cache(arguments)
        parts: dict[str, Any] = {}
        for part, file in _files(arguments):
            if of_file(file) != arguments["digests"][file.name]:
                raise ChangedError
            if part == "dev":
                parts[part] = _record(score_file(scales[part], file), shown=True)
                continue
            new = sample_file(scales[part], file, cache)
            shown = _is_shown(scales[part], new, arguments, cache)
            if shown:
                cache.keep(scales[part].name_of(file), new)
            parts[part] = _record(new, shown=shown)
        return parts


class Rank:
    """Ranks the entries of a task.

    Arguments: as of `Score`; `files` of the entries instead of `file`. Returns, by metric, what
    `scoring.standings` returns.
    """

    @staticmethod
    def prepare(arguments: Arguments) -> Scale:
        """Return what the part is scored by."""
        return _scale(arguments, arguments["part"])

    @staticmethod
    def run(scale: Scale, arguments: Arguments) -> dict[str, list[Any]]:
        """Rank the files; samples that are not kept are made again."""
        _enter(arguments)
        cache = _cache(arguments)
        sampled = []
        for file in map(Path, arguments["files"]):
            sampled.append(sample_file(scale, file, cache))
            cache.keep(scale.name_of(file), sampled[-1])
        return standings(sampled, scale.gold.scorer.names)


def _files(arguments: Arguments) -> list[tuple[Part, Path]]:
    """Return the files of a submission by part, as they are named in their folder."""
    files: list[tuple[Part, Path]] = [(arguments.get("part", "public"), Path(arguments["file"]))]
    if arguments.get("dev_file"):
        files.append(("dev", Path(arguments["dev_file"])))
    return files


def _place(arguments: Arguments, part: str) -> tuple[Path, int, str, Split]:
    folder, version = Path(arguments["folder"]), arguments["version"]
    return folder, version, arguments["task"], _SPLITS[part]


def _scale(arguments: Arguments, part: Part) -> Scale:
    place = _place(arguments, part)
    return Scale(
        gold(*place),
        part,
        read_key(Layout(Path(arguments["folder"])).half_key),
        arguments["variant"],
        arguments["release"],
        arguments["scorer"],
        arguments["most"],
        withdrawn(*place),
    )


def _cache(arguments: Arguments) -> DrawCache:
    return DrawCache(Layout(Path(arguments["folder"])).cache)


def _enter(arguments: Arguments) -> None:
    os.chdir(Layout(Path(arguments["folder"])).submissions)


def _is_shown(scale: Scale, new: Sampled, arguments: Arguments, cache: DrawCache) -> bool:
    if not arguments.get("best"):
        return True
    best = sample_file(scale, Path(arguments["best"]), cache)
    counts = {name: arguments[name] for name in ("before", "improvements")}
    return is_gain(scale, new, best, **counts)


def _record(sampled: Sampled, *, shown: bool) -> dict[str, Any]:
    return {
        "examples": sampled.examples,
        "shown": shown,
        "metrics": dict(sampled.scores) if shown else {},
        "reasons": dict(sampled.reasons) if shown else {},
    }
