"""Votes on items: how far annotators agree (`audit`), and what becomes gold (`aggregation`)."""
