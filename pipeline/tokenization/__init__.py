"""Tokenizers of one's own text: cut, counted, trained, measured.

recipes (texts to words) -> counting (words and letters of files) -> algorithms (pieces)
-> folder (what transformers loads, with its record); measures (tokenizers side by side).
"""
