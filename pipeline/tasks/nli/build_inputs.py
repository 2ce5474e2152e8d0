"""What a build gives NLI: the classifier that scores hypotheses before the split."""

from typing import Final

from pipeline.contracts.build_inputs import BuildInputs
from pipeline.core.paths import ModelName
from pipeline.core.specs import Spec


class HypothesisKeys(Spec):
    """The key of NLI in a build file: linear, or transformers:MODEL as in the paper."""

    hypothesis_classifier: ModelName = "linear"


INPUTS: Final = BuildInputs(keys=HypothesisKeys)
