"""What a build gives TC: the headlines of the selected articles."""

from typing import Final

from pipeline.contracts.build_inputs import BuildInputs

INPUTS: Final = BuildInputs(stages=("select",))
