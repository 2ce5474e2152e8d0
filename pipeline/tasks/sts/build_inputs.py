"""What a build gives STS: the selected documents, and translations of their sentences.

The stage `translate` takes sentences to another language and back, by quotas called `SOURCE-rtt`
(Section 3.2.1). The units of a source are walked in keyed order; of each cluster of near-duplicates
one is translated, until the quota and a reserve for pairs that are refused later are there. The
item of the table `drawn` is the unit's own id.

    params     seed, sources; sampling: what `translation_params` returns; translator: what
               `translator_identity` returns, or None: then nothing is translated
    arguments  translator: its settings with whole paths; journal: the folder of its answers
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from math import ceil
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, field_validator

from pipeline.contracts.build_inputs import BuildInputs, Preparation, Resources, existing
from pipeline.core import schemas
from pipeline.core.errors import InputError, RecordError
from pipeline.core.paths import FilePath
from pipeline.core.specs import Many, Spec, Text, matching
from pipeline.core.stage import Call, Outcome, Shard, Stage
from pipeline.sampling import inputs
from pipeline.sampling.draft import Draft, Refusal, accept_units, one_by_one, with_quotas
from pipeline.sampling.inputs import Row, keyed_walk
from pipeline.tasks.sts.spec import MATCHED, ROUND_TRIPS, source_of
from pipeline.tasks.sts.translation import (
    KOREAN,
    TRANSLATORS,
    Translator,
    open_translator,
    translation_refusal,
    translator_identity,
)

_KEY: Final = "candidates.translator"
#: The name of an environment variable; secrets themselves are never in a build file.
Variable = Annotated[
    str, matching("[A-Z][A-Z0-9_]*", "A to Z, 0 to 9 and _, beginning with a letter")
]
#: A language as translators name it, such as en or zh-CN.
Language = Annotated[
    str, matching("[a-z]{2,3}(-[A-Za-z]{2,4})?", "the code of a language, such as en or zh-CN")
]
#: Hosts that may be spoken to without encryption: this machine.
_HERE: Final = ("127.0.0.1", "localhost", "::1")


def _service_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        host = None
    if not host or parts.username is not None:
        raise ValueError("must be an address with a host and without a user name")
    if parts.scheme != "https" and not (parts.scheme == "http" and host in _HERE):
        raise ValueError("must begin with https://: the secret is sent to it")
    return url


class _Settings(Spec):
    """What all kinds have: the language between, and whether the Korean back is honorific."""

    pivot: Language = "en"
    honorific: bool = True

    @field_validator("pivot")
    @classmethod
    def _is_foreign(cls, pivot: str) -> str:
        if pivot == KOREAN:
            raise ValueError("must be another language than ko, such as en")
        return pivot


class FileTranslator(_Settings):
    """Ready translations: one file of the given format.

    jsonl: an object {"text", "back", "pivot"?} a line; klue: an official KLUE-STS file.
    """

    kind: Literal["file"]
    paths: Annotated[Many[FilePath], Field(min_length=1, max_length=1)]
    format: Literal["jsonl", "klue"] = "jsonl"


class PapagoTranslator(_Settings):
    """A service in Papago's form at `url`; the variables hold the client's id and its secret.

    It is asked at most `per_second` times a second, each request again up to `retries` times, with
    `timeout` seconds for an answer.
    """

    kind: Literal["papago"]
    url: Annotated[Text, AfterValidator(_service_url)] = (
        "https://papago.apigw.ntruss.com/nmt/v1/translation"
    )
    key_variable: Variable
    secret_variable: Variable
    per_second: Annotated[float, Field(gt=0, le=1000)] = 5.0
    retries: Annotated[int, Field(ge=0, le=20)] = 5
    timeout: Annotated[float, Field(gt=0, le=600)] = 30.0


class Seq2SeqTranslator(_Settings):
    """The folder of one multilingual checkpoint, or of two, to the pivot and back.

    `codes` are its own names of languages. A checkpoint has the style of its training and cannot be
    asked for another.
    """

    kind: Literal["seq2seq"]
    paths: Annotated[Many[FilePath], Field(min_length=1, max_length=2)]
    codes: dict[Language, Text] = Field(default_factory=dict)
    beams: Annotated[int, Field(ge=1, le=32)] = 4
    honorific: Literal[False] = False


class TranslatorKeys(Spec):
    """The keys of STS in a build file: who translates Korean sentences to `pivot` and back."""

    translator: Annotated[
        FileTranslator | PapagoTranslator | Seq2SeqTranslator | None, Field(discriminator="kind")
    ] = None


def translation_params(sampling: Mapping[str, Any]) -> Row:
    """Return the part of the task's section that the stage reads; the rest does not change it."""
    quotas = {name: n for name, n in sampling["quotas"].items() if name.endswith(ROUND_TRIPS)}
    numbers = {name: sampling[name] for name in ("shortest", "longest", "reserve")}
    return numbers | {"quotas": quotas}


def _preparation(settings: TranslatorKeys, sampling: Mapping[str, Any], work: Path) -> Preparation:
    """Return the stage that translates; the journal of its answers lies in the work folder."""
    reads = translation_params(sampling)
    if settings.translator is None:
        resources = Resources({"translator": None}, {"translator": None, "journal": None})
        return Preparation(__name__, reads, resources, lambda: None)
    kind, translator = settings.translator.kind, settings.translator.model_dump(mode="json")
    for n, path in enumerate(translator.get("paths", ())):
        existing(Path(path), f"{_KEY}.paths.{n}", folder=kind == "seq2seq")

    def check() -> None:
        try:
            TRANSLATORS[kind].check(translator)
        except InputError as error:
            raise InputError(f"{_KEY}: {error}") from None

    try:
        identity = translator_identity(translator)
    except InputError as error:
        raise InputError(f"{_KEY}: {error}") from None
    places = {"translator": translator, "journal": str(work / "translations")}
    code = (TRANSLATORS.module(kind),)
    resources = Resources({"translator": identity}, places, code=code)
    return Preparation(__name__, reads, resources, check)


@with_quotas
def _shards(call: Call) -> Iterator[Shard]:
    """Yield a shard for each source with a quota of round trips, and whether it is the first."""
    names = (n for n in call.params["sampling"]["quotas"] if n.endswith(ROUND_TRIPS))
    for number, source in enumerate(sorted(set(map(source_of, names)))):
        yield Shard(source, (source, number == 0))


@with_quotas
def _run(call: Call, shard: Shard) -> Outcome:
    source, first = shard.payload
    draft = Draft("sts", source, stage=STAGE.name)
    name, rows = f"{source}{ROUND_TRIPS}", list[Row]()
    quota = int(call.params["sampling"]["quotas"][name])
    known = source in call.params["sources"]
    with _translator(call) as translator:
        if known and translator is not None:
            rows = list(_translate(call, draft, translator, quota))
        if first and translator is not None:
            for problem in translator.problems:
                file = Path(call.arguments["translator"]["paths"][0]).name
                draft.fault(file, problem.line, problem.rule, problem.reason)
    draft.short(name if known else f"{name}, not in this build", wanted=quota, drawn=len(rows))
    for row in rows:
        drawn = {"item": row["unit"], "unit": row["unit"], "role": "translated"}
        draft.drawn.append({**drawn, "task": "sts", "source": source})
    outcome = draft.outcome(inputs.ids(call, source))
    tables = {"translations": schemas.build("translations", rows), **outcome.tables}
    del tables["items"]
    return outcome._replace(tables=tables)


def _translator(call: Call) -> AbstractContextManager[Translator | None]:
    """Open the translator that the call was planned with; None when there is none."""
    planned = call.params.get("translator")
    if planned is None:
        return nullcontext()
    settings = call.arguments["translator"]
    if translator_identity(settings) != planned:
        raise InputError(
            f"the translator is no longer {planned['name']}: its file or checkpoint changed since"
            " the run was planned; run again"
        )
    return open_translator(settings, Path(call.arguments["journal"]))


def _translate(call: Call, draft: Draft, translator: Translator, quota: int) -> Iterator[Row]:
    """Yield the translated units in the order of the walk; refusals go into the draft."""
    sampling = call.params["sampling"]
    wanted = quota + ceil(quota * float(sampling["reserve"]))
    low, high = sampling["shortest"], sampling["longest"]

    def judge(row: Row) -> Refusal | Mapping[str, Any]:
        length = len(row["text"])
        if not low <= length <= high:
            return Refusal("sts.length@1", f"{length} characters, wanted {low} to {high}")
        # A unit that its cluster refuses must not be translated and paid for.
        return draft.near_duplicate(row) or _attempt(translator, row["text"])

    walk = keyed_walk(call, draft.source, purpose="sts.translate", first=wanted)
    offered = (row for row in walk if translator.offers(row["text"]))
    # One at a time, so that nothing is translated beyond what is wanted.
    for unit, trip in accept_units(
        draft, offered, quota=wanted, judge=one_by_one(judge), batch_size=1
    ):
        about = {"unit": unit["id"], "source": draft.source, "text": unit["text"]}
        yield {**about, **trip, "translator": translator.name}


def _attempt(translator: Translator, text: str) -> Refusal | dict[str, Any]:
    try:
        trip = translator.round_trip(text)
    except RecordError as fault:
        return Refusal(fault.rule, fault.reason)
    return translation_refusal(text, trip.back) or trip._asdict()


STAGE: Final = Stage(
    name="translate", main="translations", invariant="sampling", shards=_shards, run=_run
)


INPUTS: Final = BuildInputs(
    keys=TranslatorKeys,
    stages=("select",),
    preparation=_preparation,
    kinds=lambda settings: (MATCHED,) if settings.translator is None else (ROUND_TRIPS, MATCHED),
)
