"""What holds of every command: help, common options, choices, one-line errors, completion."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, get_args

import mini
import pytest
import typer
from typer import rich_utils
from typer.testing import CliRunner

from flows.cli import app
from flows.commands.unnamed_task import RULES as VOTE_RULES
from flows.commands.votes import SOURCES
from flows.plan.build import PARTS
from flows.plan.own_build import CHOICES as CLEAN
from flows.view.console import report_uncaught
from pipeline.agreement.votes.selection import LEVELS
from pipeline.annotation.exchange.formats import FORMATS
from pipeline.contracts.splits import SPLITS
from pipeline.core.io.source import Form
from pipeline.corpus.decontamination.rules import RULES
from pipeline.corpus.readers.lines import ENCODINGS
from pipeline.leaderboard.records import Mark
from pipeline.leaderboard.settings import KINDS
from pipeline.report.language import LANGUAGES
from pipeline.scoring.measure import VARIANTS
from pipeline.tasks import PACKAGES
from pipeline.tokenization.algorithms import ALGORITHMS
from pipeline.tokenization.recipes import RECIPES
from pipeline.training.job import PRECISIONS
from pipeline.training.pretraining.architectures import ARCHITECTURES

ROOT: Any = typer.main.get_command(app)


@pytest.fixture(autouse=True)
def _one_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all invocations share the commands: to make all of them takes a tenth of a second."""
    monkeypatch.setattr("typer.testing._get_command", lambda _: ROOT)


def _walk(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if not hasattr(command, "commands"):
        yield path, command
    for name, below in getattr(command, "commands", {}).items():
        yield from _walk(below, (*path, name))


COMMANDS = dict(_walk(ROOT))
#: Options with a fixed set of values, and the code that knows these.
FIXED: dict[tuple[str, str], Any] = {
    ("build", "--until"): PARTS,
    ("build", "--format"): ("klue",),
    ("build", "--engine"): ("local", "dask"),
    ("pretrain-corpus", "--engine"): ("local", "dask"),
    ("clean", "--encoding"): ENCODINGS,
    **{("clean", f"--{o}"): CLEAN[o] for o in ("unit", "txt", "duplicates", "toxicity")},
    ("clean", "--language"): CLEAN["language"],
    ("clean", "--format"): CLEAN["form"],
    ("decontaminate", "--rule"): RULES,
    ("export", "--to"): FORMATS,
    ("export", "--from"): ("items", "klue"),
    ("import", "--from"): (*FORMATS, "klue"),
    ("split", "--from"): ("items", "klue"),
    ("convert", "--format"): ("klue",),
    ("report", "--language"): LANGUAGES,
    ("score", "--from"): ("lm-eval", *SOURCES),
    ("score", "--split"): SPLITS,
    ("score", "--variant"): VARIANTS,
    ("export-eval", "--to"): ("lm-eval",),
    ("compare-versions", "--split"): ("dev", "test"),
    ("tokenizer train", "--recipe"): RECIPES,
    ("tokenizer train", "--algorithm"): ALGORITHMS,
    ("pretrain", "--architecture"): ARCHITECTURES,
    ("pretrain", "--precision"): PRECISIONS,
    ("train", "--precision"): PRECISIONS,
    ("tagger tag", "--form"): get_args(Form),
    **{(f"pii {c}", "--form"): get_args(Form) for c in ("scan", "redact", "pseudonymise")},
    ("leaderboard mark", "--as"): get_args(Mark),
    ("leaderboard submit", "--kind"): KINDS,
    **{(c, "--from"): SOURCES for c in ("audit", "aggregate", "next")},
    **{(c, "--level"): LEVELS for c in ("audit", "aggregate", "next")},
    **{(c, "--rule"): VOTE_RULES for c in ("aggregate", "next")},
}


def _run(*words: str) -> Any:
    return CliRunner().invoke(app, words, prog_name="klue")


def _choices(parameter: Any) -> list[str] | None:
    choices = parameter.type_descriptor.choices
    return None if choices is None else [getattr(choice, "value", choice) for choice in choices]


def test_every_command_has_the_common_options_and_says_what_each_option_is() -> None:
    assert len(COMMANDS) > 50
    klue = ROOT.make_context("klue", [], resilient_parsing=True)
    for path, command in COMMANDS.items():
        name = " ".join(path)
        context = command.make_context(name, [], parent=klue, resilient_parsing=True)
        parameters = command.get_params(context)
        given = {option: p.help for p in parameters for option in p.opts}
        assert {"-h", "--help", "-q", "--quiet", "-v", "--verbose", "--json"} <= {*given}, path
        assert all(p.help and p.help.strip().endswith((".", ")")) for p in parameters), path
        assert command.help and not command.help.startswith(" "), path
        options = [option for p in parameters for option in (*p.opts, *p.secondary_opts)]
        assert len(options) == len({*options}), path


def test_flags_take_no_value_in_help() -> None:
    told = _run("split", "--help").stdout
    assert "<int>" in told and "--force" in told
    assert "bool" not in told.lower()


def test_a_group_alone_prints_its_help() -> None:
    for path in ((), ("leaderboard", "token")):
        alone, short, long = (_run(*path, *words) for words in ((), ("-h",), ("--help",)))
        assert "Usage: klue" in alone.stdout and short.stdout == long.stdout
        assert alone.stdout.split() == short.stdout.split()


def test_fixed_sets_are_choices_and_those_of_the_code() -> None:
    found = {
        (" ".join(path), option): _choices(parameter)
        for path, command in COMMANDS.items()
        for parameter in command.params
        for option in parameter.opts
        if _choices(parameter) is not None
    }
    assert {key: sorted(values) for key, values in FIXED.items()} == {
        key: sorted(values or ()) for key, values in found.items()
    }


def test_options_that_mean_the_same_are_described_the_same() -> None:
    texts = defaultdict[str, set[str]](set)
    for command in COMMANDS.values():
        for parameter in command.params:
            texts[max(parameter.opts, key=len)].add(parameter.help)
    shared = ("--json", "--quiet", "--verbose", "--force", "--seed", "--specs", "--memory", "--set")
    assert {name: len(texts[name]) for name in shared} == dict.fromkeys(shared, 1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("audit v.csv --level nominl", "--level 'nominl': is not known; allowed: nominal, ordinal"),
        ("tokenizer train a --out b --algorithm x", "allowed: wordpiece, bpe, unigram"),
        ("build b.yaml --format hf", "--format 'hf': is not known; allowed: klue"),
        ("clena", "no such command 'clena'; did you mean 'clean'? see klue --help"),
        ("pii sacn", "no such command 'sacn'; did you mean 'scan'? see klue pii --help"),
        ("toxicity a.jsonl", "no such command 'a.jsonl'; allowed: calibrate, score; see klue"),
        ("diff a b --jsn", "no such option: --jsn; did you mean --json? see klue diff --help"),
        ("clean", "INPUT... is missing; see klue clean --help"),
        ("publish r", "--to is missing; see klue publish --help"),
        ("export", "TASK is missing; see klue export --help"),
        ("audit v.csv --bootstrap x", "--bootstrap: the value should be a valid integer; see"),
        ("leaderboard serve d --port 70000", "--port: the value should be less than or equal to"),
        ("diff a", "B is missing; see klue diff --help"),
    ],
)
def test_a_wrong_use_is_one_line_and_exit_code_2(words: str, said: str) -> None:
    result = _run(*words.split())
    assert result.exit_code == 2 and not result.stdout
    assert result.stderr.count("\n") == 1 and result.stderr.startswith("error: "), result.stderr
    assert said in result.stderr
    told = _run(*words.split(), "--json")
    record = json.loads(told.stdout)
    assert told.exit_code == 2 and f"error: {record['error']}\n" == told.stderr
    assert record["code"] == 2


def test_quiet_and_verbose(tmp_path: Any) -> None:
    file = tmp_path / "a.txt"
    file.write_text("전화 010-2345-6789\n\x00\n", "utf-8")
    usual, quiet, loud = (_run("pii", "scan", str(file), *w) for w in ((), ("-q",), ("-v",)))
    assert usual.stdout == quiet.stdout == loud.stdout
    assert usual.stderr and not quiet.stderr
    assert loud.stderr.startswith("klue ") and usual.stderr in loud.stderr
    assert re.search(r"^klue pii scan in [\d.]+ s$", loud.stderr, re.MULTILINE)
    refused = _run("pii", "scan", str(tmp_path / "absent.txt"), "-q")
    assert refused.exit_code != 0 and refused.stderr.startswith("error: ")


def _main(code: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own, after some code."""
    program = f"import sys; sys.argv = ['klue', *{words!r}]\n{code}\n"
    program += "from flows.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(mini.ROOT), **environment},
        capture_output=True,
        text=True,
    )


_FAULT = """
from flows.commands import doctor
def fault(**_): raise KeyError("010-2345-6789")
doctor.doctor = fault
"""


def test_an_unexpected_error_is_a_line_without_values_and_verbose_has_the_traceback() -> None:
    done = _main(_FAULT, "doctor", "--json")
    record = json.loads(done.stdout)
    assert done.returncode == record["code"] == 1
    assert done.stderr == f"error: {record['error']}\n"
    assert record["error"].startswith("unexpected KeyError (flows/cli/options.py, line ")
    assert "Traceback" in done.stderr  # the word by which other tests know a fault
    assert "2345" not in done.stderr and "most recent call last" not in done.stderr


@pytest.mark.parametrize("words", ["sources list --json", "--version", "sources list --help"])
@pytest.mark.parametrize(("to", "code"), [(">&-", 0), (">/dev/full", 1)])
def test_standard_output_that_takes_nothing_is_no_fault_of_klue(
    words: str, to: str, code: int
) -> None:
    program = "import sys; sys.argv[0] = 'klue'; from flows.main import main; main()"
    command = f'"{sys.executable}" -c "{program}" {words} {to}'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.returncode == code
    assert done.stderr == (
        "error: No space left on device; mend that and run again\n" if code else ""
    )


def test_verbose_shows_the_traceback_of_a_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["klue", "doctor", "-v"])
    try:
        raise KeyError("what it was about")
    except KeyError as error:
        assert report_uncaught(error) == 1
    said = capsys.readouterr().err
    assert said.startswith("Traceback (most recent call last)") and "what it was about" in said
    assert said.splitlines()[-1].startswith("error: unexpected KeyError")


@pytest.mark.parametrize("words", [["sources", "-h"], ["sources", "list"]])
def test_no_color_and_dumb_terminals_get_no_escape_codes(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """FORCE_COLOR asks for colours in a pipe, which NO_COLOR and a dumb terminal overrule."""
    monkeypatch.setattr(rich_utils, "FORCE_TERMINAL", True)  # Typer reads it when it is imported
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b" in CliRunner().invoke(app, words, env={"FORCE_COLOR": "1"}).output
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        result = CliRunner().invoke(app, words, env={"FORCE_COLOR": "1", **environment})
        assert "\x1b" not in result.output and result.output


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("klue pi", {"pii"}),
        ("klue export ", {*PACKAGES}),
        ("klue export n", {"nli", "ner"}),
        ("klue score --task m", {"mrc"}),
        ("klue audit v.csv --level o", {"ordinal"}),
        ("klue pii scan a --form ", {*get_args(Form)}),
        ("klue build b.yaml --until a", {"annotate", "adjudicate"}),
        ("klue toxicity score a --detector lex", {"lexicon"}),
        ("klue train r --model scratch", {"scratch:tiny", "scratch:base"}),
        ("klue doctor --qu", {"--quiet"}),
    ],
)
@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_completion(typed: str, offered: set[str], shell: str) -> None:
    words = typed.split(" ")
    environment = {
        "_KLUE_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": typed.replace(" ", "\n"),
        "COMP_CWORD": str(len(words) - 1),
        "_TYPER_COMPLETE_ARGS": typed,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    result = CliRunner().invoke(app, [], env=environment, prog_name="klue")
    assert {line.split("\t")[0] for line in result.stdout.split("\n") if line} == offered


def test_completion_is_light() -> None:
    heavy = ("prefect", "pyarrow", "numpy", "yaml", "torch", "rich")
    code = (
        "import os, sys\nend = os._exit\n"
        f"os._exit = lambda code: end(9 if {{*{heavy!r}}} & {{*sys.modules}} else code)"
    )
    words = {"_KLUE_COMPLETE": "complete_bash", "COMP_WORDS": "klue\nexport\nn", "COMP_CWORD": "2"}
    done = _main(code, **words)
    assert (done.returncode, done.stdout.split()) == (0, ["nli", "ner"]), done.stderr
