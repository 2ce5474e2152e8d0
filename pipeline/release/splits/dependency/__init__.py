"""DP: sources in equal shares (Section 3.6.1)."""
