"""Greedy matching of sentences by ROUGE (Section 3.2.1, Algorithm 1)."""
