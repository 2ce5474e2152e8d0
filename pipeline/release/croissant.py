"""croissant.json: the release as Croissant 1.1 describes data sets, for machines that load it.

Every Parquet file is a FileObject with its digest; a config is a RecordSet over the files of its
splits, with a field `split`. https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any, Final

import pyarrow as pa

from pipeline.contracts.splits import FILES, SPLITS
from pipeline.core.errors import SchemaError
from pipeline.core.licences import LICENCES
from pipeline.release.licence import licence_of
from pipeline.release.manifest import Files
from pipeline.release.material import Facts, TaskFacts, has_klue_task
from pipeline.release.tables import COLUMNS

Json = dict[str, Any]

_LANGUAGES: Final = {"@container": "@language"}
#: Names whose term is that of the vocabulary `cr` under the same name.
_TERMS: Final = (
    *("arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field"),
    *("fileObject", "fileProperty", "fileSet", "format", "includes", "isArray", "isLiveDataset"),
    *("jsonPath", "key", "md5", "parentField", "path", "recordSet", "references", "regex"),
    *("repeated", "replace", "samplingRate", "separator", "source", "subField", "transform"),
)
_CONTEXT: Final[Json] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "description": _LANGUAGES,
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": _LANGUAGES,
    **{name: f"cr:{name}" for name in _TERMS},
}


_SPLIT_RECORDS: Final[Json] = {
    "@type": "cr:RecordSet",
    "@id": "splits",
    "name": "splits",
    "description": "The splits that a config may have; the labels of test are withheld.",
    "dataType": "cr:Split",
    "key": {"@id": "splits/name"},
    "field": [
        {
            "@type": "cr:Field",
            "@id": "splits/name",
            "name": "splits/name",
            "description": "The name of the split, as its file has it.",
            "dataType": "sc:Text",
        }
    ],
    "data": [{"splits/name": FILES[split]} for split in SPLITS],
}


def croissant(facts: Facts, files: Files) -> Json:
    """Return croissant.json as plain data.

    `files` are those of the release by path. A config without files is left out. Dates of
    publication are not told: nothing in a release depends on the clock. Raises InputError as
    `licence_of` does.
    """
    paths = {
        task.config: [
            path for split in SPLITS if (path := f"{task.config}/{FILES[split]}.parquet") in files
        ]
        for task in facts.tasks
    }
    present = [task for task in facts.tasks if paths[task.config]]
    parquet = sorted(path for path in files if path.endswith(".parquet"))
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        **_about(facts),
        "distribution": [
            *(
                {
                    "@type": "cr:FileObject",
                    "@id": path,
                    "name": PurePosixPath(path).name,
                    "contentUrl": path,
                    "contentSize": f"{files[path].bytes} B",
                    "encodingFormat": "application/x-parquet",
                    "sha256": files[path].sha256,
                }
                for path in parquet
            ),
            *(
                {
                    "@type": "cr:FileSet",
                    "@id": f"{task.config}-files",
                    "name": f"{task.config}-files",
                    "description": f"The splits of {task.config}.",
                    "encodingFormat": "application/x-parquet",
                    "includes": paths[task.config],
                }
                for task in present
            ),
        ],
        "recordSet": [_SPLIT_RECORDS, *map(_record_set, present)],
    }


def citation(facts: Facts) -> str:
    """Return how a release is cited, as BibTeX without a year: a release does not know the date."""
    author = f"  author = {{{{{facts.maintainer}}}}},\n" if facts.maintainer else ""
    key = "".join(sign for sign in facts.name if sign.isalnum())
    subject = "a Korean language understanding benchmark built after KLUE"
    title = f"{facts.name}: {subject}" if has_klue_task(facts) else facts.name
    return f"@misc{{{key},\n{author}  title = {{{title}}},\n  version = {{{facts.version}}}\n}}"


def _about(facts: Facts) -> Json:
    simulated = "The annotation is simulated: no person labelled it."
    subject, keywords = "Korean texts and what annotators say of them", ["Korean"]
    if has_klue_task(facts):
        subject = "Korean language understanding in the manner of KLUE"
        keywords += ["natural language understanding", "benchmark"]
    titles = ", ".join(task.title.get("en", task.id).lower() for task in facts.tasks)
    personal = ", ".join(f"{kind} {many:,}" for kind, many in sorted(facts.personal.items()))
    per_item = {
        task.config: ", ".join(f"{round_['id']} {round_['per_item']}" for round_ in task.rounds)
        for task in facts.tasks
    }
    return {
        "name": facts.name,
        "description": f"{simulated} " * facts.simulated + f"{subject}: {titles}.",
        "conformsTo": [
            "http://mlcommons.org/croissant/1.1",
            "http://mlcommons.org/croissant/RAI/1.0",
        ],
        "citeAs": citation(facts),
        "license": [LICENCES[name].url for name in licence_of(facts).spdx.split(" AND ")],
        "version": facts.version,
        "isLiveDataset": False,
        "inLanguage": "ko",
        "keywords": keywords,
        "rai:personalSensitiveInformation": "Texts that left because of personal data:"
        f" {personal or 'none'}.",
        "rai:annotationsPerItem": "; ".join(f"{name}: {text}" for name, text in per_item.items()),
        **({"rai:dataLimitations": simulated} if facts.simulated else {}),
        **(
            {"creator": {"@type": "sc:Organization", "name": facts.maintainer}}
            if facts.maintainer
            else {}
        ),
    }


def _record_set(task: TaskFacts) -> Json:
    config, names = task.config, "|".join(FILES[split] for split in SPLITS)
    split = {
        "@type": "cr:Field",
        "@id": f"{config}/split",
        "name": f"{config}/split",
        "description": "The split that the example belongs to.",
        "dataType": "sc:Text",
        "source": {
            "fileSet": {"@id": f"{config}-files"},
            "extract": {"fileProperty": "fullpath"},
            "transform": {"regex": rf"^(?:{config}/)?({names})(?:\.parquet)?$"},
        },
        "references": {"field": {"@id": "splits/name"}},
    }
    return {
        "@type": "cr:RecordSet",
        "@id": config,
        "name": config,
        "description": f"{task.title.get('en', task.id)}; the labels of test are withheld.",
        "key": {"@id": f"{config}/guid"},
        "field": [split, *(record_field(config, column) for column in COLUMNS[task.id].schema)],
    }


_KINDS: Final = (
    (pa.types.is_boolean, "sc:Boolean"),
    (pa.types.is_integer, "sc:Integer"),
    (pa.types.is_floating, "sc:Float"),
    (pa.types.is_date, "sc:Date"),
    (pa.types.is_timestamp, "sc:DateTime"),
    (pa.types.is_string, "sc:Text"),
    (pa.types.is_large_string, "sc:Text"),
)


def record_field(config: str, column: pa.Field) -> Json:
    """Return the field of a column: text, numbers, truth, lists of them, objects, lists of objects.

    Objects become fields with `subField`, each read out of its column by a JSON path. Raises
    SchemaError for a type that Croissant has no word for.
    """
    source: Json = {"fileSet": {"@id": f"{config}-files"}, "extract": {"column": column.name}}
    return _field(f"{config}/{column.name}", column, source)


def _field(name: str, column: pa.Field, source: Json) -> Json:
    kind, depth = column.type, 0
    while pa.types.is_list(kind) or pa.types.is_large_list(kind):
        kind, depth = kind.value_type, depth + 1
    field: Json = {"@type": "cr:Field", "@id": name, "name": name}
    if depth:
        field |= {"isArray": True, "arrayShape": ",".join(["-1"] * depth)}
    if pa.types.is_struct(kind):
        before = source.get("transform", [])
        parts = [
            _field(
                f"{name}/{part.name}",
                part,
                {**source, "transform": [*before, {"jsonPath": f"$['{part.name}']"}]},
            )
            for part in kind
        ]
        return {**field, "subField": parts}
    for matches, word in _KINDS:
        if matches(kind):
            return {**field, "dataType": word, "source": source}
    raise SchemaError(f"column {name}: Croissant has no type for {kind}")
