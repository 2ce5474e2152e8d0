"""A leaderboard that takes predictions: its database, its quotas and its pages.

Read tables.py for what is stored, records.py for what functions return, submissions.py for the way
of a submission: received -> refused | accepted -> scored | failed.
"""
