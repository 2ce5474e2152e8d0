"""Faults in YAML files are told with file, line and key, all at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.contracts.build_inputs import load_build
from pipeline.core.errors import SpecError
from pipeline.core.paths import locate, resolve


@pytest.fixture(autouse=True)
def _data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KLUE_DATA", "/somewhere")


GOOD = """\
name: mine
seed: 7
catalogue: catalogue.yaml
sources:
  nsmc:
    inputs:
      - path: ${KLUE_DATA}/raw/nsmc
"""


def _fault(tmp_path: Path, text: str) -> str:
    path = tmp_path / "build.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(SpecError) as caught:
        load_build(path)
    return str(caught.value).replace(str(tmp_path), "")


def test_a_good_file_loads_frozen(tmp_path: Path) -> None:
    path = tmp_path / "build.yaml"
    path.write_text(GOOD, "utf-8")
    build = load_build(path)
    assert build.sources["nsmc"].inputs[0].encoding == "utf-8"
    with pytest.raises(ValueError, match="frozen"):
        build.name = "other"  # type: ignore[misc]


def test_an_unknown_key_names_file_line_key_and_what_is_allowed(tmp_path: Path) -> None:
    message = _fault(tmp_path, GOOD + "        collumns: {text: 1}\n")
    assert "/build.yaml:8: sources.nsmc.inputs.0.collumns: unknown key" in message
    assert (
        "allowed here: columns, delimiter, encoding, header, name, only, path,"
        " pattern, reader" in message
    )


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    message = _fault(tmp_path, GOOD.replace("seed: 7", "seed: many") + "engine: dask\n")
    assert len(message.splitlines()) == 2
    assert "build.yaml:2: seed: " in message
    assert "'many'" in message
    assert "build.yaml:8: engine: unknown key" in message


@pytest.mark.parametrize("name", ["내말뭉치", "My", "-a", "a b", "a" * 65, "''"])
def test_a_name_is_told_in_words(tmp_path: Path, name: str) -> None:
    message = _fault(tmp_path, GOOD.replace("mine", name))
    assert "build.yaml:1: name: must be up to 64 of a to z, 0 to 9, - and _, beginning" in message
    assert len(message.splitlines()) == 1


def test_missing_and_repeated_keys(tmp_path: Path) -> None:
    assert "seed: missing" in _fault(tmp_path, GOOD.replace("seed: 7\n", ""))
    message = _fault(tmp_path, GOOD + "name: again\n")
    assert "build.yaml:8: name: given twice, first on line 1" in message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty"),
        ("name: [", "not YAML"),
        ("", "it must hold the keys name, seed, catalogue, sources"),
        ("- a\n- b\n", "(whole file): must hold keys (name, seed, catalogue, sources)"),
        (GOOD.partition("  nsmc")[0] + "  nsmc: raw\n", "sources.nsmc: must hold keys (inputs)"),
        (GOOD.replace("mine", "no"), "build.yaml:1: name: must be a text; write it in quotes"),
        (GOOD.replace("  nsmc", "\tnsmc"), "build.yaml:5: not YAML: indented by a tab"),
        ("name: !!python/object:os.system x\n", "not YAML"),
        (GOOD.replace("mine", "../../etc"), "name: "),
        (GOOD.replace("- path: ${KLUE_DATA}/raw/nsmc", "[]"), "inputs: "),
        (GOOD + "        encoding: utf-99\n", "unknown encoding 'utf-99'"),
        (GOOD.replace("seed: 7", "seed: !!int x"), "not YAML"),
        (GOOD.replace("seed: 7", "seed: 2020-02-31"), "not YAML"),
        (GOOD.replace("seed: 7", "seed: !!bool x"), "not YAML"),
        (GOOD.replace("seed: 7", "seed: &s 7\nname: *s"), "an alias (*name); write it out"),
        ("name: " + "[" * 3000, "nested too deep"),
    ],
)
def test_files_that_are_no_build_files(tmp_path: Path, text: str, said: str) -> None:
    assert said in _fault(tmp_path, text)


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="no such file"):
        load_build(tmp_path / "absent.yaml")
    with pytest.raises(SpecError, match="is a folder"):
        load_build(tmp_path)
    path = tmp_path / "cp949.yaml"
    path.write_bytes("name: 한국".encode("cp949"))
    with pytest.raises(SpecError, match="not UTF-8"):
        load_build(path)


@pytest.mark.parametrize("name", ["t.jsonl", "t.csv", "t.txt.gz", "wiki.xml.bz2", "t.json"])
def test_a_file_of_texts_is_told_from_a_build_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text('{"text": "가"}\n{"text": "나"}\n', "utf-8")
    with pytest.raises(SpecError) as caught:
        load_build(path)
    (line,) = str(caught.value).splitlines()
    assert line.startswith(f"{path}: is a file of texts by its name")
    assert line.endswith(f"klue clean {path} --out DIR")
    path.write_text(GOOD, "utf-8")
    assert load_build(path).name == "mine"


def test_paths_start_at_the_build_file_and_know_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert resolve("x/y", tmp_path) == tmp_path / "x" / "y"
    assert resolve("x", Path()).is_absolute()
    monkeypatch.setenv("KLUE_DATA", "/somewhere")
    assert resolve("${KLUE_DATA}/raw", tmp_path) == Path("/somewhere/raw")
    monkeypatch.delenv("KLUE_DATA")
    with pytest.raises(ValueError, match="KLUE_DATA is not set"):
        resolve("${KLUE_DATA}/raw", tmp_path)


def test_places_of_models_are_made_absolute_and_names_are_not(tmp_path: Path) -> None:
    (tmp_path / "bias").mkdir()
    wanted = {
        "linear": "linear",
        "linear:": "linear:",
        "linear:w": f"linear:{tmp_path}/w",
        "lexicon:words.txt": f"lexicon:{tmp_path}/words.txt",
        "transformers:koelectra": "transformers:koelectra",
        "transformers:team/ner": "transformers:team/ner",
        "transformers:bias,team/hate": f"transformers:{tmp_path}/bias,team/hate",
        "transformers: ./bias , ./gone": f"transformers:{tmp_path}/bias,{tmp_path}/gone",
        "transformers:/x/bias,team/hate": "transformers:/x/bias,team/hate",
    }
    assert {name: locate(name, tmp_path) for name in wanted} == wanted


def test_a_comma_in_a_folder_of_two_models_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a,b" / "bias").mkdir(parents=True)
    with pytest.raises(ValueError, match="holds a comma"):
        locate("transformers:bias,team/hate", tmp_path / "a,b")
