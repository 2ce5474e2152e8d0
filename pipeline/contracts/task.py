"""What a task is: the form of its answers, their validation, and the comparison of two of them.

The forms of answers (JSON; offsets in code points, end exclusive):

    topics      ["사회"] or ["사회", "경제"]: one to three topics, most relevant first
    score       3: a whole number on the scale
    label       "entailment"
    hypotheses  {"entailment": TEXT, "contradiction": TEXT, "neutral": TEXT}
    spans       [{"start": 0, "end": 2, "label": "OG"}], by start, not overlapping
    morphemes   {"lemmas": ["흘리 었 다 ."], "pos": ["VV+EP+EF+SF"]}: one entry a word
    tree        {"heads": [2, 0], "deprels": ["NP_SBJ", "VP"]}: one entry a word, 0 is the root
    reading     {"question": TEXT, "type": 1, "answers": [{"start": 3, "text": "1919년"}],
                 "plausible_answers": []}: type 3 has no answers, only plausible ones
    dialogue    {"turns": [{"role": "user", "text": TEXT, "state": ["숙소-지역-서울 중앙"]}]}
    verdict     {"verdict": "accept" | "reject" | "revise", "answer": ANSWER, "feedback": TEXT}:
                `answer` only with revise (the corrected answer), `feedback` may be left out

Beside TASK, the module `task` of a task may have SHARED_FIELD, the name of a field. When a model is
trained and a part of train and dev is held out, examples with the same value in that field are held
out together: NLI's pairs on one premise, MRC's questions about one passage.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from pipeline.contracts.spec import AnswerKind, Round, TaskSpec
from pipeline.core.errors import RecordError
from pipeline.core.wording import count

#: What two answers are compared as. category: str; number: float; spans: list of
#: (start, end, label); tree: list of (head, deprel), one a word; states: list of frozensets of
#: slot-values, one a user turn; labels: frozenset of labels, several or none.
Kind = Literal["category", "number", "spans", "tree", "states", "labels"]

#: A text that may be shown: a word of a label's letters, without digits.
_WORD: Final = re.compile(r"[A-Za-z_/:-]{1,24}")
#: Numbers below it may be shown; longer ones may be those of people.
_LONG: Final = 10_000

#: What a field of an item holds, where it is no text: words; text or lines; an entity of the
#: sentence, {"start", "end", "word", ...}; a text that may be blank.
Shape = Literal["words", "lines", "entity", "optional"]
#: The fields of an item: what its row of the items table holds as JSON.
Fields = Mapping[str, Any]
Parse = Callable[[Any, Fields, TaskSpec, Round], Any]


@dataclass(frozen=True)
class Texts:
    """The texts by which examples of a task are grouped before a split, and checked for leaks.

    Two splits may not share a text of `fields` (None: all fields of the task that are texts), nor
    what `joined` makes of a label. `written` returns the texts in a label that are input all the
    same: questions, turns. Texts of `near_only` fields group near-duplicates, too. Texts of
    `reported` fields may occur in two splits: the check for leaks lists these cases, with the name
    of the field as their kind, but they do not stop a release. A `long` text may be spread over
    many rows of a file. `entities` are the words of an example that name something;
    with `unseen_entities` train has none of those of test.
    """

    fields: tuple[str, ...] | None = None
    joined: Callable[[Any], str] | None = None
    written: Callable[[Any], list[str]] | None = None
    near_only: tuple[str, ...] = ()
    reported: tuple[str, ...] = ()
    long: bool = False
    entities: Callable[[Fields, Any], list[str]] | None = None
    unseen_entities: bool = False


@dataclass(frozen=True)
class Task:
    """A task: its answers, and which of its texts may not repeat.

    `config` is the name of its folder in a release, and of the task in reports: `id`, or the name
    that KLUE uses (ynat for tc, wos for dst). `fields` are the keys that every item has, `titles`
    their Korean titles, `shapes` what they hold where it is no text. Answers that point into an
    item point into its last field; hypotheses are written about the first and become the last.

    `parse` takes an answer as given, the item's fields, the spec and the round, and returns the
    answer in its one form, or raises RecordError. A task is `free` if `parse` ignores the fields:
    its answers can be checked without their items. `view` turns an answer in the form of gold into
    the value that agreement and metrics use, of the type that `kind` says: the first topic of a
    list of topics, say. `compare` returns the similarity of two answers in the form of gold, 1 if
    equal, under one or more names, the first being the usual one. `takes` is the form in which the
    task takes text from the sources of the corpus, `unit` what units are cut into unless the
    catalogue says it.
    """

    id: str
    config: str
    kind: Kind
    fields: tuple[str, ...]
    parse: Parse
    view: Callable[[Any], Any]
    compare: Callable[[Any, Any], dict[str, float]]
    free: bool = False
    texts: Texts = Texts()
    takes: Literal["units", "passages", "nothing"] = "units"
    unit: Literal["sentence", "whole"] = "sentence"
    titles: Mapping[str, str] = field(default_factory=dict)
    shapes: Mapping[str, Shape] = field(default_factory=dict)

    def wordings(self, fields: Fields, label: Any) -> list[str]:
        """Return the texts of an example that no example of another split may have."""
        names = self.fields if self.texts.fields is None else self.texts.fields
        texts = [fields[name] for name in names if isinstance(fields.get(name), str)]
        return [*texts, self.texts.joined(label)] if self.texts.joined else texts

    def inputs(self, fields: Fields, label: Any) -> list[str]:
        """Return the texts of an example that a model reads; a label may be absent (None)."""
        texts = [fields[name] for name in self.fields if isinstance(fields.get(name), str)]
        written = self.texts.written
        return [*texts, *written(label)] if written and label is not None else texts


def wrong(code: str, reason: str) -> RecordError:
    """Return the fault of an answer, under the rule `vote.CODE@1`."""
    return RecordError(f"vote.{code}@1", reason)


def mask(value: object) -> str:
    """Return what was given as far as it can hold nothing personal, else its type and length.

    In clear are null, true and false, numbers of fewer than five digits, and single words of Latin
    letters and `_/:-`, as labels are.
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, str):
        return (
            repr(value) if _WORD.fullmatch(value) else f"a text of {count(len(value), 'character')}"
        )
    if isinstance(value, dict):
        return f"an object with {count(len(value), 'key')}"
    if isinstance(value, list | tuple):
        return f"a list of {count(len(value), 'value')}"
    return f"a value of type {type(value).__name__}"


def _number(value: float) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "an infinite number"
    if -_LONG < value < _LONG:
        text = repr(value)
        if sum(letter.isdigit() for letter in text) < 5 and "e" not in text:
            return text
    return "a number of five digits or more"


def nfc(text: str) -> str:
    """Return a text in the composed form of Unicode, in which a Korean syllable is one letter."""
    return unicodedata.normalize("NFC", text)


def one_of(value: object, allowed: tuple[str, ...], noun: str) -> str:
    """Return a label, in NFC, that is among the allowed ones; raises RecordError otherwise."""
    if isinstance(value, str):
        if value in allowed:
            return value
        if (text := nfc(value)) in allowed:
            return text
    reason = f"the {noun} is {mask(value)}, which is not in the spec"
    raise wrong("label", f"{reason}; allowed: {', '.join(allowed)}")


def label_set(value: object) -> frozenset[str]:
    """Return the labels of a list, or of a text with `|` between them; raises RecordError.

    A number stands for its text, as in a table of numbered labels; a blank text is no label.
    """
    values = value.split("|") if isinstance(value, str) else value
    values = values if isinstance(values, list) else [values]
    is_text = [isinstance(x, str | int | float) and not isinstance(x, bool) for x in values]
    labels = [nfc(str(label)).strip() for label in values]
    if not all(is_text) or (isinstance(value, list) and not all(labels)):
        raise wrong(
            "label",
            f"labels are a list of texts, or a text with | between them, not {mask(value)}",
        )
    return frozenset(filter(None, labels))


def whole(value: object, noun: str) -> int:
    """Return a whole number (3.0 is 3, true is none); raises RecordError otherwise."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise wrong("form", f"{noun} is a whole number, not {mask(value)}")


def answer_form(spec: TaskSpec, round_: Round) -> AnswerKind:
    """Return the form of answer that a round is about: for verdicts, of the round they judge."""
    about: Round | None = round_
    while about is not None and about.answer == "verdict":
        about = spec.round(about.after) if about.after else None
    return about.answer if about is not None else "verdict"


def answer_forms(spec: TaskSpec, round_: Round) -> tuple[AnswerKind, ...]:
    """Return the forms of the parts that a round is about: in a final round, of all stages."""
    if not round_.final:
        return (answer_form(spec, round_),)
    forms = (r.answer for r in spec.rounds if r.answer not in ("verdict", "hypotheses"))
    return tuple(dict.fromkeys(forms))


def f1(left: set[Any], right: set[Any]) -> float:
    """Return the F1 of two sets; two empty sets are equal: 1."""
    if not left and not right:
        return 1.0
    return 2 * len(left & right) / (len(left) + len(right))


def with_verdicts(parse: Parse) -> Parse:
    """Return a parser of answers, and in rounds of inspectors of verdicts in their one form.

    `parse` reads the answers, those that a verdict corrects among them.
    """

    def parse_either(value: Any, fields: Fields, spec: TaskSpec, round_: Round) -> Any:
        if round_.answer == "verdict":
            return _verdict(value, fields, spec, round_, parse)
        return parse(value, fields, spec, round_)

    return parse_either


def _verdict(
    value: Any, fields: Fields, spec: TaskSpec, round_: Round, parse: Parse
) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise wrong("form", f"a verdict is an object with `verdict`, not {mask(value)}")
    unknown = sorted(set(value) - {"verdict", "answer", "feedback"})
    if unknown:
        raise wrong("form", f"a verdict has no key {mask(unknown[0])}")
    verdict: dict[str, Any] = {
        "verdict": one_of(value.get("verdict"), ("accept", "reject", "revise"), "verdict")
    }
    if verdict["verdict"] == "revise":
        if "answer" not in value:
            raise wrong("form", "the verdict revise needs the corrected `answer`")
        verdict["answer"] = parse(value["answer"], fields, spec, round_)
    elif "answer" in value:
        raise wrong("form", f"the verdict {verdict['verdict']} takes no `answer`; use revise")
    feedback = value.get("feedback")
    if feedback is not None:
        if not isinstance(feedback, str):
            raise wrong("form", f"`feedback` is a text, not {mask(feedback)}")
        if feedback.strip():
            verdict["feedback"] = feedback.strip()
    return verdict
