"""Stages that only a pretraining corpus has (Section 4.1)."""
