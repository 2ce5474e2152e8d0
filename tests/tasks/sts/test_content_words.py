"""Tokens of ROUGE: content words, so that shared endings do not make sentences alike."""

from __future__ import annotations

from reference_matching import KoreanTokenizer
from rouge_score.rouge_scorer import RougeScorer

from pipeline.tasks.sts.matching import content_words


def test_endings_particles_and_punctuation_are_no_tokens() -> None:
    assert content_words("숙소는 방이 넓어서 좋았습니다!") == ["숙소", "방", "넓", "좋"]
    assert content_words("방이 3개 있는 집이에요.") == ["방", "3", "있", "집"]
    assert content_words("...!?") == content_words("") == []


def test_a_negation_is_a_token() -> None:
    assert set(content_words("난방이 안 됩니다")) - set(content_words("난방이 됩니다")) == {"안"}


def test_inflection_does_not_hide_a_word() -> None:
    assert content_words("창문을 열었다") == content_words("창문을 열어요")


def test_the_package_needs_this_tokenizer() -> None:
    text = "호스트가 친절해요"
    korean = RougeScorer(["rougeL"], tokenizer=KoreanTokenizer()).score(text, text)
    assert korean["rougeL"].fmeasure == 1
    assert RougeScorer(["rougeL"]).score(text, text)["rougeL"].fmeasure == 0
