"""Simulated annotators, sim-01 and so on: they fill the sample build and put the audit to the test.

Truths come from answers/ of the sample (truth.py) or are estimated (estimate.py); pools.py says who
they are, engine.py what they answer, experts.py how experts decide, campaign.py runs all rounds.
"""
