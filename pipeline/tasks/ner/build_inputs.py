"""What a build gives NER: a tagger."""

from typing import Final

from pipeline.contracts.build_inputs import BuildInputs
from pipeline.sampling.tagging.registry import TaggerKeys, resources_of

INPUTS: Final = BuildInputs(
    keys=TaggerKeys, resources=lambda settings, _spec: resources_of(settings.tagger or "crf")
)
