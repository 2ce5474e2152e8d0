"""Votes become gold: one module a rule, one for each kind of decision."""
