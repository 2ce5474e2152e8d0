"""What a build gives NER: a tagger."""

from typing import Final

from pipeline.contracts.build_inputs import BuildInputs
from pipeline.sampling.tagging.registry import resources_of

INPUTS: Final = BuildInputs(resources=lambda settings, _spec: resources_of(settings.tagger))
