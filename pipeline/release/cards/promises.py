"""What each split rule promises, in words; what a version does not meet is told beside it."""

from __future__ import annotations

from typing import Final

#: By rule: how examples were parted, then what holds because of it.
PROMISES: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "by_date": (
        "By the day of publication: late headlines are for validation and test.",
        (
            "No headline of train is known to be from the day that evaluation begins, or later.",
            "Other headlines in validation and test hold a term that no train headline has.",
        ),
    ),
    "uniform_scores": (
        "By score: validation and test have about as many pairs in every tenth of a point.",
        (
            "In validation and test, pairs of high score that share the fewest words and pairs of"
            " low score that share the most are taken first, so that counting words does not help.",
        ),
    ),
    "unbiased_sets": (
        "By set: validation and test take whole sets of hypotheses on one premise.",
        (
            "Every set in validation and test has one hypothesis of each label.",
            "These sets are among those whose hypotheses alone give the label away least.",
            "A premise is in one split only.",
        ),
    ),
    "unseen_entities": (
        "By entity: sentences with entities that train does not have go to test first.",
        ("Test has sentences with entities that no train sentence has.",),
    ),
    "uniform_pairs": (
        "By the way a pair was drawn: validation and test take pairs drawn uniformly.",
        (
            "No pair that was drawn with the help of a knowledge base is in validation or test.",
            "Entities of test pairs are not in train.",
        ),
    ),
    "by_source": (
        "By source: every split has the sources in the shares of the whole.",
        ("Sources have the same shares in every split, as near as whole examples allow.",),
    ),
    "by_question_type": (
        "By type of question: the parts are the same for every type.",
        ("No document is in two splits.",),
    ),
    "counterfactual": (
        "By goal: validation and test have goals that no train dialogue has.",
        (
            "Dialogues on counterfactual goals, and on goals drawn over instances of the knowledge"
            " base that train goals never use, are in validation and test only.",
        ),
    ),
}

#: What holds for every task.
COMMON: Final = (
    "Near-duplicates, texts that contain one another, and what was cut out of one document are in"
    " one split.",
    "An example keeps its split from version to version; no test example ever moves to train.",
    "No example is in two splits; a check apart from the code that splits looks for what they share"
    " (exact and near duplicates, documents, entities), and a leak stops the release.",
)
