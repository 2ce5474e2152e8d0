"""Coefficients of agreement, and their intervals."""
