"""Local `transformers` checkpoints as translators: one multilingual, or one for each direction.

Texts are translated one at a time, by beam search without sampling, in double precision and on one
thread where there is no GPU, so that a translation depends on its text alone. A translation that
does not end within the checkpoint's length is refused, never cut off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pipeline.core.checkpoint import digest_of, inference, load_model, most_tokens
from pipeline.core.errors import InputError, RecordError
from pipeline.core.fingerprint import of_value
from pipeline.tasks.sts.translation import (
    KOREAN,
    UNTRANSLATED,
    Kind,
    Settings,
    Translator,
    languages,
    open_journal,
    two_step,
)

#: The most tokens of a text and of its translation, where the checkpoint allows as many.
MAX_TOKENS: Final = 512


def identity(settings: Settings) -> str:
    """Return the translator name of checkpoints; only their files are read.

    Raises InputError for a folder without a checkpoint, MissingDependencyError when a library
    is not installed.
    """
    files = digest_of(*settings["paths"])
    digest = of_value([files, settings["beams"], dict(settings["codes"])])
    return f"seq2seq:{digest[:16]}:{languages(settings, styled=False)}"


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A loaded sequence-to-sequence model with its tokenizer, and the folder it came from."""

    folder: Path
    model: Any
    tokenizer: Any
    settings: Settings

    @property
    def multilingual(self) -> bool:
        """Tell whether the tokenizer takes the languages."""
        return hasattr(self.tokenizer, "src_lang")

    def code(self, language: str) -> int:
        """Return the token of a language; raises InputError for one that it does not know."""
        name = self._name(language)
        token_of = getattr(self.tokenizer, "get_lang_id", self.tokenizer.convert_tokens_to_ids)
        try:
            token = token_of(name)
        except KeyError:
            token = None
        if token is None or token == self.tokenizer.unk_token_id:
            raise InputError(
                f"{self.folder}: the checkpoint knows no language {name!r}; set `codes` to its own"
                " names, such as {ko: kor_Hang, en: eng_Latn}"
            )
        return int(token)

    def _name(self, language: str) -> str:
        """Return the checkpoint's own name for a language."""
        return str(self.settings["codes"].get(language, language))

    def translate(self, text: str, source: str, target: str) -> str:
        """Translate a text; raises RecordError for a text or translation that is too long."""
        longest, options = most_tokens(self.model, MAX_TOKENS), dict[str, Any]()
        if self.multilingual:
            self.tokenizer.src_lang = self._name(source)
            options["forced_bos_token_id"] = self.code(target)
        tokens = self.tokenizer(text, return_tensors="pt").to(self.model.device)
        if tokens["input_ids"].shape[1] > longest:
            raise RecordError(UNTRANSLATED, f"longer than {longest} tokens")
        with inference():
            (output,) = self.model.generate(
                input_ids=tokens["input_ids"],
                attention_mask=tokens["attention_mask"],
                do_sample=False,
                num_beams=self.settings["beams"],
                max_length=longest,
                **options,
            )
        if len(output) >= longest:
            raise RecordError(UNTRANSLATED, f"no end of the translation in {longest} tokens")
        return str(self.tokenizer.decode(output, skip_special_tokens=True)).strip()


def load_seq2seq(settings: Settings) -> Callable[[str, str, str], str]:
    """Load the folder of one multilingual checkpoint, or of two, from Korean and back.

    Returns the function that translates a text from a language to another. Raises InputError when
    a checkpoint is missing, damaged or does not know a language, MissingDependencyError when a
    library is not installed.
    """
    checkpoints = []
    for path in settings["paths"]:
        tokenizer, model = load_model(path, head="Seq2SeqLM", purpose="translation")
        checkpoint = Checkpoint(Path(path), model, tokenizer, settings)
        if checkpoint.multilingual:
            for language in (KOREAN, settings["pivot"]):
                checkpoint.code(language)
        elif len(settings["paths"]) == 1:
            raise InputError(
                f"{path}: translates one way only; give two checkpoints, from Korean to the pivot"
                " and back"
            )
        checkpoints.append(checkpoint)

    def step(text: str, source: str, target: str) -> str:
        way = checkpoints[0] if source == KOREAN else checkpoints[-1]
        return way.translate(text, source, target)

    return step


@contextmanager
def _open(settings: Settings, journal: Path) -> Iterator[Translator]:
    name = identity(settings)
    with open_journal(journal, name) as answers:
        yield two_step(name, settings["pivot"], load_seq2seq(settings), answers)


KIND: Final = Kind(identity, _open)
