"""The table of readers and the table of rules."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from pipeline.core.errors import SpecError
from pipeline.core.io import streams
from pipeline.corpus.readers import base
from pipeline.corpus.readers.base import FILE_RULES, READERS, RULES, check_options

FOLDER = Path(base.__file__).parent
ROOT = FOLDER.parents[2]


@pytest.mark.parametrize("name", sorted(READERS))
def test_every_reader_has_the_two_functions_of_the_contract(name: str) -> None:
    reader = READERS[name]
    assert list(inspect.signature(reader.scan).parameters) == ["path", "options"]
    assert list(inspect.signature(reader.parse).parameters) == ["record", "options"]


def test_an_unknown_reader_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(SpecError, match=r"unknown reader 'nsmcc'; known: airbnb, csv,"):
        READERS["nsmcc"]


def _fails(code: str) -> bool:
    return subprocess.run([sys.executable, "-c", code], check=False).returncode != 0


def test_asking_for_one_reader_does_not_import_the_parsers_of_another() -> None:
    assert not _fails(
        "import sys; from pipeline.corpus.readers.base import READERS; READERS['jsonl'];"
        "sys.exit('mwparserfromhell' in sys.modules)"
    )


def test_names_and_modules_are_known_without_importing_any_reader() -> None:
    assert not _fails(
        "import sys; from pipeline.corpus.readers.base import READERS as r;"
        "[r.module(name) for name in r];"
        "heavy = {'orjson', 'pyarrow', 'mwparserfromhell', 'zstandard', 'pydantic'};"
        "sys.exit(bool(heavy & set(sys.modules)))"
    )


@pytest.mark.parametrize("name", sorted(READERS))
def test_the_module_of_a_reader_is_one_whose_code_can_be_fingerprinted(name: str) -> None:
    module = READERS.module(name)
    assert (ROOT / Path(*module.split("."))).with_suffix(".py").is_file()


GIVEN = {
    "columns": {"text": "body"},
    "encoding": "cp949",
    "delimiter": ";",
    "header": False,
    "pattern": "*.txt",
    "only": "airbnb",
}


@pytest.mark.parametrize("name", sorted(READERS))
def test_each_reader_is_refused_exactly_the_options_that_it_does_not_take(name: str) -> None:
    takes = READERS[name].takes
    assert takes <= GIVEN.keys()
    check_options(name, {option: GIVEN[option] for option in takes})
    check_options(name, asdict(base.Options()))
    for option in GIVEN.keys() - takes:
        with pytest.raises(SpecError, match=f"reader {name} has no use for {option}; it takes"):
            check_options(name, {option: GIVEN[option]})


def test_an_idle_option_is_an_error_that_says_what_the_reader_takes() -> None:
    with pytest.raises(SpecError) as error:
        check_options("tsv", {"delimiter": ";", "encoding": "cp949"})
    assert str(error.value) == (
        "reader tsv has no use for delimiter; it takes columns, encoding, header"
    )
    with pytest.raises(SpecError, match="delimiter, header; it takes no options"):
        check_options("mediawiki", {"header": False, "delimiter": ";"})


def test_the_rule_table_is_total() -> None:
    assert _rules(FOLDER, "read") | set(FILE_RULES.values()) == set(RULES)
    assert _rules(Path(streams.__file__).parent, "file") == set(FILE_RULES)


def _rules(folder: Path, prefix: str) -> set[str]:
    source = "\n".join(path.read_text("utf-8") for path in folder.rglob("*.py"))
    return set(re.findall(rf"RecordError\(\s*\"({prefix}\.[a-z_]+@\d+)\"", source))
