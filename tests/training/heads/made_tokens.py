"""Tokenizers of several kinds and odd texts, for tests of encodings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import transformers
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from training import tiny

from pipeline.training.tokens import Tokens

TEXTS = (
    "하늘시 도서관 새 단장, 다음 달 1일 문 연다",
    "푸른전자 3분기 매출 12% 늘어… 수출이 이끌어",
    "바다군 축제에 사흘간 5만 명 다녀가",
    "김하늘 감독의 새 영화 '바람의 집' 개봉",
    "별빛대 연구진, 물에서 소금을 빼는 막 개발",
    "내일 전국에 비… 남해안에는 80mm 넘게",
    "The library of Haneul opens at 9 a.m.",
)
#: Letters that a vocabulary knows, that it does not, and that are more than one code point.
LETTERS = "하늘시도서관 새달문다 1 2%.,'ab C 뷁龍é🙂👩\u200d👧\u1112\u1161\u11ab\u0301"
LETTERS += "\u00a0\u3000\t\n\u200b<>[]#"
SPECIAL = ("[SEP]", "[CLS]", "[PAD]", "[UNK]", "</s>", "<s>", "<subj>", "</obj>")


def odd_texts() -> st.SearchStrategy[str]:
    """Return texts of odd letters, some with the names of special tokens, some of anything."""
    letters = st.text(alphabet=LETTERS, max_size=30)
    named = st.lists(st.one_of(letters, st.sampled_from(SPECIAL)), max_size=4).map("".join)
    return st.one_of(letters, named, st.text(max_size=20), st.sampled_from(TEXTS))


def bert() -> Tokens:
    """Return word pieces with [CLS] and [SEP] and with token types."""
    return tiny.tokens(TEXTS)


def roberta(texts: Sequence[str] = TEXTS) -> Tokens:
    """Return pieces of bytes with <s> and </s></s>, without token types."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    names = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    made.train_from_iterator(
        texts,
        trainers.BpeTrainer(
            vocab_size=400,
            special_tokens=names,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    made.post_processor = processors.RobertaProcessing(
        ("</s>", made.token_to_id("</s>")), ("<s>", made.token_to_id("<s>"))
    )
    return Tokens(
        transformers.PreTrainedTokenizerFast(
            tokenizer_object=made,
            model_input_names=["input_ids", "attention_mask"],
            bos_token="<s>",
            cls_token="<s>",
            eos_token="</s>",
            sep_token="</s>",
            unk_token="<unk>",
            pad_token="<pad>",
            mask_token="<mask>",
        )
    )


class Letters(transformers.PreTrainedTokenizer):
    """A tokenizer in Python, a token a letter: one that tells no places."""

    def __init__(self, **given: Any) -> None:
        """Know the letters of TEXTS."""
        names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
        known = sorted(set("".join(TEXTS)) - {" "})
        self.numbers = {name: number for number, name in enumerate([*names, *known])}
        self.names = list(self.numbers)
        roles = {f"{name.strip('[]').lower()}_token": name for name in names}
        super().__init__(**{**roles, **given})

    @property
    def vocab_size(self) -> int:
        """Return how many tokens there are."""
        return len(self.names)

    def get_vocab(self) -> dict[str, int]:
        """Return the numbers of the tokens."""
        return {**self.numbers, **self.added_tokens_encoder}

    def _tokenize(self, text: str, **_given: Any) -> list[str]:
        return [letter for letter in text if not letter.isspace()]

    def _convert_token_to_id(self, token: str) -> int:
        return self.numbers.get(token, self.numbers["[UNK]"])

    def _convert_id_to_token(self, index: int) -> str:
        return self.names[index]

    def build_inputs_with_special_tokens(
        self, token_ids_0: list[int], token_ids_1: list[int] | None = None
    ) -> list[int]:
        """Return [CLS] a [SEP], or [CLS] a [SEP] b [SEP]."""
        sep = [self.sep_token_id]
        return [self.cls_token_id, *token_ids_0, *sep, *(token_ids_1 + sep if token_ids_1 else [])]


def letters() -> Tokens:
    """Return the tokenizer in Python."""
    return Tokens(Letters())
