"""The processes of a leaderboard: what reads submissions, what knows the labels, what starts them.

Read limited_process.py for how a file of a stranger is read, jobs.py for what is done with it,
workers.py for the loops that do it, serving.py for the whole.
"""
