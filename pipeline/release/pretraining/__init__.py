"""A pretraining corpus as a folder: its manifest, its card, and how it is checked again."""
