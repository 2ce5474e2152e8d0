"""NLI: whole sets that hypotheses alone give least away (Section 3.3.1)."""
