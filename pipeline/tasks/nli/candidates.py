"""Stage `candidates` of nli: premises by source (Section 3.3.1).

The sentences of a source are judged in keyed order until its quota is full; of near-duplicates only
one is drawn. An author writes three hypotheses for each premise in the first round.

The paper names three conditions: a declarative sentence with a truth value, no formula and no list;
at least one predicate; 20 to 90 characters, blanks included. This project adds four: no unbalanced
quotes or brackets, no marks of chat inside the sentence (laughter, dots, emoji), no second
sentence, and in colloquial sources no missing blank. Of the 9,387 different premises of the
official train and dev files, none breaks the first two of these, and three break the third.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pipeline.core.morphology import PACKAGES, morphemes
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling.draft import (
    STAGE_NAME,
    Draft,
    Refusal,
    fill_quota,
    one_by_one,
    source_shards,
)
from pipeline.sampling.inputs import Row
from pipeline.tasks.nli.endings import Kind, Part, ending, parts_of, without_tail
from pipeline.tasks.nli.spacing import lacks_blank

#: Sentences that are read at first for each premise wanted; more are read if these do not fill the
#: quota. The number changes the speed, not the result.
_READ_PER_PREMISE: Final = 4

#: Signs of mathematics, LaTeX commands, and operators between Latin letters or digits.
_FORMULA: Final = re.compile(
    r"(?<![가-힣])=|=(?![가-힣])|[≠≤≥±×÷√∑∏∫∂∞∝≈≡⇒⇔∀∃∈⊂∪∩]|\\[A-Za-z]+|[A-Za-z0-9)]\s*[+*^]\s*[A-Za-z0-9(]"
)
#: Bullets and numbers of items at the beginning; signs of rows and steps anywhere. Commas make no
#: list: official premises count up to ten things in one sentence.
_LIST: Final = re.compile(
    r"^\s*([-–—*•·∙‣▪▶►▷▲△◆◇■□●○◎★☆※➜➤✔]|[0-9]{1,2}[.)]\s|[가-하A-Za-z][.)]\s|\([0-9가-하]\))"
    r"|[\n\r\t|①-⑳❶-❿▶►▷▲△◆◇■□●○◎※→⇨➜➤]|->|;.*;|[0-9]\)\s.*[0-9]\)\s|(\s[-–—]\s.*){3}"
)
#: Lone letters (ㅋㅋ; ㆍ is a middle dot), lines of dots, signs and emoji, a drawn-out ~.
_CHAT: Final = re.compile("[\u3131-\u318c]|\\.\\.|…|[♥♡★☆♪\U0001f300-\U0001faff]|~~|[다요음네죠]~")
#: The end of a sentence before the last: a syllable, a stop, then no closing mark.
_STOP: Final = re.compile(r"[가-힣][.!?]+\s*[^\s.!?)\]”’\"'》〉」』】]")
_QUOTED: Final = re.compile(r"[\"“‘'「『《〈][^\"”’'」』》〉]*[\"”’'」』》〉]")
_PAIRS: Final = dict(zip(")]}>”’》〉」』】", "([{<“‘《〈「『【", strict=True))
#: An apostrophe, or the single quote that shortens a year ('90s): it opens and closes nothing.
_APOSTROPHE: Final = re.compile(r"(?<=[A-Za-z])['’](?=[A-Za-z]|\s|$)|['’](?=[0-9]{2}(?:s|\b))")
_MOOD: Final = "nli.declarative@1"
_MOODS: Final = ("question", "imperative", "propositive", "exclamation")
#: The predicates by tag of mecab-ko (Section 3.3.1: states, activities ...).
_PREDICATES: Final = {
    "VV": "verb",
    "XSV": "verb",
    "VA": "adjective",
    "XSA": "adjective",
    "VCP": "copula",
    "VCN": "copula",
}


def is_balanced(text: str) -> bool:
    """Tell whether every bracket and quote that opens is closed, in order."""
    clean = _APOSTROPHE.sub("", text)
    if clean.count('"') % 2 or clean.count("'") % 2:
        return False
    waiting: list[str] = []
    for letter in clean:
        if letter in _PAIRS.values():
            waiting.append(letter)
        elif letter in _PAIRS and (not waiting or waiting.pop() != _PAIRS[letter]):
            return False
    return not waiting


#: Rule, a test that is true of a text that breaks it, and the reason. Only the test for question
#: marks gets the whole text; the others get it without the marks after its last word.
SHAPES: Final[tuple[tuple[str, Callable[[str], bool], str], ...]] = (
    ("nli.list@1", lambda text: bool(_LIST.search(text)), "an item of a list, or a row of a table"),
    ("nli.formula@1", lambda text: bool(_FORMULA.search(text)), "holds a formula"),
    ("nli.unbalanced@1", lambda text: not is_balanced(text), "a quote or bracket is torn"),
    (_MOOD, lambda text: "?" in _QUOTED.sub("", text), "question: a question mark"),
    ("nli.chat@1", lambda text: bool(_CHAT.search(text)), "laughter, dots or emoji inside"),
    (
        "nli.several@1",
        lambda text: bool(_STOP.search(_QUOTED.sub("", text))),
        "more than one sentence",
    ),
)


def judge(text: str, sampling: Mapping[str, Any], style: str) -> Refusal | Mapping[str, Any]:
    """Return why a text is no premise, or the evidence that it is one.

    Rules apply in this order: length, SHAPES, ending, spacing, predicate; the first that the text
    breaks is the reason. `sampling` is the spec's section (NliSampling) as plain data. The evidence
    is `ending` (a Kind), `form` (its last morpheme) and `predicates` (the numbers of verbs,
    adjectives and copulas).
    """
    size, low, high = len(text), sampling["shortest"], sampling["longest"]
    if not low <= size <= high:
        return Refusal("nli.length@1", f"{size} characters; allowed: {low} to {high}", size)
    core = without_tail(text)
    for rule, breaks, reason in SHAPES:
        if breaks(text if rule == _MOOD else core):
            return Refusal(rule, reason)
    words = morphemes(core)
    parts = parts_of(words)
    kind, form, tag = ending(core, parts)
    if kind not in sampling["endings"][style]:
        rule = _MOOD if kind in _MOODS else "nli.fragment@1"
        return Refusal(rule, f"{kind}: ends in {tag or 'nothing'}")
    if style == "colloquial" and lacks_blank(core, words):
        return Refusal("nli.spacing@1", "a blank between two words is missing")
    predicates = count_predicates(core, parts, kind)
    if not predicates:
        return Refusal("nli.predicate@1", "no verb, adjective or copula")
    return {"ending": kind, "form": form, "predicates": predicates}


def count_predicates(text: str, parts: Sequence[Part], kind: Kind) -> dict[str, int]:
    """Return how many predicates of each sort a text has; auxiliaries count only if alone."""
    tags = [tag for _, tag in parts]
    sorts = [_PREDICATES[tag] for tag in tags if tag in _PREDICATES]
    if not sorts and "VX" in tags:
        sorts = ["verb"]
    if kind == "copula_less" or (not sorts and text.endswith(("에요", "예요", "야", "이다"))):
        sorts.append("copula")  # left out, or read as a particle
    return dict(sorted(Counter(sorts).items()))


def _run(call: Call, shard: Shard) -> Outcome:
    def judge_row(row: Row) -> Refusal | Mapping[str, Any]:
        style = call.params["sources"][shard.payload]["style"]
        verdict = judge(row["text"], call.params["sampling"], style)
        return verdict if isinstance(verdict, Refusal) else {"style": style, **verdict}

    def add(draft: Draft, row: Row, meta: Mapping[str, Any]) -> None:
        draft.add({"premise": row["text"]}, {"premise": row["id"]}, sampler="premises", meta=meta)

    judge_rows = one_by_one(judge_row)
    return fill_quota(call, shard, judge=judge_rows, add=add, ahead=_READ_PER_PREMISE)


STAGE = Stage(
    name=STAGE_NAME,
    main="items",
    invariant="sampling",
    shards=source_shards,
    run=_run,
    distributions=PACKAGES,
)
