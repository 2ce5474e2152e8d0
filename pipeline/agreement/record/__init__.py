"""The audit: one table of votes in, one record out."""
