"""Votes and items come in: read, judged, taken or quarantined."""
