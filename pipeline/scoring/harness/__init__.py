"""Examples as prompts of lm-evaluation-harness, and what its models answer."""
