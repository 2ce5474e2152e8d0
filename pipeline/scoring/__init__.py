"""Scores of predictions: metrics, submissions, breakdowns, comparisons, people's scores."""
